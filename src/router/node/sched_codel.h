/* SPDX-License-Identifier: MIT */
/* CoDel (RFC 8289): a queue that packets have waited in for longer than `target`, for all of an
 * `interval`, loses or marks packets, one after another ever faster, until the wait is short. */
#ifndef ROUTER_NODE_SCHED_CODEL_H
#define ROUTER_NODE_SCHED_CODEL_H

#include <stdbool.h>
#include <stdint.h>

struct sched_codel {
	int64_t target_ns, interval_ns;
	uint32_t mtu;     /* bytes: what must stay in the queue for it to be called long */
	int64_t above_ns; /* when the wait will have been too long for an interval; 0: it is not */
	int64_t next_ns;  /* when the next packet is due, while dropping */
	uint32_t count;   /* packets hit since dropping began */
	uint32_t last;    /* count when it began, the time before */
	bool dropping;
	bool late; /* a packet was dropped; when the next is due is not yet decided */
};

/* Whether the packet that leaves now, having waited `wait_ns` and leaving `backlog` bytes behind,
 * is hit: then the caller drops it, or sends it with a mark and says so. */
bool sched_codel_hits(struct sched_codel *c, int64_t now, int64_t wait_ns, uint64_t backlog);
void sched_codel_marked(struct sched_codel *c);

#endif
