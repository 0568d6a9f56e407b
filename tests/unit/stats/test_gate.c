/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The gate: proved regressions fail it, seen ones do not.
 */
#include "near.h"

#include "stats/gate.h"
#include "stats/rng.h"

static struct stats_comparison interval(double lo, double ratio, double hi)
{
	return (struct stats_comparison){
		.verdict = STATS_UNDECIDED,
		.method = STATS_BY_SIGNRANK,
		.logs = true,
		.bounded = true,
		.ratio = ratio,
		.lo = lo,
		.hi = hi,
		.base = 1,
	};
}

/* 20 pairs of about 1 second with noise of 2 %; b takes ratio times as long. */
static struct stats_comparison measured(double ratio)
{
	struct stats_comparison c;
	struct stats_rng r;
	double a[20], b[20];

	stats_rng_seed(&r, 1);
	for (size_t i = 0; i < 20; i++) {
		a[i] = exp(0.02 * stats_rng_normal(&r));
		b[i] = ratio * exp(0.02 * stats_rng_normal(&r));
	}
	stats_compare(a, 20, b, 20, NULL, &c);
	return c;
}

static void twenty_percent_slower_violates_a_gate_of_ten(void **state)
{
	const struct stats_comparison c = measured(1.2);

	(void)state;
	assert_true(stats_gate_violated(&c, 0.10, STATS_WORSE_HIGHER));
	assert_false(stats_gate_violated(&c, 0.25, STATS_WORSE_HIGHER));
	assert_false(stats_gate_violated(&c, 0.10, STATS_WORSE_LOWER));
}

static void a_ratio_of_1_16_between_0_99_and_1_33_passes_a_gate_of_ten(void **state)
{
	const struct stats_comparison c = interval(0.99, 1.16, 1.33);

	(void)state;
	assert_false(stats_gate_violated(&c, 0.10, STATS_WORSE_HIGHER));
}

static void a_limit_just_reached_passes(void **state)
{
	const struct stats_comparison c = interval(1.10, 1.2, 1.3);
	const struct stats_comparison lower = interval(0.8, 0.85, 0.9);

	(void)state;
	assert_false(stats_gate_violated(&c, 1.10 - 1, STATS_WORSE_HIGHER));
	assert_true(stats_gate_violated(&c, 0.0999, STATS_WORSE_HIGHER));
	assert_false(stats_gate_violated(&lower, 1 - 0.9, STATS_WORSE_LOWER));
	assert_true(stats_gate_violated(&lower, 0.0999, STATS_WORSE_LOWER));
}

static void too_few_runs_never_violate(void **state)
{
	const double a[] = { 1, 1, 1, 1, 1 };
	const double b[] = { 9, 9, 9, 9, 9 };
	struct stats_comparison c;

	(void)state;
	stats_compare(a, 5, b, 5, NULL, &c);
	assert_int_equal(c.verdict, STATS_TOO_FEW);
	assert_false(stats_gate_violated(&c, 0.10, STATS_WORSE_HIGHER));
	assert_false(stats_gate_violated(&c, 0.10, STATS_WORSE_LOWER));
}

static void faults_where_there_were_none_violate_any_limit(void **state)
{
	const double a[8] = { 0 };
	const double b[8] = { 3, 4, 5, 3, 6, 3, 4, 7 };
	struct stats_comparison c;

	(void)state;
	stats_compare(a, 8, b, 8, NULL, &c);
	assert_true(isnan(c.ratio));
	assert_true(stats_gate_violated(&c, 100, STATS_WORSE_HIGHER));
	stats_compare(a, 8, a, 8, NULL, &c);
	assert_false(stats_gate_violated(&c, 0, STATS_WORSE_HIGHER));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(twenty_percent_slower_violates_a_gate_of_ten),
		cmocka_unit_test(a_ratio_of_1_16_between_0_99_and_1_33_passes_a_gate_of_ten),
		cmocka_unit_test(a_limit_just_reached_passes),
		cmocka_unit_test(too_few_runs_never_violate),
		cmocka_unit_test(faults_where_there_were_none_violate_any_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
