/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorted copies and mid-ranks.
 */
#include "near.h"

#include "stats/sort.h"

static void sorted_copy_leaves_the_original(void **state)
{
	const double x[] = { 3, -1, 2 };
	double *sorted = stats_sorted_copy(x, 3);

	(void)state;
	assert_non_null(sorted);
	assert_same(sorted[0], -1);
	assert_same(sorted[1], 2);
	assert_same(sorted[2], 3);
	assert_same(x[0], 3);
	free(sorted);
}

static void copies_of_nothing_and_of_too_much_are_null(void **state)
{
	const double x[] = { 1 };

	(void)state;
	assert_null(stats_sorted_copy(x, 0));
	assert_null(stats_sorted_copy(x, SIZE_MAX / 4));
}

static void equal_values_share_the_mean_of_their_ranks(void **state)
{
	const double x[] = { 5, 1, 5, 9, 5, 1 };
	const unsigned want[] = { 8, 3, 8, 12, 8, 3 };
	double *sorted = stats_sorted_copy(x, 6);
	unsigned rank2[6];

	(void)state;
	assert_non_null(sorted);
	assert_true(stats_rank2(x, sorted, 6, rank2));
	assert_memory_equal(rank2, want, sizeof(want));
	free(sorted);
}

static void distinct_values_have_even_doubled_ranks_and_no_ties(void **state)
{
	const double x[] = { 0.5, -3, 7 };
	const unsigned want[] = { 4, 2, 6 };
	double *sorted = stats_sorted_copy(x, 3);
	unsigned rank2[3];

	(void)state;
	assert_non_null(sorted);
	assert_false(stats_rank2(x, sorted, 3, rank2));
	assert_memory_equal(rank2, want, sizeof(want));
	free(sorted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sorted_copy_leaves_the_original),
		cmocka_unit_test(copies_of_nothing_and_of_too_much_are_null),
		cmocka_unit_test(equal_values_share_the_mean_of_their_ranks),
		cmocka_unit_test(distinct_values_have_even_doubled_ranks_and_no_ties),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
