/* SPDX-License-Identifier: GPL-2.0-or-later */
/* leat bench malloc: each pattern writes and counts what it was asked for, by as many threads
 * as it was asked for, and what goes to the kernel for every block shows in its faults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "load/load.h"
#include "load/malloc_modes.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OTHER_ALLOCATOR true
#else
#define OTHER_ALLOCATOR false
#endif

enum {
	ROUNDS = 23,
	PAGES = 50
};

static int run_load(uint64_t threads, uint64_t bytes, const char *mode, struct load_result *res,
	struct lt_err *err)
{
	const struct load *load = load_find("malloc");
	struct load_value values[] = { { .count = threads }, { .count = ROUNDS },
		{ .count = bytes }, { .text = mode }, { 0 } };
	assert_non_null(load);
	assert_int_equal(load->n_options + 1, sizeof(values) / sizeof(*values));
	return load->run(values, res, err);
}

static void each_mode_counts_its_blocks(void **state)
{
	(void)state;
	for (const struct malloc_mode *m = malloc_modes; m->name; m++) {
		for (uint64_t threads = 1; threads <= 3; threads++) {
			struct load_result res;
			struct lt_err err = { 0 };
			int r = run_load(threads, 1000, m->name, &res, &err);
			if (OTHER_ALLOCATOR && r == -ENOTSUP) /* it has no such threshold */
				continue;
			if (r != 0)
				fail_msg("%s: %s", m->name, err.text);
			assert_int_equal(res.work, ROUNDS * threads * m->blocks_a_round);
			assert_true(res.elapsed_ns > 0);
		}
	}
}

/* A block smaller than the steps of the growing mode is a block all the same. */
static void blocks_of_one_byte_work(void **state)
{
	(void)state;
	for (const struct malloc_mode *m = malloc_modes; m->name; m++) {
		struct load_result res;
		int r = run_load(2, 1, m->name, &res, NULL);
		if (OTHER_ALLOCATOR && r == -ENOTSUP)
			continue;
		assert_int_equal(r, 0);
		assert_int_equal(res.work, 2 * ROUNDS * m->blocks_a_round);
	}
}

static void no_mode_is_the_first(void **state)
{
	(void)state;
	struct load_result res;
	assert_int_equal(run_load(1, 64, NULL, &res, NULL), 0);
	assert_int_equal(res.work, ROUNDS);
}

static void unknown_mode_is_refused_with_the_list(void **state)
{
	(void)state;
	struct load_result res;
	struct lt_err err = { 0 };
	assert_int_equal(run_load(1, 64, "nonesuch", &res, &err), -EINVAL);
	assert_string_equal(err.id, "LT-MALLOC-MODE");
	assert_non_null(strstr(err.hint, "plain, threshold"));
}

static void block_beyond_memory_is_said(void **state)
{
	(void)state;
	struct load_result res;
	struct lt_err err = { 0 };
	if (OTHER_ALLOCATOR) /* they end the program instead */
		skip();
	assert_int_equal(run_load(1, UINT64_C(1) << 50, "plain", &res, &err), -ENOMEM);
	assert_string_equal(err.id, "LT-MALLOC-BLOCK");
}

static double faults_of(const struct load_result *res)
{
	for (size_t i = 0; i < res->n_figures; i++)
		if (!strcmp(res->figures[i].name, "minor-faults"))
			return res->figures[i].num;
	fail_msg("no figure minor-faults");
	return -1;
}

static void fixed_threshold_faults_in_every_page_of_every_block(void **state)
{
	(void)state;
	struct load_result res;
	if (OTHER_ALLOCATOR)
		skip();
	assert_int_equal(run_load(2, PAGES * 4096, "threshold", &res, NULL), 0);
	assert_true(faults_of(&res) >= 2 * ROUNDS * PAGES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_mode_counts_its_blocks),
		cmocka_unit_test(blocks_of_one_byte_work),
		cmocka_unit_test(no_mode_is_the_first),
		cmocka_unit_test(unknown_mode_is_refused_with_the_list),
		cmocka_unit_test(block_beyond_memory_is_said),
		cmocka_unit_test(fixed_threshold_faults_in_every_page_of_every_block),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
