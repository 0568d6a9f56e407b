/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Holm's correction against known values and against the step-down rule itself.
 */
#include "near.h"

#include "stats/holm.h"
#include "stats/rng.h"

static void four_tests_give_the_values_of_p_adjust(void **state)
{
	const double p[] = { 0.01, 0.04, 0.03, 0.005 };
	const double want[] = { 0.03, 0.06, 0.06, 0.02 };
	double adjusted[4];

	(void)state;
	stats_holm(p, 4, adjusted);
	for (size_t i = 0; i < 4; i++)
		assert_near(adjusted[i], want[i], 1e-15);
}

static void unavailable_ones_do_not_count(void **state)
{
	const double p[] = { NAN, 0.01, NAN, 0.03 };
	double adjusted[4];

	(void)state;
	stats_holm(p, 4, adjusted);
	assert_true(isnan(adjusted[0]) && isnan(adjusted[2]));
	assert_near(adjusted[1], 0.02, 1e-15);
	assert_near(adjusted[3], 0.03, 1e-15);
}

static void one_test_is_left_alone_and_none_is_fine(void **state)
{
	const double p = 0.04;
	double adjusted = -1;

	(void)state;
	stats_holm(&p, 0, &adjusted);
	assert_same(adjusted, -1);
	stats_holm(&p, 1, &adjusted);
	assert_same(adjusted, 0.04);
}

static void equal_p_are_adjusted_equally_and_at_most_to_1(void **state)
{
	const double p[] = { 0.02, 0.9, 0.02, 0.9 };
	double adjusted[4];

	(void)state;
	stats_holm(p, 4, adjusted);
	assert_near(adjusted[0], 0.08, 1e-15);
	assert_same(adjusted[0], adjusted[2]);
	assert_same(adjusted[1], 1);
	assert_same(adjusted[3], 1);
}

/* Reject from the smallest on while p <= alpha / (tests left). */
static void adjusted_below_alpha_is_what_stepping_down_rejects(void **state)
{
	struct stats_rng r;

	(void)state;
	stats_rng_seed(&r, 1);
	for (int trial = 0; trial < 500; trial++) {
		bool rejected[8] = { false };
		double p[8], adjusted[8];

		for (size_t i = 0; i < 8; i++)
			p[i] = 0.1 * stats_rng_uniform(&r) * stats_rng_uniform(&r);
		stats_holm(p, 8, adjusted);
		for (size_t left = 8; left > 0; left--) {
			size_t least = 8;

			for (size_t i = 0; i < 8; i++)
				if (!rejected[i] && (least == 8 || p[i] < p[least]))
					least = i;
			if (p[least] > 0.05 / (double)left)
				break;
			rejected[least] = true;
		}
		for (size_t i = 0; i < 8; i++)
			assert_int_equal(adjusted[i] <= 0.05, rejected[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(four_tests_give_the_values_of_p_adjust),
		cmocka_unit_test(unavailable_ones_do_not_count),
		cmocka_unit_test(one_test_is_left_alone_and_none_is_fine),
		cmocka_unit_test(equal_p_are_adjusted_equally_and_at_most_to_1),
		cmocka_unit_test(adjusted_below_alpha_is_what_stepping_down_rejects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
