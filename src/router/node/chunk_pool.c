/* SPDX-License-Identifier: MIT */
/* A stack of chunks under a lock, which is taken twice for each of them. */
#include "router/node/chunk_pool.h"

#include <stdlib.h>

int chunk_pool_init(struct chunk_pool *pool, unsigned n, uint32_t max, struct lt_err *err)
{
	*pool = (struct chunk_pool){ .n = n };
	pthread_mutex_init(&pool->lock, NULL);
	pool->chunks = calloc(n, sizeof(*pool->chunks));
	pool->free = calloc(n, sizeof(*pool->free));
	int r = pool->chunks && pool->free ? 0 : lt_fail_mem(err);
	for (; r == 0 && pool->made < n; pool->made++) {
		r = chunk_init(&pool->chunks[pool->made], max, err);
		pool->free[pool->n_free++] = &pool->chunks[pool->made];
	}
	if (r < 0)
		chunk_pool_done(pool);
	return r;
}

void chunk_pool_done(struct chunk_pool *pool)
{
	if (!pool->n)
		return;
	for (unsigned i = 0; i < pool->made; i++)
		chunk_done(&pool->chunks[i]);
	free(pool->chunks);
	free(pool->free);
	pthread_mutex_destroy(&pool->lock);
	*pool = (struct chunk_pool){ 0 };
}

struct chunk *chunk_pool_take(struct chunk_pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	struct chunk *chunk = pool->free[--pool->n_free];
	pthread_mutex_unlock(&pool->lock);
	return chunk;
}

void chunk_pool_give(struct chunk_pool *pool, struct chunk *chunk)
{
	pthread_mutex_lock(&pool->lock);
	pool->free[pool->n_free++] = chunk;
	pthread_mutex_unlock(&pool->lock);
}
