/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Units of work, found in whatever a program printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "helpers/near.h"
#include "run/work.h"

static double found(const char *regex, const char *output, size_t len)
{
	struct work w;
	struct lt_err err = { 0 };
	if (work_open(&w, 0, regex, &err) < 0)
		fail_msg("%s", err.text);
	double v = work_of(&w, output, len);
	work_close(&w);
	work_close(&w);
	return v;
}

static void numbers_are_read_as_people_write_them(void **state)
{
	(void)state;
	static const struct {
		const char *regex, *output;
		double work;
	} cases[] = {
		{ "packets: ([0-9]+)", "x\npackets: 42\ny", 42 }, { "[0-9]+", "7", 7 },
		{ "n=([0-9,]+)", "n=1,234,567", 1234567 }, { "n=([0-9.e]+)", "n=1.5e6", 1.5e6 },
		{ "n=([0-9]+)", "n=1\nn=2\nn=3", 3 }, /* the last counts */
		{ "^([0-9]+)$", "a1\n22\n3b", 22 },   /* lines have ends */
		{ "(a)?n=([0-9]+)", "n=5", 0 },       /* group 1 is not there */
		{ "n=([0-9]+)", "m=5", 0 }, { "n=(.*)", "n=0", 0 }, { "n=(.*)", "n=-5", 0 },
		{ "n=(.*)", "n=inf", 0 }, { "n=(.*)", "n=nan", 0 }, { "n=(.*)", "n=5 apples", 0 },
		{ "n=(.*)", "n=", 0 }, { "x*", "", 0 },
		{ "x*", "yyy", 0 }, /* empty matches come to an end */
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		double v = found(cases[i].regex, cases[i].output, strlen(cases[i].output));
		if (v < cases[i].work || v > cases[i].work)
			fail_msg("'%s' in '%s': %g", cases[i].regex, cases[i].output, v);
	}
}

static void zero_bytes_are_bytes_like_any_other(void **state)
{
	(void)state;
	static const char output[] = "a\0b\0n=17\0c";
	assert_near(found("n=([0-9]+)", output, sizeof(output) - 1), 17, 0);
	/* Not beyond the length given. */
	assert_near(found("n=([0-9]+)", output, 7), 1, 0);
}

static void a_long_number_is_not_cut_short(void **state)
{
	(void)state;
	char output[256] = "n=";
	memset(output + 2, '1', 200);
	double v = found("n=([0-9]+)", output, strlen(output));
	assert_true(v < 1 || v > 1e198); /* all of it or none */
}

static void a_constant_needs_no_output(void **state)
{
	(void)state;
	struct work w;
	assert_int_equal(work_open(&w, 12, NULL, NULL), 0);
	assert_near(work_of(&w, "", 0), 12, 0);
	work_close(&w);
}

static void a_bad_expression_is_told(void **state)
{
	(void)state;
	static const char *const bad[] = { "", "(", "[", "a{2", "*(" };
	for (size_t i = 0; i < LT_COUNT(bad); i++) {
		struct work w;
		struct lt_err err = { 0 };
		if (work_open(&w, 0, bad[i], &err) != -EINVAL)
			fail_msg("'%s' was taken", bad[i]);
		assert_string_equal(err.id, "LT-WORK-REGEX");
		work_close(&w);
	}
}

static void many_matches_do_not_take_their_square(void **state)
{
	(void)state;
	size_t len = 80000;
	char *output = calloc(1, len + 1); /* sanitizers look for its end */
	assert_non_null(output);
	for (size_t i = 0; i < len; i++)
		output[i] = i % 4 == 3 ? '\n' : (char)('1' + i % 4);
	assert_near(found("([0-9]+)", output, len), 123, 0);
	free(output);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_read_as_people_write_them),
		cmocka_unit_test(zero_bytes_are_bytes_like_any_other),
		cmocka_unit_test(a_long_number_is_not_cut_short),
		cmocka_unit_test(a_constant_needs_no_output),
		cmocka_unit_test(a_bad_expression_is_told),
		cmocka_unit_test(many_matches_do_not_take_their_square),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
