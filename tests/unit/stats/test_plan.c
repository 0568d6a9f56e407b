/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plans: published numbers, and the way back from runs to effect.
 */
#include "near.h"

#include "stats/plan.h"

static const struct stats_plan_opts by_t = { .test = STATS_PLAN_T };

static void a_third_of_a_percent_at_pair_sd_2_percent_takes_307_or_322_pairs(void **state)
{
	(void)state;
	assert_int_equal(stats_plan_pairs(0.0037, 0.02, &by_t), 307);
	assert_int_equal(stats_plan_pairs(0.0037, 0.02, NULL), 322);
}

static void runs_per_side_agree_with_the_printed_table(void **state)
{
	(void)state;
	assert_int_equal(stats_plan_per_side(0.005, 0.01, &by_t), 84);
	assert_int_equal(stats_plan_per_side(0.0037, 0.005, &by_t), 38);
	assert_int_equal(stats_plan_per_side(0.0037, 0.01, &by_t), 154);
	assert_int_equal(stats_plan_per_side(0.0037, 0.02, &by_t), 614);
}

static void eighty_percent_power_takes_three_quarters_of_the_pairs(void **state)
{
	const struct stats_plan_opts less = { .test = STATS_PLAN_T, .power = 0.8 };

	(void)state;
	assert_near((double)stats_plan_pairs(0.001, 0.02, &less) /
			(double)stats_plan_pairs(0.001, 0.02, &by_t),
		7.8489 / 10.5074, 1e-3);
}

static void a_sharper_alpha_takes_more(void **state)
{
	const struct stats_plan_opts sharp = { .alpha = 0.01 };

	(void)state;
	assert_true(stats_plan_pairs(0.005, 0.02, &sharp) > stats_plan_pairs(0.005, 0.02, NULL));
}

static void a_large_effect_still_takes_what_the_test_needs(void **state)
{
	const struct stats_plan_opts sharp = { .alpha = 0.01 };

	(void)state;
	assert_int_equal(stats_plan_pairs(10, 0.01, NULL), 6);
	assert_int_equal(stats_plan_pairs(10, 0.01, &sharp), 8);
	assert_int_equal(stats_plan_per_side(10, 0.01, NULL), 4);
	assert_int_equal(stats_plan_pairs(10, 0.01, &by_t), 2);
}

static void what_cannot_be_planned_is_0(void **state)
{
	(void)state;
	assert_int_equal(stats_plan_pairs(0, 0.01, NULL), 0);
	assert_int_equal(stats_plan_pairs(-0.1, 0.01, NULL), 0);
	assert_int_equal(stats_plan_pairs(0.1, 0, NULL), 0);
	assert_int_equal(stats_plan_pairs(NAN, 0.01, NULL), 0);
	assert_int_equal(stats_plan_pairs(0.1, NAN, NULL), 0);
	assert_int_equal(stats_plan_pairs(INFINITY, 0.01, NULL), 0);
	assert_int_equal(stats_plan_pairs(1e-300, 1e300, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_third_of_a_percent_at_pair_sd_2_percent_takes_307_or_322_pairs),
		cmocka_unit_test(runs_per_side_agree_with_the_printed_table),
		cmocka_unit_test(eighty_percent_power_takes_three_quarters_of_the_pairs),
		cmocka_unit_test(a_sharper_alpha_takes_more),
		cmocka_unit_test(a_large_effect_still_takes_what_the_test_needs),
		cmocka_unit_test(what_cannot_be_planned_is_0),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
