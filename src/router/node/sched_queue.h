/* SPDX-License-Identifier: MIT */
/* A bounded first-in first-out queue of packets that knows how many bytes wait in it. */
#ifndef ROUTER_NODE_SCHED_QUEUE_H
#define ROUTER_NODE_SCHED_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "router/node/sched.h"

struct sched_queue {
	struct sched_item *ring; /* cap elements, a power of two; grows up to the limit */
	uint32_t head, n, cap, limit;
	uint64_t bytes;
};

void sched_queue_done(struct sched_queue *q);

/* False when the queue is full, or there is no memory for more: then it is as full as can be. */
bool sched_queue_put(struct sched_queue *q, const struct sched_item *item);

/* Only where n is not 0. */
static inline const struct sched_item *sched_queue_first(const struct sched_queue *q)
{
	return &q->ring[q->head];
}

static inline struct sched_item sched_queue_take(struct sched_queue *q)
{
	struct sched_item item = q->ring[q->head];
	q->head = (q->head + 1) & (q->cap - 1);
	q->n--;
	q->bytes -= item.len;
	return item;
}

#endif
