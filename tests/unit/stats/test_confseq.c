/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The confidence sequence: its formula, its inverse, and how often it is wrong when
 * looked at after every value.
 */
#include "near.h"

#include "stats/confseq.h"
#include "stats/desc.h"
#include "stats/rng.h"

static void half_width_follows_the_published_formula(void **state)
{
	/* alpha 0.05, t* 100: r^2 = (5.99146 + ln 5.99146 + 1) / 100. */
	const double r2 = (5.991464547107982 + 1.790335774 + 1) / 100;
	const double t = 40;
	const double want = sqrt(2 * (t * r2 + 1) / (t * t * r2) * log(sqrt(t * r2 + 1) / 0.05));

	(void)state;
	assert_near(stats_confseq_half_width(40, 3, 0.05, 100), 3 * want * sqrt(39.0 / 37), 1e-8);
}

static void p_is_the_alpha_at_which_the_sequence_touches_zero(void **state)
{
	(void)state;
	for (size_t t = STATS_CONFSEQ_START; t < 1000; t += 37) {
		const double hw = stats_confseq_half_width(t, 2, 0.05, 60);

		assert_near(stats_confseq_p(t, hw, 2, 0.05, 60), 0.05, 1e-10);
		assert_near(stats_confseq_p(t, -hw, 2, 0.05, 60), 0.05, 1e-10);
		assert_true(stats_confseq_p(t, 1.01 * hw, 2, 0.05, 60) < 0.05);
		assert_true(stats_confseq_p(t, 0.99 * hw, 2, 0.05, 60) > 0.05);
	}
}

static void a_mean_of_zero_has_p_1(void **state)
{
	(void)state;
	assert_same(stats_confseq_p(50, 0, 1, 0.05, 60), 1);
}

static void nothing_is_said_before_the_tenth_value(void **state)
{
	(void)state;
	for (size_t t = 0; t < 10; t++) {
		assert_same(stats_confseq_half_width(t, 1, 0.05, 60), INFINITY);
		assert_same(stats_confseq_p(t, 100, 1, 0.05, 60), 1);
	}
	assert_true(isfinite(stats_confseq_half_width(10, 1, 0.05, 60)));
}

static void without_spread_the_mean_is_known(void **state)
{
	(void)state;
	assert_same(stats_confseq_half_width(10, 0, 0.05, 60), 0);
	assert_same(stats_confseq_p(10, 0, 0, 0.05, 60), 1);
	assert_same(stats_confseq_p(10, -0.1, 0, 0.05, 60), 0);
}

static void width_shrinks_with_values_and_scales_with_spread(void **state)
{
	(void)state;
	for (size_t t = STATS_CONFSEQ_START; t < 2000; t++) {
		const double hw = stats_confseq_half_width(t, 1, 0.05, 60);

		assert_true(stats_confseq_half_width(t + 1, 1, 0.05, 60) < hw);
		assert_near(stats_confseq_half_width(t, 7, 0.05, 60), 7 * hw, 1e-14);
		assert_true(stats_confseq_half_width(t, 1, 0.01, 60) > hw);
	}
}

static void looking_2000_times_misses_in_fewer_than_5_percent(void **state)
{
	enum {
		REPEATS = 1000,
		LOOKS = 2000
	};
	struct stats_rng r;
	unsigned missed = 0;

	(void)state;
	stats_rng_seed(&r, 1);
	for (int i = 0; i < REPEATS; i++) {
		double sum = 0, squares = 0;

		for (size_t t = 1; t <= LOOKS; t++) {
			const double x = stats_rng_normal(&r);

			sum += x;
			squares += x * x;
			if (t < STATS_CONFSEQ_START)
				continue;

			const double n = (double)t;
			const double sd = sqrt((squares - sum * sum / n) / (n - 1));

			if (fabs(sum / n) > stats_confseq_half_width(t, sd, 0.05, 60)) {
				missed++;
				break;
			}
		}
	}
	/* 6.5 % is what a true 5 % exceeds in 1.5 % of such batches. */
	assert_in_range(missed, 10, 65);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(half_width_follows_the_published_formula),
		cmocka_unit_test(p_is_the_alpha_at_which_the_sequence_touches_zero),
		cmocka_unit_test(a_mean_of_zero_has_p_1),
		cmocka_unit_test(nothing_is_said_before_the_tenth_value),
		cmocka_unit_test(without_spread_the_mean_is_known),
		cmocka_unit_test(width_shrinks_with_values_and_scales_with_spread),
		cmocka_unit_test(looking_2000_times_misses_in_fewer_than_5_percent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
