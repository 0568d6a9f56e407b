/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hodges-Lehmann estimates: textbook examples, small samples, and the defining
 * property that the interval holds what the test does not reject.
 */
#include "near.h"

#include "stats/hl.h"
#include "stats/ranksum.h"
#include "stats/rng.h"
#include "stats/signrank.h"

/* Hollander and Wolfe, example 3.1: depression before and after a tranquilizer. */
static const double before[] = { 1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30 };
static const double after[] = { 0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29 };

/* Example 4.1: permeability of placenta at term and earlier. */
static const double term[] = { 0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46 };
static const double earlier[] = { 1.15, 0.88, 0.90, 0.74, 1.21 };

static void depression_example_gives_the_printed_interval(void **state)
{
	struct stats_interval in;
	double d[9];

	(void)state;
	for (size_t i = 0; i < 9; i++)
		d[i] = after[i] - before[i];
	stats_hl(d, 9, 0.95, &in);
	assert_true(in.bounded);
	assert_near(in.center, -0.46, 1e-9);
	assert_near(in.lo, -0.786, 1e-9);
	assert_near(in.hi, -0.010, 1e-9);
	assert_same(in.level, 0.95);
}

static void permeability_example_gives_the_printed_interval(void **state)
{
	struct stats_interval in;

	(void)state;
	stats_hl_shift(earlier, 5, term, 10, 0.95, &in);
	assert_true(in.bounded);
	assert_near(in.center, 0.305, 1e-9);
	assert_near(in.lo, -0.15, 1e-9);
	assert_near(in.hi, 0.76, 1e-9);
}

static void two_runs_have_a_centre_and_no_interval(void **state)
{
	const double x[] = { 1.0, 2.5 };
	struct stats_interval in;

	(void)state;
	stats_hl(x, 2, 0.95, &in);
	assert_same(in.center, 1.75);
	assert_false(in.bounded);
	assert_true(isnan(in.lo) && isnan(in.hi));
}

static void six_values_are_the_first_to_be_bounded_by_their_extremes(void **state)
{
	const double x[] = { 5, 1, 4, 2, 6, 3 };
	struct stats_interval in;

	(void)state;
	stats_hl(x, 5, 0.95, &in);
	assert_false(in.bounded);
	stats_hl(x, 6, 0.95, &in);
	assert_true(in.bounded);
	assert_same(in.lo, 1);
	assert_same(in.hi, 6);
	stats_hl(x, 6, 0.99, &in);
	assert_false(in.bounded);
}

static void level_0_asks_for_the_centre_alone(void **state)
{
	struct stats_interval in;

	(void)state;
	stats_hl(before, 9, 0, &in);
	assert_false(in.bounded);
	assert_true(isfinite(in.center));
	stats_hl_shift(before, 9, after, 9, 0, &in);
	assert_false(in.bounded);
	assert_true(isfinite(in.center));
}

static void nothing_and_not_finite_have_no_centre(void **state)
{
	const double bad[] = { 1, NAN, 3 };
	const double endless[] = { 1, INFINITY };
	const double huge[] = { 1.7e308, -1.7e308 };
	struct stats_interval in;

	(void)state;
	stats_hl(bad, 0, 0.95, &in);
	assert_true(isnan(in.center) && !in.bounded);
	stats_hl(bad, 3, 0.95, &in);
	assert_true(isnan(in.center) && !in.bounded);
	stats_hl(endless, 2, 0.95, &in);
	assert_true(isnan(in.center) && !in.bounded);
	stats_hl_shift(before, 9, bad, 3, 0.95, &in);
	assert_true(isnan(in.center) && !in.bounded);
	stats_hl_shift(before, 9, after, 0, 0.95, &in);
	assert_true(isnan(in.center) && !in.bounded);
	stats_hl_shift(huge, 2, huge, 2, 0.95, &in);
	assert_true(isnan(in.center) && !in.bounded);
	stats_hl(huge, 2, 0.95, &in);
	assert_same(in.center, 0);
}

/* The estimate of shifted data is shifted; the test rejects just outside the limits. */
static void interval_holds_what_signrank_does_not_reject(void **state)
{
	const size_t sizes[] = { 6, 9, 20, 57, 200, 230 };
	struct stats_rng r;
	double x[230], moved[230];

	(void)state;
	stats_rng_seed(&r, 4);
	for (size_t s = 0; s < LENGTH(sizes); s++) {
		const size_t n = sizes[s];
		struct stats_interval in;

		for (size_t i = 0; i < n; i++)
			x[i] = stats_rng_normal(&r);
		stats_hl(x, n, 0.95, &in);
		for (size_t i = 0; i < n; i++)
			moved[i] = x[i] - in.lo + 1e-9;
		assert_true(stats_signrank_p(moved, n) <= 0.05);
		for (size_t i = 0; i < n; i++)
			moved[i] = x[i] - in.lo - 1e-9;
		assert_true(stats_signrank_p(moved, n) > 0.05);
		for (size_t i = 0; i < n; i++)
			moved[i] = x[i] - in.hi - 1e-9;
		assert_true(stats_signrank_p(moved, n) <= 0.05);
		for (size_t i = 0; i < n; i++)
			moved[i] = x[i] - in.hi + 1e-9;
		assert_true(stats_signrank_p(moved, n) > 0.05);
	}
}

static void shift_interval_holds_what_ranksum_does_not_reject(void **state)
{
	const size_t sizes[][2] = { { 4, 4 }, { 30, 31 }, { 50, 50 }, { 51, 20 }, { 80, 90 } };
	struct stats_rng r;
	double x[90], y[90], moved[90];

	(void)state;
	stats_rng_seed(&r, 5);
	for (size_t s = 0; s < LENGTH(sizes); s++) {
		const size_t n = sizes[s][0], m = sizes[s][1];
		struct stats_interval in;

		for (size_t i = 0; i < n; i++)
			x[i] = stats_rng_normal(&r);
		for (size_t i = 0; i < m; i++)
			y[i] = stats_rng_normal(&r);
		stats_hl_shift(x, n, y, m, 0.95, &in);
		for (size_t i = 0; i < m; i++)
			moved[i] = y[i] - in.lo + 1e-9;
		assert_true(stats_ranksum_p(x, n, moved, m) <= 0.05);
		for (size_t i = 0; i < m; i++)
			moved[i] = y[i] - in.lo - 1e-9;
		assert_true(stats_ranksum_p(x, n, moved, m) > 0.05);
		for (size_t i = 0; i < m; i++)
			moved[i] = y[i] - in.hi - 1e-9;
		assert_true(stats_ranksum_p(x, n, moved, m) <= 0.05);
	}
}

static void several_levels_at_once_are_the_same_as_one_by_one(void **state)
{
	const double levels[] = { 0.95, 0, 0.90, 0.999 };
	struct stats_interval at_once[4], one;

	(void)state;
	stats_hl_levels(before, 9, levels, 4, at_once);
	for (size_t i = 0; i < 4; i++) {
		stats_hl(before, 9, levels[i], &one);
		assert_memory_equal(&at_once[i], &one, offsetof(struct stats_interval, bounded));
		assert_int_equal(at_once[i].bounded, one.bounded);
	}
	stats_hl_shift_levels(term, 10, earlier, 5, levels, 4, at_once);
	for (size_t i = 0; i < 4; i++) {
		stats_hl_shift(term, 10, earlier, 5, levels[i], &one);
		assert_memory_equal(&at_once[i], &one, offsetof(struct stats_interval, bounded));
		assert_int_equal(at_once[i].bounded, one.bounded);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(depression_example_gives_the_printed_interval),
		cmocka_unit_test(permeability_example_gives_the_printed_interval),
		cmocka_unit_test(two_runs_have_a_centre_and_no_interval),
		cmocka_unit_test(six_values_are_the_first_to_be_bounded_by_their_extremes),
		cmocka_unit_test(level_0_asks_for_the_centre_alone),
		cmocka_unit_test(nothing_and_not_finite_have_no_centre),
		cmocka_unit_test(several_levels_at_once_are_the_same_as_one_by_one),
		cmocka_unit_test(interval_holds_what_signrank_does_not_reject),
		cmocka_unit_test(shift_interval_holds_what_ranksum_does_not_reject),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
