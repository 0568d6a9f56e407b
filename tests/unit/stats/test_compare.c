/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comparisons: verdicts, properties that must hold for any data, and data that
 * other tools got wrong.
 */
#include "near.h"

#include "stats/compare.h"
#include "stats/rng.h"

#define MAX 60

/* n pairs of about 1 with 1 % of noise; b is ratio times as much. */
static void draw(uint64_t seed, double ratio, size_t n, double *a, double *b)
{
	struct stats_rng r;

	stats_rng_seed(&r, seed);
	for (size_t i = 0; i < n; i++) {
		a[i] = exp(0.01 * stats_rng_normal(&r));
		b[i] = ratio * exp(0.01 * stats_rng_normal(&r));
	}
}

static struct stats_comparison compare(
	const double *a, const double *b, size_t n, struct stats_compare_opts opts)
{
	struct stats_comparison c;

	stats_compare(a, n, b, n, &opts, &c);
	return c;
}

static const enum stats_design designs[] = { STATS_PAIRED, STATS_SEQUENCE, STATS_UNPAIRED };

static void five_percent_is_found_by_every_design(void **state)
{
	double a[MAX], b[MAX];

	(void)state;
	draw(1, 1.05, 30, a, b);
	for (size_t i = 0; i < LENGTH(designs); i++) {
		const struct stats_compare_opts opts = { .design = designs[i] };
		const struct stats_comparison up = compare(a, b, 30, opts);
		const struct stats_comparison down = compare(b, a, 30, opts);

		assert_int_equal(up.verdict, STATS_HIGHER);
		assert_int_equal(down.verdict, STATS_LOWER);
		assert_true(up.lo > 1.03 && up.hi < 1.07);
		assert_true(up.lo <= up.ratio && up.ratio <= up.hi);
		assert_true(up.p < 0.001);
		assert_near(up.diff, 0.05, 0.2);
		assert_true(up.diff_lo <= up.diff && up.diff <= up.diff_hi && up.diff_lo > 0);
		assert_near(up.base, 1, 0.01);
		assert_true(up.logs && up.bounded && !up.exact_equal);
	}
}

static void no_difference_is_same_within_two_percent_and_undecided_within_a_tenth(void **state)
{
	double a[MAX], b[MAX];

	(void)state;
	draw(22, 1, 40, a, b);
	for (size_t i = 0; i < LENGTH(designs); i++) {
		struct stats_compare_opts opts = { .design = designs[i], .same = 0.02 };
		struct stats_comparison c = compare(a, b, 40, opts);

		assert_int_equal(c.verdict, STATS_SAME);
		assert_true(c.same_within < 0.02);
		opts.same = 0.001;
		c = compare(a, b, 40, opts);
		assert_int_equal(c.verdict, STATS_UNDECIDED);
		/* The margin it names is the smallest that would do. */
		opts.same = 0.999 * c.same_within;
		assert_int_equal(compare(a, b, 40, opts).verdict, STATS_UNDECIDED);
		opts.same = 1.001 * c.same_within;
		assert_int_equal(compare(a, b, 40, opts).verdict, STATS_SAME);
	}
}

static void half_a_percent_is_a_difference_unless_one_percent_was_named_same(void **state)
{
	struct stats_compare_opts opts = { .same = 0.01 };
	double a[MAX], b[MAX];

	(void)state;
	for (size_t i = 0; i < 40; i++) {
		a[i] = 1 + 1e-4 * (double)i;
		b[i] = 1.005 * a[i] + 1e-6 * (double)(i * 7 % 11);
	}
	assert_int_equal(compare(a, b, 40, opts).verdict, STATS_HIGHER);
	opts.same_given = true;
	assert_int_equal(compare(a, b, 40, opts).verdict, STATS_SAME);
	opts.same = 0.004;
	assert_int_equal(compare(a, b, 40, opts).verdict, STATS_HIGHER);
}

static void the_default_margin_is_one_percent(void **state)
{
	double a[MAX], b[MAX];

	(void)state;
	draw(3, 1, MAX, a, b);

	const struct stats_comparison c = compare(a, b, MAX, (struct stats_compare_opts){ 0 });

	assert_true(c.same_within < 0.01);
	assert_int_equal(c.verdict, STATS_SAME);
}

static void too_few_have_a_ratio_and_no_limits(void **state)
{
	static const size_t least[] = { 6, 10, 4 };
	double a[MAX], b[MAX];

	(void)state;
	draw(4, 3, MAX, a, b);
	for (size_t i = 0; i < LENGTH(designs); i++) {
		const struct stats_compare_opts opts = { .design = designs[i] };
		struct stats_comparison c = compare(a, b, least[i] - 1, opts);

		assert_int_equal(c.verdict, STATS_TOO_FEW);
		assert_near(c.ratio, 3, 0.05);
		assert_false(c.bounded);
		assert_true(isnan(c.lo) && isnan(c.hi) && isnan(c.diff_lo) && isnan(c.diff_hi));
		assert_true(isnan(c.provable));
		c = compare(a, b, least[i], opts);
		assert_int_equal(c.verdict, STATS_HIGHER);
		assert_true(c.bounded);
	}
}

static void thirty_stored_runs_can_be_compared_with_thirty_one(void **state)
{
	const struct stats_compare_opts opts = { .design = STATS_UNPAIRED };
	struct stats_comparison c;
	double a[MAX], b[MAX];

	(void)state;
	draw(5, 1, 31, a, b);
	stats_compare(a, 30, b, 31, &opts, &c);
	assert_int_equal(c.method, STATS_BY_RANKSUM);
	assert_true(c.p > 0.05 && c.p <= 1);
	assert_int_not_equal(c.verdict, STATS_HIGHER);
	assert_int_not_equal(c.verdict, STATS_LOWER);
	assert_int_equal(c.n, 30);
	assert_int_equal(c.m, 31);
	assert_true(isnan(c.lag1));
}

static void swapping_the_sides_inverts_everything(void **state)
{
	double a[MAX], b[MAX];

	(void)state;
	for (size_t trial = 0; trial < 60; trial++) {
		const struct stats_compare_opts opts = { .design = designs[trial % 3] };
		const size_t n = 3 + trial % 40;

		draw(trial, 1 + 0.001 * (double)trial, n, a, b);

		const struct stats_comparison c = compare(a, b, n, opts);
		const struct stats_comparison s = compare(b, a, n, opts);

		assert_near(s.ratio, 1 / c.ratio, 1e-12);
		assert_near(s.lo, 1 / c.hi, 1e-12);
		assert_near(s.hi, 1 / c.lo, 1e-12);
		assert_same(s.diff, -c.diff);
		assert_near(s.p, c.p, 1e-9);
		assert_near(s.same_within, c.same_within, 1e-9);
		assert_near(s.provable, c.provable, 1e-9);
		if (c.verdict == STATS_HIGHER)
			assert_int_equal(s.verdict, STATS_LOWER);
		else if (c.verdict == STATS_LOWER)
			assert_int_equal(s.verdict, STATS_HIGHER);
		else
			assert_int_equal(s.verdict, c.verdict);
	}
}

static void another_unit_changes_the_difference_only(void **state)
{
	double a[MAX], b[MAX];

	(void)state;
	for (size_t trial = 0; trial < 60; trial++) {
		const struct stats_compare_opts opts = { .design = designs[trial % 3] };
		const size_t n = 10 + trial % 40;

		draw(trial, 1.01, n, a, b);

		const struct stats_comparison c = compare(a, b, n, opts);

		for (size_t i = 0; i < n; i++) {
			a[i] *= 1000;
			b[i] *= 1000;
		}

		const struct stats_comparison s = compare(a, b, n, opts);

		assert_near(s.ratio, c.ratio, 1e-12);
		assert_near(s.lo, c.lo, 1e-12);
		assert_near(s.hi, c.hi, 1e-12);
		assert_near(s.p, c.p, 1e-9);
		assert_near(s.diff, 1000 * c.diff, 1e-9);
		assert_near(s.diff_lo, 1000 * c.diff_lo, 1e-9);
		assert_int_equal(s.verdict, c.verdict);
	}
}

static void the_order_of_the_pairs_matters_to_lag1_only(void **state)
{
	double a[MAX], b[MAX], moved_a[MAX], moved_b[MAX];

	(void)state;
	draw(6, 1.01, MAX, a, b);
	for (size_t i = 0; i < MAX; i++) {
		moved_a[i] = a[i * 7 % MAX];
		moved_b[i] = b[i * 7 % MAX];
	}

	struct stats_comparison c = compare(a, b, MAX, (struct stats_compare_opts){ 0 });
	struct stats_comparison s =
		compare(moved_a, moved_b, MAX, (struct stats_compare_opts){ 0 });

	assert_true(fabs(c.lag1 - s.lag1) > 1e-6);
	assert_near(s.sd_log, c.sd_log, 1e-12);
	assert_same(s.ratio, c.ratio);
	assert_same(s.lo, c.lo);
	assert_same(s.hi, c.hi);
	assert_same(s.diff, c.diff);
	assert_same(s.p, c.p);
	assert_int_equal(s.verdict, c.verdict);
}

static void equal_runs_are_the_same_once_there_are_enough(void **state)
{
	double a[MAX];

	(void)state;
	for (size_t kind = 0; kind < 2; kind++) {
		for (size_t i = 0; i < MAX; i++)
			a[i] = kind ? 0 : 160310874;
		for (size_t i = 0; i < LENGTH(designs); i++) {
			const struct stats_compare_opts opts = { .design = designs[i] };
			struct stats_comparison c = compare(a, a, 12, opts);

			assert_true(c.exact_equal);
			assert_int_equal(c.verdict, STATS_SAME);
			assert_same(c.ratio, 1);
			assert_same(c.lo, 1);
			assert_same(c.hi, 1);
			assert_same(c.diff, 0);
			assert_same(c.same_within, 0);
			assert_same(c.p, 1);
			c = compare(a, a, 3, opts);
			assert_true(c.exact_equal);
			assert_same(c.ratio, 1);
			assert_int_equal(c.verdict, STATS_TOO_FEW);
		}
	}
}

static void equal_pairs_of_different_size_are_exactly_equal_when_paired_only(void **state)
{
	struct stats_compare_opts opts = { .design = STATS_PAIRED };
	double a[MAX], b[MAX];

	(void)state;
	draw(7, 1, MAX, a, b);
	assert_true(compare(a, a, MAX, opts).exact_equal);
	assert_false(compare(a, b, MAX, opts).exact_equal);
	opts.design = STATS_UNPAIRED;
	assert_false(compare(a, a, MAX, opts).exact_equal);
}

static void counts_that_repeat_exactly_can_still_differ(void **state)
{
	double a[12], b[12];

	(void)state;
	for (size_t i = 0; i < 12; i++) {
		a[i] = 1000;
		b[i] = 1001;
	}
	for (size_t i = 0; i < LENGTH(designs); i++) {
		const struct stats_compare_opts opts = { .design = designs[i] };
		const struct stats_comparison c = compare(a, b, 12, opts);

		assert_int_equal(c.verdict, STATS_HIGHER);
		assert_near(c.ratio, 1.001, 1e-12);
		assert_near(c.hi, 1.001, 1e-12);
		assert_true(c.p < 0.001);
	}
}

static void counts_with_zeros_are_compared_by_their_differences(void **state)
{
	const double a[] = { 0, 3, 2, 4, 1, 3, 2, 0, 2, 3, 4, 2 };
	double b[12];

	(void)state;
	for (size_t i = 0; i < 12; i++)
		b[i] = a[i] + 5 + (double)(i % 3);
	for (size_t i = 0; i < LENGTH(designs); i++) {
		const struct stats_compare_opts opts = { .design = designs[i] };
		const struct stats_comparison c = compare(a, b, 12, opts);

		assert_false(c.logs);
		assert_int_equal(c.verdict, STATS_HIGHER);
		assert_true(c.base > 1.5 && c.base < 3);
		assert_near(c.ratio, 1 + c.diff / c.base, 1e-12);
		assert_near(c.lo, 1 + c.diff_lo / c.base, 1e-12);
		assert_near(c.hi, 1 + c.diff_hi / c.base, 1e-12);
	}
}

static void a_rise_from_nothing_has_a_verdict_and_no_ratio(void **state)
{
	const double a[12] = { 0 };
	const double b[12] = { 5, 6, 7, 5, 5, 6, 8, 9, 5, 6, 7, 8 };

	(void)state;
	for (size_t i = 0; i < LENGTH(designs); i++) {
		const struct stats_compare_opts opts = { .design = designs[i] };
		const struct stats_comparison c = compare(a, b, 12, opts);

		assert_int_equal(c.verdict, STATS_HIGHER);
		assert_true(isnan(c.ratio) && isnan(c.lo) && isnan(c.hi));
		assert_true(c.bounded && c.diff_lo > 0);
	}
}

static void counts_never_get_a_limit_below_none(void **state)
{
	const double a[] = { 0, 1, 0, 2, 0, 1, 0, 9 };
	const double b[] = { 1, 0, 8, 0, 1, 0, 2, 0 };
	const struct stats_comparison c = compare(a, b, 8, (struct stats_compare_opts){ 0 });

	(void)state;
	assert_true(c.diff_lo < -c.base);
	assert_same(c.lo, 0);
}

static void negative_values_are_compared_by_their_differences(void **state)
{
	const double a[] = { -3, -2, -4, -3, -2, -5, -3, -4 };
	const double b[] = { 3, 2, 4, 3, 2, 5, 3, 4 };
	const struct stats_comparison c = compare(a, b, 8, (struct stats_compare_opts){ 0 });

	(void)state;
	assert_int_equal(c.verdict, STATS_HIGHER);
	assert_true(isnan(c.ratio));
	assert_true(c.diff > 0);
}

static void what_cannot_be_compared_is_not_a_number(void **state)
{
	const double good[] = { 1, 2, 3, 4, 5, 6, 7 };
	const double bad[] = { 1, 2, 3, NAN, 5, 6, 7 };
	const double endless[] = { 1, 2, 3, INFINITY, 5, 6, 7 };
	struct stats_comparison c[4];

	(void)state;
	stats_compare(good, 7, bad, 7, NULL, &c[0]);
	stats_compare(endless, 7, good, 7, NULL, &c[1]);
	stats_compare(good, 7, good, 6, NULL, &c[2]);
	stats_compare(good, 0, good, 0, NULL, &c[3]);
	for (size_t i = 0; i < LENGTH(c); i++) {
		assert_int_equal(c[i].method, STATS_BY_NOTHING);
		assert_int_equal(c[i].verdict, STATS_TOO_FEW);
		assert_true(isnan(c[i].ratio) && isnan(c[i].diff) && isnan(c[i].p));
		assert_false(stats_compare_should_stop(&c[i]));
	}
}

static void differences_too_large_for_a_double_are_refused(void **state)
{
	const double a[] = { -1.7e308, -1.7e308, 0 };
	const double b[] = { 1.7e308, 1.7e308, 0 };
	const struct stats_comparison c = compare(a, b, 3, (struct stats_compare_opts){ 0 });

	(void)state;
	assert_int_equal(c.method, STATS_BY_NOTHING);
}

static void several_variants_share_alpha(void **state)
{
	double a[MAX], b[MAX];

	(void)state;
	draw(8, 1.004, MAX, a, b);
	for (size_t i = 0; i < LENGTH(designs); i++) {
		struct stats_compare_opts opts = { .design = designs[i] };
		const struct stats_comparison one = compare(a, b, MAX, opts);

		opts.n_tests = 5;

		const struct stats_comparison five = compare(a, b, MAX, opts);

		assert_near(five.level, 0.99, 1e-12);
		assert_true(five.lo < one.lo && five.hi > one.hi);
		if (designs[i] != STATS_SEQUENCE)
			assert_same(five.p, one.p);
		opts.n_tests = 0;
		opts.level = 0.99;
		assert_near(compare(a, b, MAX, opts).lo, five.lo, 1e-12);
	}
	/* 2 / 2^7 is just below 0.05 / 3. */
	assert_false(compare(a, b, 6, (struct stats_compare_opts){ .n_tests = 3 }).bounded);
	assert_true(compare(a, b, 7, (struct stats_compare_opts){ .n_tests = 3 }).bounded);
}

static void the_provable_effect_is_found_nine_times_in_ten(void **state)
{
	const size_t n = 40;
	struct stats_comparison c;
	double a[MAX], b[MAX];
	double provable = 0;
	unsigned found = 0;

	(void)state;
	for (uint64_t i = 0; i < 500; i++) {
		draw(1000 + i, 1, n, a, b);
		stats_compare(a, n, b, n, NULL, &c);
		provable += c.provable / 500;
	}
	for (uint64_t i = 0; i < 1000; i++) {
		draw(5000 + i, 1 + provable, n, a, b);
		stats_compare(a, n, b, n, NULL, &c);
		found += c.verdict == STATS_HIGHER;
	}
	assert_in_range(found, 870, 940);
}

static void only_a_sequence_says_stop(void **state)
{
	double a[MAX], b[MAX];

	(void)state;
	draw(9, 2, 20, a, b);
	for (size_t i = 0; i < LENGTH(designs); i++) {
		const struct stats_compare_opts opts = { .design = designs[i] };
		const struct stats_comparison c = compare(a, b, 20, opts);

		assert_int_equal(stats_compare_should_stop(&c), designs[i] == STATS_SEQUENCE);
	}
}

static void a_sequence_stops_for_sameness_and_not_while_undecided(void **state)
{
	struct stats_compare_opts opts = { .design = STATS_SEQUENCE, .same = 0.02 };
	double a[MAX], b[MAX];

	(void)state;
	draw(10, 1, 40, a, b);

	const struct stats_comparison same = compare(a, b, 40, opts);

	assert_true(stats_compare_should_stop(&same));
	opts.same = 1e-6;

	const struct stats_comparison undecided = compare(a, b, 40, opts);

	assert_false(stats_compare_should_stop(&undecided));
}

static void the_verdict_alone_is_the_verdict_of_the_whole(void **state)
{
	unsigned seen[5] = { 0 };
	struct stats_rng r;

	(void)state;
	stats_rng_seed(&r, 11);
	for (int trial = 0; trial < 3000; trial++) {
		const struct stats_compare_opts opts = {
			.design = designs[stats_rng_below(&r, 3)],
			.same = 0.02 * stats_rng_uniform(&r),
			.same_given = stats_rng_below(&r, 2),
			.n_tests = stats_rng_below(&r, 3),
		};
		const size_t n = 1 + stats_rng_below(&r, 40);
		struct stats_comparison c;
		double a[40], b[40];

		draw((uint64_t)trial, 0.985 + 0.03 * stats_rng_uniform(&r), n, a, b);
		if (trial % 4 == 0)
			for (size_t i = 0; i < n; i++) {
				a[i] = (double)stats_rng_below(&r, 3);
				b[i] = (double)stats_rng_below(&r, 5);
			}
		if (trial % 50 == 0)
			b[0] = NAN;
		stats_compare(a, n, b, n, &opts, &c);
		assert_int_equal(stats_compare_verdict(a, n, b, n, &opts), c.verdict);
		seen[c.verdict]++;
	}
	for (size_t i = 0; i < LENGTH(seen); i++)
		assert_true(seen[i] > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(five_percent_is_found_by_every_design),
		cmocka_unit_test(
			no_difference_is_same_within_two_percent_and_undecided_within_a_tenth),
		cmocka_unit_test(half_a_percent_is_a_difference_unless_one_percent_was_named_same),
		cmocka_unit_test(the_default_margin_is_one_percent),
		cmocka_unit_test(too_few_have_a_ratio_and_no_limits),
		cmocka_unit_test(thirty_stored_runs_can_be_compared_with_thirty_one),
		cmocka_unit_test(swapping_the_sides_inverts_everything),
		cmocka_unit_test(another_unit_changes_the_difference_only),
		cmocka_unit_test(the_order_of_the_pairs_matters_to_lag1_only),
		cmocka_unit_test(equal_runs_are_the_same_once_there_are_enough),
		cmocka_unit_test(equal_pairs_of_different_size_are_exactly_equal_when_paired_only),
		cmocka_unit_test(counts_that_repeat_exactly_can_still_differ),
		cmocka_unit_test(counts_with_zeros_are_compared_by_their_differences),
		cmocka_unit_test(a_rise_from_nothing_has_a_verdict_and_no_ratio),
		cmocka_unit_test(counts_never_get_a_limit_below_none),
		cmocka_unit_test(negative_values_are_compared_by_their_differences),
		cmocka_unit_test(what_cannot_be_compared_is_not_a_number),
		cmocka_unit_test(differences_too_large_for_a_double_are_refused),
		cmocka_unit_test(several_variants_share_alpha),
		cmocka_unit_test(the_provable_effect_is_found_nine_times_in_ten),
		cmocka_unit_test(only_a_sequence_says_stop),
		cmocka_unit_test(a_sequence_stops_for_sameness_and_not_while_undecided),
		cmocka_unit_test(the_verdict_alone_is_the_verdict_of_the_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
