/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random numbers: the published values, and the shapes of what is drawn.
 */
#include "near.h"

#include "stats/rng.h"

static void state_1_2_3_4_gives_the_published_numbers(void **state)
{
	static const uint64_t want[] = {
		11520,
		0,
		1509978240,
		UINT64_C(1215971899390074240),
		UINT64_C(1216172134540287360),
		UINT64_C(607988272756665600),
		UINT64_C(16172922978634559625),
	};
	struct stats_rng r = { .s = { 1, 2, 3, 4 } };

	(void)state;
	for (size_t i = 0; i < LENGTH(want); i++)
		assert_int_equal(stats_rng_u64(&r), want[i]);
}

static void seed_0_fills_the_state_with_splitmix64(void **state)
{
	static const uint64_t want[] = {
		UINT64_C(0xe220a8397b1dcdaf),
		UINT64_C(0x6e789e6aa1b965f4),
		UINT64_C(0x06c45d188009454f),
		UINT64_C(0xf88bb8a8724c81ec),
	};
	struct stats_rng r;

	(void)state;
	stats_rng_seed(&r, 0);
	for (size_t i = 0; i < LENGTH(want); i++)
		assert_int_equal(r.s[i], want[i]);
}

static void below_3_is_even_and_never_3(void **state)
{
	struct stats_rng r;
	unsigned count[3] = { 0 };

	(void)state;
	stats_rng_seed(&r, 7);
	for (int i = 0; i < 30000; i++) {
		const uint64_t x = stats_rng_below(&r, 3);

		assert_true(x < 3);
		count[x]++;
	}
	/* 82 is the standard deviation of each. */
	for (size_t i = 0; i < 3; i++)
		assert_in_range(count[i], 9600, 10400);
}

static void below_a_number_near_2_to_the_64_rejects_the_surplus(void **state)
{
	const uint64_t n = (UINT64_C(1) << 63) + 1;
	struct stats_rng r;
	unsigned low = 0;

	(void)state;
	stats_rng_seed(&r, 8);
	for (int i = 0; i < 10000; i++) {
		const uint64_t x = stats_rng_below(&r, n);

		assert_true(x < n);
		low += x < n / 2;
	}
	/* Taking the remainder instead would put 3/4 into the lower half. */
	assert_in_range(low, 4700, 5300);
}

static void below_1_is_0(void **state)
{
	struct stats_rng r;

	(void)state;
	stats_rng_seed(&r, 9);
	for (int i = 0; i < 100; i++)
		assert_int_equal(stats_rng_below(&r, 1), 0);
}

static void uniform_stays_in_0_to_1_with_mean_one_half(void **state)
{
	struct stats_rng r;
	double sum = 0;

	(void)state;
	stats_rng_seed(&r, 10);
	for (int i = 0; i < 100000; i++) {
		const double x = stats_rng_uniform(&r);

		assert_true(x >= 0 && x < 1);
		sum += x;
	}
	assert_near(sum / 100000, 0.5, 0.01);
}

static void normal_has_the_moments_of_a_normal(void **state)
{
	enum {
		N = 200000
	};
	struct stats_rng r;
	double sum = 0, squares = 0, fourth = 0;
	unsigned outside = 0;

	(void)state;
	stats_rng_seed(&r, 11);
	for (int i = 0; i < N; i++) {
		const double x = stats_rng_normal(&r);

		sum += x;
		squares += x * x;
		fourth += x * x * x * x;
		outside += fabs(x) > 1.959963984540054;
	}
	assert_true(fabs(sum / N) < 0.01);
	assert_near(squares / N, 1, 0.015);
	assert_near(fourth / N, 3, 0.04);
	assert_near((double)outside / N, 0.05, 0.04);
}

static void shuffle_gives_every_order_of_three_equally_often(void **state)
{
	struct stats_rng r;
	unsigned count[27] = { 0 };
	unsigned orders = 0;

	(void)state;
	stats_rng_seed(&r, 12);
	for (int i = 0; i < 12000; i++) {
		int a[] = { 0, 1, 2 };

		stats_rng_shuffle(&r, a, 3);
		assert_int_equal((1 << a[0]) | (1 << a[1]) | (1 << a[2]), 7);
		count[9 * a[0] + 3 * a[1] + a[2]]++;
	}
	for (size_t i = 0; i < 27; i++) {
		if (!count[i])
			continue;
		orders++;
		assert_in_range(count[i], 1800, 2200);
	}
	assert_int_equal(orders, 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(state_1_2_3_4_gives_the_published_numbers),
		cmocka_unit_test(seed_0_fills_the_state_with_splitmix64),
		cmocka_unit_test(below_3_is_even_and_never_3),
		cmocka_unit_test(below_a_number_near_2_to_the_64_rejects_the_surplus),
		cmocka_unit_test(below_1_is_0),
		cmocka_unit_test(uniform_stays_in_0_to_1_with_mean_one_half),
		cmocka_unit_test(normal_has_the_moments_of_a_normal),
		cmocka_unit_test(shuffle_gives_every_order_of_three_equally_often),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
