/* SPDX-License-Identifier: MIT */
/* The flow table: one 64-byte entry for each direction of a flow, with everything that a packet
 * of it needs, found by a packet's own addresses, ports and protocol. */
#ifndef ROUTER_NODE_FLOW_H
#define ROUTER_NODE_FLOW_H

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "router/node/packet.h"

/* One direction. Side 0 is that of the packet that made the flow, side 1 the answers'. */
struct flow_side {
	/* what its packets look like when they come in */
	alignas(64) uint32_t src;
	uint32_t dst;
	uint16_t sport, dport;
	uint8_t proto;
	uint8_t tcp;   /* what was seen of TCP, see tcp.h */
	uint8_t timer; /* enum flow_timer; the same in both sides */
	uint8_t app;   /* enum app; the same in both sides */
	/* and when they leave */
	uint32_t new_src, new_dst;
	uint16_t new_sport, new_dport;
	uint16_t ip_delta, l4_delta; /* for their checksums */
	int64_t last_ns;             /* when the last one came */
	uint32_t generation;         /* of the route table that said hop */
	uint16_t hop;
	uint8_t looks;    /* packets that were looked into to tell the application */
	uint8_t cls;      /* class of the scheduler */
	uint32_t mapping; /* that this flow keeps alive: side 0 the source's, side 1 the
			     destination's; FLOW_NONE: none */
	uint32_t link;    /* side 0: next in its slot of the timer wheel */
};

_Static_assert(sizeof(struct flow_side) == 64, "an entry is one cache line");

/* Times after which an idle flow ends. */
enum flow_timer {
	FLOW_UDP,
	FLOW_TCP_SYN,
	FLOW_TCP_OPEN,
	FLOW_TCP_TRANSITORY,
	FLOW_ICMP,
	FLOW_OTHER,
	FLOW_TIMERS,
};

#define FLOW_NONE UINT32_MAX

#endif
