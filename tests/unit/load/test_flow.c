/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loads built of modules and pipelines: every kind and placement moves what it should, in
 * order (the loads check that themselves), and nonsense is refused by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "load/load.h"

enum {
	VALUES_MAX = 16
};

static struct load_value *find(
	const struct load *load, struct load_value *values, const char *option)
{
	for (size_t i = 0; i < load->n_options; i++)
		if (strcmp(load->options[i].name, option) == 0)
			return &values[i];
	fail_msg("%s has no option %s", load->name, option);
	return NULL;
}

/* Options and values by turns, numbers as text, up to NULL. */
static int run(const char *name, struct load_result *res, struct lt_err *err, ...)
{
	struct load_value values[VALUES_MAX] = { 0 };
	const struct load *load = load_find(name);
	assert_non_null(load);
	load_defaults(load, values);
	va_list ap;
	va_start(ap, err);
	for (const char *option; (option = va_arg(ap, const char *));) {
		struct load_value *v = find(load, values, option);
		const char *text = va_arg(ap, const char *);
		v->text = text;
		v->count = strtoull(text, NULL, 10);
	}
	va_end(ap);
	int r = load->run(values, res, err);
	if (r == 0)
		free(res->text);
	return r;
}

static void chains_of_every_kind_arrive(void **state)
{
	(void)state;
	struct load_result res;
	struct lt_err err;
	const char *const kinds[] = { "event", "main" };
	const char *const threads[] = { "1", "2", "0" };
	for (int k = 0; k < 2; k++) {
		for (int t = 0; t < 3; t++) {
			assert_int_equal(run("chain", &res, &err, "kind", kinds[k], "threads",
						 threads[t], "count", "2300", (char *)NULL),
				0);
			assert_int_equal(res.work, 2300);
		}
	}
	assert_int_equal(
		run("chain", &res, &err, "placement", "a=m[0-4];b=*", "count", "23", (char *)NULL),
		0);
	assert_int_equal(res.work, 23);
}

static void nets_deliver_to_the_right_place(void **state)
{
	(void)state;
	struct load_result res;
	struct lt_err err;
	const char *const threads[] = { "1", "3", "all" };
	for (int t = 0; t < 3; t++) {
		assert_int_equal(run("net", &res, &err, "threads", threads[t], "senders", "3",
					 "receivers", "2", "buffer-size", "8192", "count", "230",
					 "chaotic", t % 2 ? "1" : "0", (char *)NULL),
			0);
		assert_int_equal(res.work, 690);
	}
}

static void pipelines_of_every_kind_keep_order(void **state)
{
	(void)state;
	struct load_result res;
	struct lt_err err;
	const char *const kinds[] = { "o", "s", "p", "ops" };
	for (int k = 0; k < 4; k++) {
		assert_int_equal(run("pipeline", &res, &err, "kinds", kinds[k], "threads", "3",
					 "work", "50000", "count", "230", (char *)NULL),
			0);
		assert_int_equal(res.work, 230);
	}
}

static void nonsense_is_refused_by_name(void **state)
{
	(void)state;
	struct load_result res;
	struct lt_err err;
	assert_true(run("chain", &res, &err, "kind", "blue", (char *)NULL) < 0);
	assert_string_equal(err.id, "LT-CHAIN-KIND");
	assert_true(run("chain", &res, &err, "placement", "=", (char *)NULL) < 0);
	assert_string_equal(err.id, "LT-CHAIN-RUN");
	assert_true(run("net", &res, &err, "threads", "2", (char *)NULL) < 0);
	assert_string_equal(err.id, "LT-NET-THREADS");
	assert_true(run("pipeline", &res, &err, "kinds", "oxo", (char *)NULL) < 0);
	assert_string_equal(err.id, "LT-PIPELINE-KINDS");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chains_of_every_kind_arrive),
		cmocka_unit_test(nets_deliver_to_the_right_place),
		cmocka_unit_test(pipelines_of_every_kind_keep_order),
		cmocka_unit_test(nonsense_is_refused_by_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
