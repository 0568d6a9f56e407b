/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sign-flip test against trying all patterns one by one.
 */
#include "near.h"

#include "stats/rng.h"
#include "stats/signflip.h"

/* Whole numbers, so that sums are exact. */
static double tried(const double *d, size_t n)
{
	double observed = 0;
	size_t far = 0;

	for (size_t i = 0; i < n; i++)
		observed += d[i];
	for (size_t signs = 0; signs < (size_t)1 << n; signs++) {
		double sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += signs >> i & 1 ? d[i] : -d[i];
		far += fabs(sum) >= fabs(observed);
	}
	return (double)far / (double)((size_t)1 << n);
}

static void small_samples_agree_with_all_patterns(void **state)
{
	struct stats_rng r;
	double d[13];

	(void)state;
	stats_rng_seed(&r, 1);
	for (size_t n = 1; n <= LENGTH(d); n++) {
		for (size_t i = 0; i < n; i++)
			d[i] = round(10 * stats_rng_normal(&r)) + 3;
		assert_same(stats_signflip_p(d, n, 1), tried(d, n));
		/* Tenths are not exact in binary: equal sums must still count as equal. */
		for (size_t i = 0; i < n; i++)
			d[i] /= 10;
		const double p = stats_signflip_p(d, n, 1);

		for (size_t i = 0; i < n; i++)
			d[i] = round(d[i] * 10);
		assert_same(p, tried(d, n));
	}
}

static void twenty_equal_signs_have_the_smallest_p(void **state)
{
	double d[20];

	(void)state;
	for (size_t i = 0; i < 20; i++)
		d[i] = 1 + (double)i;
	assert_same(stats_signflip_p(d, 20, 1), 2.0 / (1 << 20));
}

static void drawn_patterns_come_near_the_full_count_and_repeat(void **state)
{
	double d[21];

	(void)state;
	for (size_t i = 0; i < 21; i++)
		d[i] = (i % 3 ? 1 : -1) * (double)(i + 1);

	const double p = stats_signflip_p(d, 21, 42);

	assert_near(p, tried(d, 21), 0.1);
	assert_same(stats_signflip_p(d, 21, 42), p);
}

static void drawn_p_is_never_zero(void **state)
{
	double d[100];

	(void)state;
	for (size_t i = 0; i < 100; i++)
		d[i] = 1;
	assert_same(stats_signflip_p(d, 100, 1), 1e-4);
}

static void zeros_show_nothing_and_nothing_has_no_p(void **state)
{
	const double d[] = { 0, 0, 0 };
	const double bad[] = { 1, NAN };

	(void)state;
	assert_same(stats_signflip_p(d, 3, 1), 1);
	assert_true(isnan(stats_signflip_p(d, 0, 1)));
	assert_true(isnan(stats_signflip_p(bad, 2, 1)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_samples_agree_with_all_patterns),
		cmocka_unit_test(twenty_equal_signs_have_the_smallest_p),
		cmocka_unit_test(drawn_patterns_come_near_the_full_count_and_repeat),
		cmocka_unit_test(drawn_p_is_never_zero),
		cmocka_unit_test(zeros_show_nothing_and_nothing_has_no_p),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
