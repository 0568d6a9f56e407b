/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bounds of rank intervals against counting, and normal quantiles against GSL.
 */
#include "near.h"

#include <gsl/gsl_cdf.h>

#include "stats/ranks.h"

static void normal_quantiles_agree_with_gsl(void **state)
{
	(void)state;
	for (int i = 3; i < 100; i++) {
		const double upper = pow(0.75, i);
		const double z = stats_normal_upper(upper);

		assert_near(z, gsl_cdf_ugaussian_Qinv(upper), 1e-9);
		assert_near(stats_normal_two_sided(-z), 2 * upper, 1e-12);
	}
	assert_near(stats_normal_upper(0.025), 1.959963984540054, 1e-15);
}

/* P(signed-rank sum < c) by going through all patterns of signs. */
static double counted(size_t n, double c)
{
	size_t below = 0;

	for (size_t signs = 0; signs < (size_t)1 << n; signs++) {
		size_t sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += signs >> i & 1 ? i + 1 : 0;
		below += (double)sum < c;
	}
	return (double)below / (double)((size_t)1 << n);
}

static void signrank_bound_is_the_largest_that_keeps_alpha(void **state)
{
	const double alphas[] = { 0.2, 0.1, 0.05, 0.01, 0.05 / 3 };

	(void)state;
	for (size_t n = 1; n <= 14; n++) {
		for (size_t i = 0; i < LENGTH(alphas); i++) {
			const double c = stats_signrank_bound(n, alphas[i]);

			assert_true(counted(n, c) <= alphas[i] / 2);
			assert_true(counted(n, c + 1) > alphas[i] / 2);
		}
	}
}

static void signrank_at_95_percent_takes_six_and_ranksum_four_and_four(void **state)
{
	(void)state;
	assert_same(stats_signrank_bound(0, 0.05), 0);
	assert_same(stats_signrank_bound(5, 0.05), 0);
	assert_same(stats_signrank_bound(6, 0.05), 1);
	assert_same(stats_ranksum_bound(3, 3, 0.05), 0);
	assert_same(stats_ranksum_bound(4, 4, 0.05), 1);
	assert_same(stats_ranksum_bound(0, 9, 0.05), 0);
}

static void an_alpha_that_a_tail_meets_exactly_is_used(void **state)
{
	(void)state;
	/* P(V = 0) for 5 values is 1/32. */
	assert_same(stats_signrank_bound(5, 1 - 0.9375), 1);
}

/* Largest ranks in printed tables for a two-sided 5 %; the bound is one above. */
static void bounds_agree_with_the_printed_tables(void **state)
{
	(void)state;
	assert_same(stats_signrank_bound(10, 0.05), 8 + 1);
	assert_same(stats_signrank_bound(20, 0.05), 52 + 1);
	assert_same(stats_signrank_bound(50, 0.05), 434 + 1);
	assert_same(stats_ranksum_bound(10, 10, 0.05), 23 + 1);
	assert_same(stats_ranksum_bound(20, 20, 0.05), 127 + 1);
}

static void exact_and_normal_bounds_meet_where_one_ends(void **state)
{
	const double before = stats_signrank_bound(STATS_SIGNRANK_EXACT_MAX, 0.05);
	const double after = stats_signrank_bound(STATS_SIGNRANK_EXACT_MAX + 1, 0.05);
	const size_t m = STATS_RANKSUM_EXACT_MAX;

	(void)state;
	assert_in_range((uintmax_t)(after - before), 80, 100);
	assert_in_range(
		(uintmax_t)(stats_ranksum_bound(m + 1, m, 0.05) - stats_ranksum_bound(m, m, 0.05)),
		15, 25);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(normal_quantiles_agree_with_gsl),
		cmocka_unit_test(signrank_bound_is_the_largest_that_keeps_alpha),
		cmocka_unit_test(signrank_at_95_percent_takes_six_and_ranksum_four_and_four),
		cmocka_unit_test(an_alpha_that_a_tail_meets_exactly_is_used),
		cmocka_unit_test(bounds_agree_with_the_printed_tables),
		cmocka_unit_test(exact_and_normal_bounds_meet_where_one_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
