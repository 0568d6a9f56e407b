/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Descriptions of one sample against GSL and numbers worked out by hand.
 */
#include "near.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "stats/desc.h"
#include "stats/rng.h"

static void random_samples_agree_with_gsl(void **state)
{
	struct stats_rng r;
	double x[60], sorted[60];

	(void)state;
	stats_rng_seed(&r, 1);
	for (size_t n = 2; n <= LENGTH(x); n++) {
		for (size_t i = 0; i < n; i++)
			sorted[i] = x[i] = 100 + stats_rng_normal(&r);
		gsl_sort(sorted, 1, n);
		assert_near(stats_mean(x, n), gsl_stats_mean(x, 1, n), 1e-13);
		assert_near(stats_sd(x, n), gsl_stats_sd(x, 1, n), 1e-12);
		assert_same(stats_min(x, n), sorted[0]);
		assert_same(stats_max(x, n), sorted[n - 1]);
		assert_near(
			stats_median(x, n), gsl_stats_median_from_sorted_data(sorted, 1, n), 1e-15);
		for (int eighth = 0; eighth <= 8; eighth++) {
			const double q = eighth / 8.0;

			assert_near(stats_quantile(x, n, q),
				gsl_stats_quantile_from_sorted_data(sorted, 1, n, q), 1e-14);
		}
	}
}

static void mean_of_1_and_2_5_is_1_75(void **state)
{
	const double x[] = { 1.0, 2.5 };

	(void)state;
	assert_same(stats_mean(x, 2), 1.75);
	assert_same(stats_median(x, 2), 1.75);
	assert_near(stats_sd(x, 2), 1.5 / sqrt(2), 1e-15);
}

static void small_spread_on_a_large_value_is_kept(void **state)
{
	const double x[] = { 1e15 + 1, 1e15 + 2, 1e15 + 3 };

	(void)state;
	assert_same(stats_sd(x, 3), 1);
}

static void huge_values_do_not_overflow_the_mean(void **state)
{
	const double x[] = { 1.5e308, 1.5e308, 1.5e308 };

	(void)state;
	assert_near(stats_mean(x, 3), 1.5e308, 1e-15);
}

static void lag1_of_a_ramp_and_of_a_zigzag_by_hand(void **state)
{
	const double ramp[] = { 1, 2, 3, 4 };
	const double zigzag[] = { 1, -1, 1, -1 };

	(void)state;
	assert_near(stats_lag1(ramp, 4), 1.25 / 5, 1e-15);
	assert_near(stats_lag1(zigzag, 4), -0.75, 1e-15);
}

static void what_is_not_defined_is_nan(void **state)
{
	const double x[] = { 4, 4, 4 };

	(void)state;
	assert_true(isnan(stats_mean(x, 0)));
	assert_true(isnan(stats_min(x, 0)));
	assert_true(isnan(stats_max(x, 0)));
	assert_true(isnan(stats_median(x, 0)));
	assert_true(isnan(stats_sd(x, 1)));
	assert_true(isnan(stats_lag1(x, 2)));
	assert_true(isnan(stats_lag1(x, 3)));
	assert_true(isnan(stats_quantile(x, 3, 1.5)));
	assert_same(stats_sd(x, 3), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_samples_agree_with_gsl),
		cmocka_unit_test(mean_of_1_and_2_5_is_1_75),
		cmocka_unit_test(small_spread_on_a_large_value_is_kept),
		cmocka_unit_test(huge_values_do_not_overflow_the_mean),
		cmocka_unit_test(lag1_of_a_ramp_and_of_a_zigzag_by_hand),
		cmocka_unit_test(what_is_not_defined_is_nan),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
