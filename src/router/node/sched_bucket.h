/* SPDX-License-Identifier: MIT */
/* A token bucket without rounding: tokens are bits times 10^9, and a nanosecond brings as many as
 * the rate is bits a second. */
#ifndef ROUTER_NODE_SCHED_BUCKET_H
#define ROUTER_NODE_SCHED_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

#define SCHED_TOKENS_A_BYTE (8 * 1000000000ll)

struct sched_bucket {
	int64_t rate; /* bits a second */
	int64_t full; /* tokens; bursts are at most 2^30 bytes */
	int64_t tokens;
	int64_t time_ns; /* when they were counted last */
};

static inline void sched_bucket_init(struct sched_bucket *b, uint64_t rate_bps, uint32_t burst)
{
	*b = (struct sched_bucket){ .rate = (int64_t)rate_bps,
		.full = burst * SCHED_TOKENS_A_BYTE,
		.tokens = burst * SCHED_TOKENS_A_BYTE,
		.time_ns = INT64_MIN };
}

/* Whether a packet may pass at this time. One larger than the bucket may when it is full, so that
 * it does not wait forever. */
static inline bool sched_bucket_allows(struct sched_bucket *b, int64_t now, uint32_t len)
{
	__int128 tokens = b->tokens + ((__int128)now - b->time_ns) * b->rate;
	b->tokens = tokens < b->full ? (int64_t)tokens : b->full;
	b->time_ns = now;
	return b->tokens >= len * SCHED_TOKENS_A_BYTE || b->tokens == b->full;
}

static inline void sched_bucket_take(struct sched_bucket *b, uint32_t len)
{
	b->tokens -= len * SCHED_TOKENS_A_BYTE;
}

#endif
