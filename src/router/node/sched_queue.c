/* SPDX-License-Identifier: MIT */
/* A ring that doubles until it holds its limit. */
#include "router/node/sched_queue.h"

#include <stdlib.h>
#include <string.h>

void sched_queue_done(struct sched_queue *q)
{
	free(q->ring);
	*q = (struct sched_queue){ 0 };
}

static bool grow(struct sched_queue *q)
{
	uint32_t cap = q->cap ? 2 * q->cap : 16;
	struct sched_item *ring = malloc(cap * sizeof(*ring));
	if (!ring)
		return false;
	for (uint32_t i = 0; i < q->n; i++)
		ring[i] = q->ring[(q->head + i) & (q->cap - 1)];
	free(q->ring);
	q->ring = ring;
	q->cap = cap;
	q->head = 0;
	return true;
}

bool sched_queue_put(struct sched_queue *q, const struct sched_item *item)
{
	if (q->n == q->limit || (q->n == q->cap && !grow(q)))
		return false;
	q->ring[(q->head + q->n) & (q->cap - 1)] = *item;
	q->n++;
	q->bytes += item->len;
	return true;
}
