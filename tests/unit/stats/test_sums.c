/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every order statistic of pairwise sums against making all sums and sorting them.
 */
#include "near.h"

#include <float.h>

#include "stats/rng.h"
#include "stats/sort.h"
#include "stats/sums.h"

#define MAX 40

/* Kinds of numbers that trouble sums: see the switch. */
enum kind {
	SMOOTH,
	TIED,
	ALL_EQUAL,
	SUBNORMAL,
	HUGE_ONES,
	ALL_SIZES,
	OUTLIER,
	ZEROS,
	N_KINDS
};

static double draw(struct stats_rng *r, enum kind kind)
{
	const double z = stats_rng_normal(r);

	switch (kind) {
	case TIED:
		return round(3 * z);
	case ALL_EQUAL:
		return -0.1;
	case SUBNORMAL:
		return round(5 * z) * DBL_TRUE_MIN;
	case HUGE_ONES:
		return (z < 0 ? -1 : 1) * (0.9 + 0.1 * stats_rng_uniform(r)) * DBL_MAX / 2;
	case ALL_SIZES:
		return (z < 0 ? -1 : 1) * exp2(floor(2000 * (stats_rng_uniform(r) - 0.5)));
	case OUTLIER:
		return stats_rng_below(r, 8) ? z : 1e300 * z;
	case ZEROS:
		return stats_rng_below(r, 4) ? (z < 0 ? -0.0 : 0.0) : z;
	case SMOOTH:
	case N_KINDS:
		break;
	}
	return z;
}

static void fill(struct stats_rng *r, enum kind kind, double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = draw(r, kind);
	stats_sort(x, n);
}

static double half(double a, double b)
{
	return fabs(a) > 1e300 ? a / 2 + b / 2 : (a + b) / 2;
}

static void check_all(const struct stats_sums *s, double *plain, size_t count)
{
	stats_sort(plain, count);
	assert_same(stats_sums_count(s), (double)count);
	for (size_t k = 1; k <= count; k++)
		assert_same(stats_sums_select(s, (double)k), plain[k - 1]);
	assert_same(stats_sums_median(s), half(plain[(count - 1) / 2], plain[count / 2]));
}

static void walsh_averages_of_any_numbers_are_exact(void **state)
{
	struct stats_rng r;
	double x[MAX], plain[MAX * (MAX + 1) / 2];

	(void)state;
	stats_rng_seed(&r, 1);
	for (enum kind kind = 0; kind < N_KINDS; kind++) {
		for (size_t n = 1; n <= MAX; n += 3) {
			const struct stats_sums s = { x, n, x, n, true };
			size_t count = 0;

			fill(&r, kind, x, n);
			for (size_t i = 0; i < n; i++)
				for (size_t j = i; j < n; j++)
					plain[count++] = half(x[i], x[j]);
			check_all(&s, plain, count);
		}
	}
}

static void sums_of_two_samples_of_any_numbers_are_exact(void **state)
{
	struct stats_rng r;
	double u[MAX], v[MAX], plain[MAX * MAX];

	(void)state;
	stats_rng_seed(&r, 2);
	for (enum kind kind = 0; kind < N_KINDS; kind++) {
		for (size_t n = 1; n <= MAX; n += 7) {
			const size_t m = 1 + (size_t)stats_rng_below(&r, MAX);
			const struct stats_sums s = { u, n, v, m, false };
			size_t count = 0;

			fill(&r, kind, u, n);
			fill(&r, kind, v, m);
			for (size_t i = 0; i < n; i++)
				for (size_t j = 0; j < m; j++)
					plain[count++] = u[i] + v[j];
			check_all(&s, plain, count);
		}
	}
}

static void a_thousand_values_are_exact_at_the_ends_and_in_the_middle(void **state)
{
	enum {
		N = 1000,
		COUNT = N * (N + 1) / 2
	};
	static double x[N], plain[COUNT];
	const size_t ks[] = { 1, 2, 1000, 232000, COUNT / 2, COUNT / 2 + 1, COUNT - 1, COUNT };
	const struct stats_sums s = { x, N, x, N, true };
	struct stats_rng r;
	size_t count = 0;

	(void)state;
	stats_rng_seed(&r, 3);
	fill(&r, SMOOTH, x, N);
	for (size_t i = 0; i < N; i++)
		for (size_t j = i; j < N; j++)
			plain[count++] = (x[i] + x[j]) / 2;
	stats_sort(plain, COUNT);
	for (size_t i = 0; i < LENGTH(ks); i++)
		assert_same(stats_sums_select(&s, (double)ks[i]), plain[ks[i] - 1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(walsh_averages_of_any_numbers_are_exact),
		cmocka_unit_test(sums_of_two_samples_of_any_numbers_are_exact),
		cmocka_unit_test(a_thousand_values_are_exact_at_the_ends_and_in_the_middle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
