/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Factors as typed, and their places in a command. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "helpers/test_arena.h"
#include "run/factors.h"

static struct factor_spec parse(const char *text)
{
	struct factor_spec f;
	struct lt_err err = { 0 };
	if (factors_parse(text, &arena, &f, &err) < 0)
		fail_msg("%s", err.text);
	return f;
}

static struct factor_spec threads(const char *text)
{
	struct factor_spec f;
	struct lt_err err = { 0 };
	if (factors_threads(text, &arena, &f, &err) < 0)
		fail_msg("%s", err.text);
	return f;
}

static void levels_are_parted_by_commas(void **state)
{
	(void)state;
	struct factor_spec f = parse("size=10,1e3,big one");
	assert_string_equal(f.name, "size");
	assert_int_equal(f.n, 3);
	assert_string_equal(f.levels[2], "big one");
}

static void a_semicolon_lets_levels_hold_commas(void **state)
{
	(void)state;
	struct factor_spec f = parse("placement=a:0,b:1;a:0,b:0");
	assert_int_equal(f.n, 2);
	assert_string_equal(f.levels[1], "a:0,b:0");
	f = parse("placement=in=a,b;threads:2|each|threads:1");
	assert_int_equal(f.n, 3);
	assert_string_equal(f.levels[0], "in=a,b;threads:2");
}

static void what_is_no_factor_is_refused(void **state)
{
	(void)state;
	static const char *const bad[] = { "size", "=1,2", "si ze=1", "size=", "size=1,,2",
		"size=1,1" };
	struct factor_spec f;
	struct lt_err err;
	for (size_t i = 0; i < LT_COUNT(bad); i++) {
		err = (struct lt_err){ 0 };
		assert_int_equal(factors_parse(bad[i], &arena, &f, &err), -EINVAL);
		assert_string_equal(err.id, "LT-FACTOR");
	}
}

static void thread_counts_are_sorted_and_come_once(void **state)
{
	(void)state;
	struct factor_spec f = threads("8,1,2-4,2");
	assert_int_equal(f.n, 5);
	assert_string_equal(f.levels[0], "1");
	assert_string_equal(f.levels[1], "2");
	assert_string_equal(f.levels[4], "8");
}

static void bad_thread_counts_are_refused(void **state)
{
	(void)state;
	static const char *const bad[] = { "", "0", "1,,2", "two", "4-2", "5000", "1,-2" };
	struct factor_spec f;
	struct lt_err err;
	for (size_t i = 0; i < LT_COUNT(bad); i++) {
		err = (struct lt_err){ 0 };
		assert_int_equal(factors_threads(bad[i], &arena, &f, &err), -EINVAL);
		assert_string_equal(err.id, "LT-THREADS");
	}
}

static void default_counts(unsigned cpus, const char *expected)
{
	struct factor_spec f;
	struct lt_err err = { 0 };
	char text[128] = "";
	assert_int_equal(factors_default_threads(cpus, &arena, &f, &err), 0);
	for (size_t i = 0; i < f.n; i++) {
		strcat(text, i ? "," : "");
		strcat(text, f.levels[i]);
	}
	assert_string_equal(text, expected);
}

static void default_counts_double_up_to_the_cpus_and_beyond(void **state)
{
	(void)state;
	default_counts(1, "1,2");
	default_counts(2, "1,2,4");
	default_counts(6, "1,2,4,6,12");
	default_counts(8, "1,2,4,8,16");
}

static void only_known_braces_are_filled(void **state)
{
	(void)state;
	struct factor_spec specs[] = { threads("1,2"), parse("n=5") };
	const char *levels[] = { "2", "5" };
	assert_string_equal(factors_fill("-j{threads} {n}{n} {print} {", specs, levels, 2, &arena),
		"-j2 55 {print} {");
	assert_string_equal(factors_fill("", specs, levels, 2, &arena), "");
	assert_true(factors_placed("x{{n}", "n"));
	assert_false(factors_placed("{nn} {n", "n"));
}

static void braces_that_stay_are_found(void **state)
{
	(void)state;
	static const struct {
		const char *text, *found;
	} cases[] = {
		{ "-j{thread}", "{thread}" },
		{ "{a_b}", "{a_b}" },
		{ "{threads}{jobs}", "{jobs}" },
		{ "{threads}", NULL },
		{ "{}", NULL },
		{ "{print $1}", NULL },
		{ "{1}", NULL },
		{ "${home}", NULL },
		{ "{unended", NULL },
		{ "", NULL },
	};
	static const struct factor_spec specs[] = { { .name = "threads" } };
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *name = NULL;
		int r = factors_unfilled(cases[i].text, specs, 1, &arena, &name, NULL);
		assert_int_equal(r, cases[i].found != NULL);
		if (r)
			assert_string_equal(name, cases[i].found);
	}
}

static void variables_carry_a_factor_without_a_place(void **state)
{
	(void)state;
	struct factor_spec f = threads("1");
	assert_string_equal(factors_variables(&f, &arena)[0], "OMP_NUM_THREADS");
	f = parse("OMP_SCHEDULE=static,dynamic");
	assert_string_equal(factors_variables(&f, &arena)[0], "OMP_SCHEDULE");
	assert_null(factors_variables(&f, &arena)[1]);
	f = parse("size=1,2");
	assert_null(factors_variables(&f, &arena));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels_are_parted_by_commas),
		cmocka_unit_test(a_semicolon_lets_levels_hold_commas),
		cmocka_unit_test(what_is_no_factor_is_refused),
		cmocka_unit_test(thread_counts_are_sorted_and_come_once),
		cmocka_unit_test(bad_thread_counts_are_refused),
		cmocka_unit_test(default_counts_double_up_to_the_cpus_and_beyond),
		cmocka_unit_test(only_known_braces_are_filled),
		cmocka_unit_test(braces_that_stay_are_found),
		cmocka_unit_test(variables_carry_a_factor_without_a_place),
	};
	return cmocka_run_group_tests(tests, NULL, arena_end);
}
