/* SPDX-License-Identifier: MIT */
/* The index against a plain array, with hashes that collide, and the slab. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "router/node/table.h"

static uint64_t state_of_random = 1;

static uint32_t random32(void)
{
	state_of_random = state_of_random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state_of_random >> 33);
}

static bool finds(const struct index *index, uint32_t hash, uint32_t item)
{
	struct index_search s = index_search(hash);
	unsigned times = 0;
	for (uint32_t n; (n = index_next(index, &s)) != TABLE_NONE;)
		times += n == item;
	assert_true(times <= 1);
	return times == 1;
}

static void check(uint32_t spread)
{
	enum {
		N = 2000
	};
	struct index index;
	uint32_t hash[N];
	bool in[N] = { false };
	assert_int_equal(index_init(&index), 0);
	for (uint32_t i = 0; i < N; i++)
		hash[i] = spread < 1000 ? random32() % spread * (UINT32_MAX / spread) : random32();
	for (int round = 0; round < 20000; round++) {
		uint32_t i = random32() % N;
		if (in[i])
			index_remove(&index, hash[i], i);
		else
			assert_true(index_add(&index, hash[i], i));
		in[i] = !in[i];
		i = random32() % N;
		assert_int_equal(finds(&index, hash[i], i), in[i]);
	}
	uint32_t used = 0;
	for (uint32_t i = 0; i < N; i++) {
		assert_int_equal(finds(&index, hash[i], i), in[i]);
		used += in[i];
	}
	assert_int_equal(index.used, used);
	index_done(&index);
}

static void index_finds_what_was_added_and_not_removed(void **state)
{
	(void)state;
	check(UINT32_MAX);
	check(500);
	check(40); /* long rows of full lines */
}

static void removing_what_is_not_there_changes_nothing(void **state)
{
	(void)state;
	struct index index;
	assert_int_equal(index_init(&index), 0);
	assert_true(index_add(&index, 5, 1));
	index_remove(&index, 5, 2);
	index_remove(&index, 6, 1);
	assert_int_equal(index.used, 1);
	assert_true(finds(&index, 5, 1));
	index_done(&index);
}

static void slab_gives_zeroed_items_up_to_its_limit(void **state)
{
	(void)state;
	struct slab slab;
	assert_int_equal(slab_init(&slab, 32, 100), 0);
	for (int round = 0; round < 3; round++) {
		for (uint32_t i = 0; i < 100; i++) {
			uint32_t n = slab_take(&slab);
			assert_true(n < 100);
			uint32_t *item = slab_at(&slab, n);
			for (int k = 0; k < 8; k++) {
				assert_int_equal(item[k], 0);
				item[k] = n + 1;
			}
		}
		assert_int_equal(slab_take(&slab), TABLE_NONE);
		for (uint32_t i = 0; i < 100; i++)
			slab_put(&slab, (i * 37) % 100);
		assert_int_equal(slab.live, 0);
	}
	slab_done(&slab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(index_finds_what_was_added_and_not_removed),
		cmocka_unit_test(removing_what_is_not_there_changes_nothing),
		cmocka_unit_test(slab_gives_zeroed_items_up_to_its_limit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
