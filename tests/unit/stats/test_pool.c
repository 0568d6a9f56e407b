/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pooled intervals cover what they promise. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>

#include "helpers/near.h"
#include "stats/pool.h"
#include "stats/rng.h"

static void a_sample_is_that_of_its_logs(void **state)
{
	(void)state;
	double x[] = { 1, exp(1), exp(2), 0, NAN, -3 };
	struct stats_log_sample s;
	stats_log_sample(x, 6, &s);
	assert_int_equal(s.n, 3);
	assert_near(s.mean, 1, 1e-12);
	assert_near(s.sum2, 2, 1e-12);
	stats_log_sample(x, 0, &s);
	assert_true(isnan(s.mean));
}

static void the_half_width_is_students(void **state)
{
	(void)state;
	struct stats_log_sample a = { 3, 0, 0.02 }, b = { 2, 1, 0.01 };
	struct stats_log_pool pool = { 0 };
	stats_log_pool_add(&pool, &a);
	stats_log_pool_add(&pool, &b);
	assert_near(pool.df, 3, 0);
	double t = gsl_cdf_tdist_Pinv(0.975, 3);
	assert_near(stats_log_pool_half(&pool, &a, &b), t * sqrt(0.01 * (1 / 3.0 + 1 / 2.0)), 1e-9);
	assert_near(stats_log_pool_half(&pool, &a, NULL), t * sqrt(0.01 / 3), 1e-9);
}

static void one_value_a_point_has_no_interval(void **state)
{
	(void)state;
	struct stats_log_sample a = { 1, 0, 0 }, none = { .mean = NAN };
	struct stats_log_pool pool = { 0 };
	stats_log_pool_add(&pool, &a);
	assert_true(isnan(stats_log_pool_half(&pool, &a, NULL)));
	pool = (struct stats_log_pool){ 0.1, 2 };
	assert_true(isnan(stats_log_pool_half(&pool, &none, NULL)));
	assert_true(isnan(stats_log_pool_half(&pool, &a, &none)));
}

/* Three points of two runs each: the interval of a ratio holds the true one 95 times in a
 * hundred. */
static void ratios_are_covered_as_promised(void **state)
{
	(void)state;
	struct stats_rng rng;
	stats_rng_seed(&rng, 31);
	unsigned inside = 0, all = 2000;
	for (unsigned k = 0; k < all; k++) {
		struct stats_log_pool pool = { 0 };
		struct stats_log_sample s[3];
		for (int i = 0; i < 3; i++) {
			double x[2];
			for (int j = 0; j < 2; j++)
				x[j] = (i + 1) * exp(0.03 * stats_rng_normal(&rng));
			stats_log_sample(x, 2, &s[i]);
			stats_log_pool_add(&pool, &s[i]);
		}
		double half = stats_log_pool_half(&pool, &s[0], &s[2]);
		inside += fabs(s[2].mean - s[0].mean - log(3)) <= half;
	}
	assert_near((double)inside / all, 0.95, 0.015);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sample_is_that_of_its_logs),
		cmocka_unit_test(the_half_width_is_students),
		cmocka_unit_test(one_value_a_point_has_no_interval),
		cmocka_unit_test(ratios_are_covered_as_promised),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
