/* SPDX-License-Identifier: MIT */
/* The state machine of RFC 8289, one packet at a time. There, one call takes packets until one may
 * pass; here each is asked about on its own, so that the caller decides what dropping means. */
#include "router/node/sched_codel.h"

/* The square root of n, rounded down. */
static uint64_t root_of(uint64_t n)
{
	uint64_t root = 0;
	for (uint64_t bit = 1ull << 31; bit; bit >>= 1)
		if ((root | bit) * (root | bit) <= n)
			root |= bit;
	return root;
}

/* When the next packet is due: an interval later, divided by the root of how many were hit. */
static int64_t due(const struct sched_codel *c, int64_t from)
{
	uint64_t root = root_of((uint64_t)c->count << 32); /* 16 bits behind the point */
	return from + (int64_t)(((uint64_t)c->interval_ns << 16) / root);
}

/* Whether packets have waited too long for an interval. */
static bool is_long(struct sched_codel *c, int64_t now, int64_t wait_ns, uint64_t backlog)
{
	if (wait_ns < c->target_ns || backlog <= c->mtu) {
		c->above_ns = 0;
		return false;
	}
	if (c->above_ns)
		return now >= c->above_ns;
	c->above_ns = now + c->interval_ns;
	return false;
}

bool sched_codel_hits(struct sched_codel *c, int64_t now, int64_t wait_ns, uint64_t backlog)
{
	bool too_long = is_long(c, now, wait_ns, backlog);
	if (!too_long) {
		c->dropping = c->late = false;
		return false;
	}
	if (!c->dropping) {
		/* If it was dropping a short while ago, it goes on about as fast as it had to then.
		 */
		uint32_t before = c->count - c->last;
		bool recent = now - c->next_ns < 16 * c->interval_ns;
		c->count = before > 1 && recent ? before : 1;
		c->last = c->count;
		c->dropping = true;
		c->next_ns = due(c, now);
		return true;
	}
	if (c->late)
		c->next_ns = due(c, c->next_ns);
	c->late = false;
	if (now < c->next_ns)
		return false;
	c->count += c->count < UINT32_MAX;
	c->late = true;
	return true;
}

void sched_codel_marked(struct sched_codel *c)
{
	if (c->late)
		c->next_ns = due(c, c->next_ns);
	c->late = false;
}
