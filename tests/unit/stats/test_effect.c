/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Effects carry the numbers of the method that was asked for.
 */
#include "near.h"

#include "stats/confseq.h"
#include "stats/desc.h"
#include "stats/effect.h"
#include "stats/ranksum.h"
#include "stats/rng.h"
#include "stats/signrank.h"

static void draw(double *x, size_t n, double mean)
{
	struct stats_rng r;

	stats_rng_seed(&r, n);
	for (size_t i = 0; i < n; i++)
		x[i] = mean + stats_rng_normal(&r);
}

static void paired_is_signrank(void **state)
{
	const struct stats_effect_opts opts = { .alpha = 0.05 };
	struct stats_interval in, narrow;
	struct stats_effect e;
	double d[25];

	(void)state;
	draw(d, 25, 0.3);
	stats_effect_paired(d, 25, &opts, &e);
	stats_hl(d, 25, 0.95, &in);
	stats_hl(d, 25, 0.90, &narrow);
	assert_true(e.usable);
	assert_same(e.in.center, in.center);
	assert_same(e.in.lo, in.lo);
	assert_same(e.in.hi, in.hi);
	assert_same(e.half_width, (in.hi - in.lo) / 2);
	assert_same(e.reach, fmax(fabs(narrow.lo), fabs(narrow.hi)));
	assert_same(e.p, stats_signrank_p(d, 25));
	assert_same(e.sd, stats_sd(d, 25));
	assert_same(e.lag1, stats_lag1(d, 25));
}

static void sequence_lies_about_the_mean(void **state)
{
	const struct stats_effect_opts opts = { .alpha = 0.05, .sequence = true, .planned = 60 };
	struct stats_effect e;
	double d[25];

	(void)state;
	draw(d, 25, 0.3);
	stats_effect_paired(d, 25, &opts, &e);
	assert_near((e.in.lo + e.in.hi) / 2, stats_mean(d, 25), 1e-12);
	assert_same(e.half_width, stats_confseq_half_width(25, e.sd, 0.05, 60));
	assert_near(e.in.hi - e.in.lo, 2 * e.half_width, 1e-12);
	assert_same(e.p, stats_confseq_p(25, stats_mean(d, 25), e.sd, 0.05, 60));
}

static void a_sequence_keeps_its_centre_within_its_limits(void **state)
{
	const struct stats_effect_opts opts = { .alpha = 0.05, .sequence = true, .planned = 60 };
	struct stats_effect e;
	double d[400];

	(void)state;
	/* Nine of ten at 0, the rest at 1: the mean is 0.1, the Hodges-Lehmann centre 0. */
	for (size_t i = 0; i < LENGTH(d); i++)
		d[i] = i % 10 ? 0 : 1;
	stats_effect_paired(d, LENGTH(d), &opts, &e);
	assert_true(e.in.lo > 0);
	assert_same(e.in.center, e.in.lo);
}

static void unpaired_is_ranksum_with_pooled_sd(void **state)
{
	const struct stats_effect_opts opts = { .alpha = 0.05 };
	struct stats_interval in;
	struct stats_effect e;
	double x[12], y[15];

	(void)state;
	draw(x, 12, 0);
	draw(y, 15, 1);
	stats_effect_unpaired(x, 12, y, 15, &opts, &e);
	stats_hl_shift(x, 12, y, 15, 0.95, &in);
	assert_same(e.in.center, in.center);
	assert_same(e.in.lo, in.lo);
	assert_same(e.p, stats_ranksum_p(x, 12, y, 15));
	assert_near(e.sd, sqrt((11 * pow(stats_sd(x, 12), 2) + 14 * pow(stats_sd(y, 15), 2)) / 25),
		1e-13);
	assert_true(isnan(e.lag1));
}

static void one_value_has_neither_limits_nor_spread(void **state)
{
	const struct stats_effect_opts opts = { .alpha = 0.05 };
	struct stats_effect e;
	const double d = 2;

	(void)state;
	stats_effect_paired(&d, 1, &opts, &e);
	assert_true(e.usable);
	assert_same(e.in.center, 2);
	assert_false(e.in.bounded);
	assert_true(isnan(e.sd) && isnan(e.reach) && isnan(e.half_width));
	stats_effect_unpaired(&d, 1, &d, 1, &opts, &e);
	assert_same(e.in.center, 0);
	assert_true(isnan(e.sd));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paired_is_signrank),
		cmocka_unit_test(sequence_lies_about_the_mean),
		cmocka_unit_test(a_sequence_keeps_its_centre_within_its_limits),
		cmocka_unit_test(unpaired_is_ranksum_with_pooled_sd),
		cmocka_unit_test(one_value_has_neither_limits_nor_spread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
