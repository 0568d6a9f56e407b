/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The chunks of a run: each is out once, and the one given back last is taken first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "router/node/chunk_pool.h"

enum {
	CHUNKS = 5,
	ROUNDS = 20000,
};

static void each_is_out_once(void **state)
{
	struct chunk_pool pool;
	struct chunk *out[CHUNKS];
	(void)state;
	assert_int_equal(chunk_pool_init(&pool, CHUNKS, 7, NULL), 0);
	for (unsigned i = 0; i < CHUNKS; i++) {
		out[i] = chunk_pool_take(&pool);
		assert_int_equal(out[i]->max, 7);
		for (unsigned k = 0; k < i; k++)
			assert_ptr_not_equal(out[i], out[k]);
	}
	for (unsigned i = 0; i < CHUNKS; i++)
		chunk_pool_give(&pool, out[i]);
	chunk_pool_done(&pool);
}

static void the_last_given_is_taken_first(void **state)
{
	struct chunk_pool pool;
	(void)state;
	assert_int_equal(chunk_pool_init(&pool, CHUNKS, 1, NULL), 0);
	struct chunk *a = chunk_pool_take(&pool), *b = chunk_pool_take(&pool);
	chunk_pool_give(&pool, a);
	assert_ptr_equal(chunk_pool_take(&pool), a);
	chunk_pool_give(&pool, b);
	chunk_pool_give(&pool, a);
	assert_ptr_equal(chunk_pool_take(&pool), a);
	assert_ptr_equal(chunk_pool_take(&pool), b);
	chunk_pool_done(&pool);
}

static void *take_and_give(void *arg)
{
	struct chunk_pool *pool = arg;
	for (int i = 0; i < ROUNDS; i++) {
		struct chunk *chunk = chunk_pool_take(pool);
		chunk->n++; /* nobody else has it */
		chunk_pool_give(pool, chunk);
	}
	return NULL;
}

static void nobody_has_the_same_at_a_time(void **state)
{
	struct chunk_pool pool;
	pthread_t thread[CHUNKS];
	uint32_t sum = 0;
	(void)state;
	assert_int_equal(chunk_pool_init(&pool, CHUNKS, 1, NULL), 0);
	for (int i = 0; i < CHUNKS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, take_and_give, &pool), 0);
	for (int i = 0; i < CHUNKS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < CHUNKS; i++)
		sum += chunk_pool_take(&pool)->n;
	assert_int_equal(sum, CHUNKS * ROUNDS);
	chunk_pool_done(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_is_out_once),
		cmocka_unit_test(the_last_given_is_taken_first),
		cmocka_unit_test(nobody_has_the_same_at_a_time),
	};
	return cmocka_run_group_tests_name("chunk_pool", tests, NULL, NULL);
}
