/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Judging published claims: a case worked out by hand, and Student's t against GSL.
 */
#include "near.h"

#include <gsl/gsl_cdf.h>

#include "stats/reported.h"
#include "stats/rng.h"

static struct stats_reported reported(const char *text)
{
	struct stats_reported r;

	assert_true(stats_reported_parse(text, &r));
	return r;
}

static void a_third_of_a_percent_fewer_cycles_in_200_runs_is_not_proved(void **state)
{
	const struct stats_reported a = reported("2085813986 ±0.16%");
	const struct stats_reported b = reported("2078109565 ±0.14%");
	struct stats_reported_verdict v;

	(void)state;
	assert_true(stats_reported_judge(&a, 200, &b, 200, &v));
	assert_int_equal(v.verdict, STATS_UNDECIDED);
	assert_near(v.diff, -0.00369, 0.002);
	assert_near(v.se, 0.00212, 0.002);
	assert_near(v.statistic, -1.74, 0.002);
	assert_near(v.p, 0.08, 0.05);
	assert_near(v.provable, 0.0069, 0.005);
	assert_near((double)v.runs_needed, 690, 0.01);
	assert_true(v.lo < -0.0075 && v.hi > 0);
}

static void p_agrees_with_welch_by_gsl(void **state)
{
	struct stats_rng r;

	(void)state;
	stats_rng_seed(&r, 1);
	for (int i = 0; i < 2000; i++) {
		const struct stats_reported a = { 100, 0.1 + stats_rng_uniform(&r), false, 0 };
		const struct stats_reported b = { 100 + 4 * stats_rng_uniform(&r),
			0.1 + stats_rng_uniform(&r), false, 0 };
		const size_t n = 2 + (size_t)stats_rng_below(&r, 60);
		const size_t m = 2 + (size_t)stats_rng_below(&r, 60);
		const double va = a.spread * a.spread, vb = b.spread * b.spread;
		const double df =
			pow(va + vb, 2) / (va * va / (double)(n - 1) + vb * vb / (double)(m - 1));
		const double t = (b.value - a.value) / sqrt(va + vb);
		struct stats_reported_verdict v;

		assert_true(stats_reported_judge(&a, n, &b, m, &v));
		assert_near(v.df, df, 1e-12);
		assert_near(v.statistic, t, 1e-12);
		/* GSL's own far tails are not good to eight digits. */
		assert_near(v.p, 2 * gsl_cdf_tdist_Q(t, df), v.p > 1e-6 ? 1e-8 : 1e-6);
		assert_near(v.hi - v.lo, 2 * gsl_cdf_tdist_Pinv(0.975, df) * v.se, 1e-7);
		assert_int_equal(v.verdict != STATS_UNDECIDED, v.p < 0.05);
	}
}

/* Tables in other tools have 28 and 29 swapped, or stop at 30. */
static void intervals_are_turned_back_with_the_right_degrees_of_freedom(void **state)
{
	static const struct {
		size_t n;
		double t;
	} cases[] = {
		{ 2, 12.706204736 },
		{ 29, 2.048407142 },
		{ 30, 2.045229642 },
		{ 32, 2.039513446 },
		{ 39, 2.024394164 },
		{ 0, 1.959963985 },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		const struct stats_reported r = { 100, 1, false, STATS_SPREAD_CI95 };
		struct stats_reported_verdict v;

		assert_true(stats_reported_judge(&r, cases[i].n, &r, cases[i].n, &v));
		assert_near(v.se, sqrt(2) * 0.01 / cases[i].t, 1e-8);
	}
}

static void standard_deviation_is_divided_by_the_root_of_the_runs(void **state)
{
	const struct stats_reported r = { 50, 4, true, STATS_SPREAD_SD };
	struct stats_reported_verdict v;

	(void)state;
	assert_true(stats_reported_judge(&r, 16, &r, 16, &v));
	assert_near(v.se, sqrt(2) * 0.01, 1e-12);
	assert_same(v.diff, 0);
	assert_int_equal(v.runs_needed, 0);
}

static void without_runs_standard_errors_can_be_judged_and_deviations_not(void **state)
{
	const struct stats_reported a = { 100, 1, true, STATS_SPREAD_SE };
	const struct stats_reported b = { 110, 1, true, STATS_SPREAD_SE };
	const struct stats_reported sd = { 110, 1, true, STATS_SPREAD_SD };
	struct stats_reported_verdict v;

	(void)state;
	assert_true(stats_reported_judge(&a, 0, &b, 0, &v));
	assert_int_equal(v.verdict, STATS_HIGHER);
	assert_same(v.df, INFINITY);
	assert_int_equal(v.runs_needed, 0);
	assert_near(v.p, 2 * gsl_cdf_ugaussian_Q(v.statistic), 1e-9);
	assert_false(stats_reported_judge(&a, 0, &sd, 0, &v));
	assert_false(stats_reported_judge(&a, 1, &b, 10, &v));
}

static void without_any_spread_p_is_0_or_1(void **state)
{
	const struct stats_reported a = { 100, 0, false, STATS_SPREAD_SE };
	const struct stats_reported b = { 90, 0, false, STATS_SPREAD_SE };
	struct stats_reported_verdict v;

	(void)state;
	assert_true(stats_reported_judge(&a, 5, &b, 5, &v));
	assert_int_equal(v.verdict, STATS_LOWER);
	assert_same(v.p, 0);
	assert_true(stats_reported_judge(&a, 5, &a, 5, &v));
	assert_int_equal(v.verdict, STATS_UNDECIDED);
	assert_same(v.p, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_third_of_a_percent_fewer_cycles_in_200_runs_is_not_proved),
		cmocka_unit_test(p_agrees_with_welch_by_gsl),
		cmocka_unit_test(intervals_are_turned_back_with_the_right_degrees_of_freedom),
		cmocka_unit_test(standard_deviation_is_divided_by_the_root_of_the_runs),
		cmocka_unit_test(without_runs_standard_errors_can_be_judged_and_deviations_not),
		cmocka_unit_test(without_any_spread_p_is_0_or_1),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
