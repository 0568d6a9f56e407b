/* SPDX-License-Identifier: MIT */
/* The chunks of a run. What was given back last is taken first: it is in the cache still, and of
 * many that may be under way only those are ever touched that are. */
#ifndef ROUTER_NODE_CHUNK_POOL_H
#define ROUTER_NODE_CHUNK_POOL_H

#include <pthread.h>

#include "router/node/chunk.h"

struct chunk_pool {
	pthread_mutex_t lock;
	struct chunk *chunks;
	unsigned n, made;
	struct chunk **free; /* the last one is next */
	unsigned n_free;
};

/* n chunks for up to max packets each. On failure nothing is to be ended. Errors: -ENOMEM. */
int chunk_pool_init(struct chunk_pool *pool, unsigned n, uint32_t max, struct lt_err *err);
void chunk_pool_done(struct chunk_pool *pool); /* of a zeroed one: nothing */

/* Any thread, each at any time. Take: there must be one, i.e. fewer than n are out. */
struct chunk *chunk_pool_take(struct chunk_pool *pool);
void chunk_pool_give(struct chunk_pool *pool, struct chunk *chunk);

#endif
