/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The signed-rank test: textbook, brute force, and the seams between its methods.
 */
#include "near.h"

#include "stats/rng.h"
#include "stats/shift.h"
#include "stats/signrank.h"

static void depression_example_has_the_printed_p(void **state)
{
	const double before[] = { 1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30 };
	const double after[] = { 0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29 };
	double d[9];

	(void)state;
	for (size_t i = 0; i < 9; i++)
		d[i] = before[i] - after[i];
	/* V = 40: 20 of 512 patterns are as far out. */
	assert_near(stats_signrank_p(d, 9), 20.0 / 512, 1e-14);
}

/* The statistic by its definition: ranks by comparing all with all. */
static double plain_statistic(const double *d, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		double rank = 0.5;

		for (size_t j = 0; j < n; j++) {
			rank += fabs(d[j]) < fabs(d[i]) ? 1 : 0;
			rank += fabs(d[j]) == fabs(d[i]) ? 0.5 : 0;
		}
		sum += d[i] > 0 ? rank : -rank;
	}
	return fabs(sum);
}

/* Share of all patterns of signs as far out as d; d has no zeros. */
static double tried(const double *d, size_t n)
{
	double flipped[12];
	size_t far = 0;

	for (size_t signs = 0; signs < (size_t)1 << n; signs++) {
		for (size_t i = 0; i < n; i++)
			flipped[i] = signs >> i & 1 ? d[i] : -d[i];
		far += plain_statistic(flipped, n) >= plain_statistic(d, n);
	}
	return (double)far / (double)((size_t)1 << n);
}

static void small_samples_agree_with_all_patterns_of_signs(void **state)
{
	struct stats_rng r;
	double d[12];

	(void)state;
	stats_rng_seed(&r, 1);
	for (size_t n = 1; n <= LENGTH(d); n++) {
		for (int tied = 0; tied < 2; tied++) {
			for (size_t i = 0; i < n; i++) {
				const double z = stats_rng_normal(&r) + 0.4;

				d[i] = tied ? copysign(ceil(2 * fabs(z)), z) : z;
			}
			assert_near(stats_signrank_p(d, n), tried(d, n), 1e-12);
		}
	}
}

static void zeros_are_dropped(void **state)
{
	const double with[] = { 0, 1.5, 0, 2.25, -0.5, 3, 0, 4.5, 5.5, -0.0 };
	const double without[] = { 1.5, 2.25, -0.5, 3, 4.5, 5.5 };

	(void)state;
	assert_same(
		stats_signrank_p(with, LENGTH(with)), stats_signrank_p(without, LENGTH(without)));
}

static void all_zeros_show_nothing(void **state)
{
	const double d[] = { 0, 0, 0, 0, 0, 0, 0 };

	(void)state;
	assert_same(stats_signrank_p(d, LENGTH(d)), 1);
	assert_same(stats_signrank_p(d, 0), 1);
}

static void not_finite_has_no_p(void **state)
{
	const double d[] = { 1, NAN };

	(void)state;
	assert_true(isnan(stats_signrank_p(d, 2)));
}

static void reversing_all_signs_changes_nothing(void **state)
{
	const size_t sizes[] = { 5, 30, 150, 250 };
	struct stats_rng r;
	double d[250], minus[250];

	(void)state;
	stats_rng_seed(&r, 2);
	for (size_t s = 0; s < 2 * LENGTH(sizes); s++) {
		const size_t n = sizes[s / 2];

		for (size_t i = 0; i < n; i++) {
			d[i] = stats_rng_normal(&r) + 0.1;
			if (s % 2)
				d[i] = round(4 * d[i]);
			minus[i] = -d[i];
		}
		assert_same(stats_signrank_p(d, n), stats_signrank_p(minus, n));
	}
}

/* n distinct sizes, the first some of every twenty positive; exact p by shifting. */
static void check_ramp(size_t n, size_t some, bool tie_two, double tolerance)
{
	double d[202];
	unsigned rank2[202];
	unsigned positive2 = 0;

	for (size_t i = 0; i < n; i++) {
		d[i] = (i % 20 < some ? 1 : -1) * (double)(i + 1);
		rank2[i] = 2 * (unsigned)(i + 1);
	}
	if (tie_two) {
		d[n - 1] = copysign(d[n - 2], d[n - 1]);
		rank2[n - 1] = rank2[n - 2] = rank2[n - 2] + 1;
	}
	for (size_t i = 0; i < n; i++)
		positive2 += d[i] > 0 ? rank2[i] : 0;
	assert_near(stats_signrank_p(d, n), stats_shift_coins(rank2, n, positive2), tolerance);
}

static void every_method_is_near_the_exact_p(void **state)
{
	(void)state;
	for (size_t some = 9; some < 13; some++) {
		check_ramp(200, some, false, 1e-10);
		check_ramp(201, some, false, 0.02);
		check_ramp(100, some, true, 1e-10);
		check_ramp(101, some, true, 0.02);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(depression_example_has_the_printed_p),
		cmocka_unit_test(small_samples_agree_with_all_patterns_of_signs),
		cmocka_unit_test(zeros_are_dropped),
		cmocka_unit_test(all_zeros_show_nothing),
		cmocka_unit_test(not_finite_has_no_p),
		cmocka_unit_test(reversing_all_signs_changes_nothing),
		cmocka_unit_test(every_method_is_near_the_exact_p),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
