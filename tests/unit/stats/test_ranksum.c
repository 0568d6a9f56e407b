/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rank-sum test: textbook, brute force, unequal sizes.
 */
#include "near.h"

#include "stats/ranksum.h"
#include "stats/rng.h"
#include "stats/shift.h"
#include "stats/sort.h"

#define ALL 12

static void permeability_example_has_the_printed_p(void **state)
{
	const double term[] = { 0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46 };
	const double earlier[] = { 1.15, 0.88, 0.90, 0.74, 1.21 };

	(void)state;
	/* Printed: 0.1272 one-sided; 764 of the 3003 choices are as far out. */
	assert_near(stats_ranksum_p(term, 10, earlier, 5), 764.0 / 3003, 1e-12);
}

/* Pairs in which the first set lies above, less those in which it lies below. */
static int above(const double *x, size_t n, size_t set)
{
	int ret = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if ((set >> i & 1) && !(set >> j & 1))
				ret += (x[i] > x[j]) - (x[i] < x[j]);
	return abs(ret);
}

/* Share of all choices of k out of n as far out as the first k are. */
static double tried(const double *x, size_t n, size_t k)
{
	const int observed = above(x, n, ((size_t)1 << k) - 1);
	size_t far = 0, all = 0;

	for (size_t set = 0; set < (size_t)1 << n; set++) {
		if ((size_t)__builtin_popcountl(set) != k)
			continue;
		all++;
		far += above(x, n, set) >= observed;
	}
	return (double)far / (double)all;
}

static void small_samples_agree_with_all_choices(void **state)
{
	struct stats_rng r;
	double x[ALL];

	(void)state;
	stats_rng_seed(&r, 1);
	for (size_t n = 2; n <= ALL; n++) {
		for (size_t k = 1; k < n; k++) {
			for (size_t i = 0; i < n; i++) {
				x[i] = stats_rng_normal(&r) + (i < k ? 0.5 : 0);
				if (k % 2)
					x[i] = round(2 * x[i]);
			}
			assert_near(stats_ranksum_p(x, k, x + k, n - k), tried(x, n, k), 1e-12);
		}
	}
}

static void thirty_against_thirty_one_of_one_kind_is_rarely_significant(void **state)
{
	struct stats_rng r;
	double x[30], y[31];
	unsigned significant = 0;

	(void)state;
	stats_rng_seed(&r, 2);
	for (int i = 0; i < 1000; i++) {
		for (size_t k = 0; k < 30; k++)
			x[k] = stats_rng_normal(&r);
		for (size_t k = 0; k < 31; k++)
			y[k] = stats_rng_normal(&r);

		const double p = stats_ranksum_p(x, 30, y, 31);

		assert_true(p > 0 && p <= 1);
		significant += p < 0.05;
	}
	assert_in_range(significant, 25, 75);
}

static void swapping_the_samples_changes_nothing(void **state)
{
	const size_t sizes[][2] = { { 3, 9 }, { 20, 25 }, { 49, 12 }, { 70, 60 } };
	struct stats_rng r;
	double x[70], y[70];

	(void)state;
	stats_rng_seed(&r, 3);
	for (size_t s = 0; s < 2 * LENGTH(sizes); s++) {
		const size_t n = sizes[s / 2][0], m = sizes[s / 2][1];

		for (size_t i = 0; i < n; i++)
			x[i] = s % 2 ? round(3 * stats_rng_normal(&r)) : stats_rng_normal(&r);
		for (size_t i = 0; i < m; i++)
			y[i] = s % 2 ? round(3 * stats_rng_normal(&r)) : stats_rng_normal(&r);
		assert_near(stats_ranksum_p(x, n, y, m), stats_ranksum_p(y, m, x, n), 1e-12);
	}
}

/* x are the odd numbers, y a run of even ones from shift on; exact p by shifting. */
static void check_comb(size_t n, size_t m, double shift, bool tie_two, double tolerance)
{
	double all[120];
	double *sorted;
	unsigned rank2[120];
	unsigned sum2 = 0;

	for (size_t i = 0; i < n; i++)
		all[i] = 2 * (double)i + 1;
	for (size_t i = 0; i < m; i++)
		all[n + i] = 2 * (double)i + shift;
	if (tie_two)
		all[n] = all[0];
	sorted = stats_sorted_copy(all, n + m);
	assert_non_null(sorted);
	assert_int_equal(stats_rank2(all, sorted, n + m, rank2), tie_two);
	free(sorted);
	for (size_t i = 0; i < n; i++)
		sum2 += rank2[i];
	const double want = stats_shift_choose(rank2, n + m, n, sum2);

	assert_true(fabs(stats_ranksum_p(all, n, all + n, m) - want) <= tolerance);
}

static void every_method_is_near_the_exact_p(void **state)
{
	(void)state;
	for (int i = 5; i < 12; i++) {
		const double shift = 2 * i;

		check_comb(50, 50, shift, false, 1e-12);
		check_comb(51, 50, shift, false, 0.003);
		check_comb(25, 25, shift, true, 1e-12);
		check_comb(26, 25, shift, true, 0.003);
		check_comb(60, 56, shift, true, 0.003);
	}
}

static void equal_values_show_nothing(void **state)
{
	const double x[] = { 4, 4, 4, 4, 4 };

	(void)state;
	assert_same(stats_ranksum_p(x, 5, x, 4), 1);
}

static void nothing_and_not_finite_have_no_p(void **state)
{
	const double x[] = { 1, INFINITY };

	(void)state;
	assert_true(isnan(stats_ranksum_p(x, 0, x, 1)));
	assert_true(isnan(stats_ranksum_p(x, 1, x, 0)));
	assert_true(isnan(stats_ranksum_p(x, 2, x, 1)));
	assert_true(isnan(stats_ranksum_p(x, 1, x, 2)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(permeability_example_has_the_printed_p),
		cmocka_unit_test(small_samples_agree_with_all_choices),
		cmocka_unit_test(thirty_against_thirty_one_of_one_kind_is_rarely_significant),
		cmocka_unit_test(swapping_the_samples_changes_nothing),
		cmocka_unit_test(every_method_is_near_the_exact_p),
		cmocka_unit_test(equal_values_show_nothing),
		cmocka_unit_test(nothing_and_not_finite_have_no_p),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
