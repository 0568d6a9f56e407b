/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shift algorithm against trying all patterns of signs and all choices of ranks.
 */
#include "near.h"

#include "stats/rng.h"
#include "stats/shift.h"
#include "stats/sort.h"

#define MAX 12

/* Doubled mid-ranks of numbers with many ties. */
static void draw_ranks(struct stats_rng *r, size_t n, unsigned *ret)
{
	double x[MAX];
	double *sorted;

	for (size_t i = 0; i < n; i++)
		x[i] = (double)stats_rng_below(r, n);
	sorted = stats_sorted_copy(x, n);
	assert_non_null(sorted);
	stats_rank2(x, sorted, n, ret);
	free(sorted);
}

static unsigned sum_of(const unsigned *rank2, size_t n, size_t set)
{
	unsigned sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += set >> i & 1 ? rank2[i] : 0;
	return sum;
}

/* Share of the sets of size k (any: k > n) whose sum is as far from the mean. */
static double tried(const unsigned *rank2, size_t n, size_t k, unsigned observed)
{
	const double share = k > n ? 0.5 : (double)k / (double)n;
	const double mean = share * sum_of(rank2, n, SIZE_MAX);
	size_t far = 0, all = 0;

	for (size_t set = 0; set < (size_t)1 << n; set++) {
		if (k <= n && (size_t)__builtin_popcountl(set) != k)
			continue;
		all++;
		far += fabs(sum_of(rank2, n, set) - mean) >= fabs(observed - mean) - 1e-9;
	}
	return (double)far / (double)all;
}

static void coins_agree_with_all_patterns_of_signs(void **state)
{
	struct stats_rng r;
	unsigned rank2[MAX];

	(void)state;
	stats_rng_seed(&r, 1);
	for (size_t n = 1; n <= MAX; n++) {
		for (int i = 0; i < 20; i++) {
			const size_t set = (size_t)stats_rng_below(&r, UINT64_C(1) << n);

			draw_ranks(&r, n, rank2);

			const unsigned observed = sum_of(rank2, n, set);

			assert_near(stats_shift_coins(rank2, n, observed),
				tried(rank2, n, MAX + 1, observed), 1e-12);
		}
	}
}

static void choices_agree_with_all_sets_of_that_size(void **state)
{
	struct stats_rng r;
	unsigned rank2[MAX];

	(void)state;
	stats_rng_seed(&r, 2);
	for (size_t n = 2; n <= MAX; n++) {
		for (int i = 0; i < 20; i++) {
			const size_t set = (size_t)stats_rng_below(&r, UINT64_C(1) << n);
			const size_t k = (size_t)__builtin_popcountl(set);

			draw_ranks(&r, n, rank2);

			const unsigned observed = sum_of(rank2, n, set);

			assert_near(stats_shift_choose(rank2, n, k, observed),
				tried(rank2, n, k, observed), 1e-12);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(coins_agree_with_all_patterns_of_signs),
		cmocka_unit_test(choices_agree_with_all_sets_of_that_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
