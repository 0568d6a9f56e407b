/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Summaries put the right numbers into the right places.
 */
#include "near.h"

#include "stats/summary.h"

static void eight_runs_are_summed_up(void **state)
{
	const double x[] = { 3, 1, 4, 1, 5, 9, 2, 6 };
	struct stats_summary s;

	(void)state;
	stats_summarize(x, 8, 0, &s);
	assert_int_equal(s.n, 8);
	assert_near(s.mean, 3.875, 1e-15);
	assert_near(s.sd, sqrt(52.875 / 7), 1e-14);
	assert_same(s.min, 1);
	assert_same(s.median, 3.5);
	assert_same(s.max, 9);
	assert_true(s.interval.bounded);
	assert_same(s.interval.level, 0.95);
	assert_same(s.interval.center, 3.5);
}

static void two_runs_have_no_interval(void **state)
{
	const double x[] = { 1.0, 2.5 };
	struct stats_summary s;

	(void)state;
	stats_summarize(x, 2, 0.95, &s);
	assert_same(s.mean, 1.75);
	assert_same(s.interval.center, 1.75);
	assert_false(s.interval.bounded);
	assert_true(isnan(s.lag1));
}

static void no_runs_are_not_zero(void **state)
{
	struct stats_summary s;

	(void)state;
	stats_summarize(NULL, 0, 0.95, &s);
	assert_int_equal(s.n, 0);
	assert_true(isnan(s.mean) && isnan(s.sd) && isnan(s.min) && isnan(s.median) &&
		isnan(s.max) && isnan(s.interval.center));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(eight_runs_are_summed_up),
		cmocka_unit_test(two_runs_have_no_interval),
		cmocka_unit_test(no_runs_are_not_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
