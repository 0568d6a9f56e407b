/* SPDX-License-Identifier: MIT */
/* The flow table: one 64-byte entry for each direction of a flow, with everything that a packet
 * of it needs, found by a packet's own addresses, ports and protocol. Flows end some time after
 * their last packet: a packet only notes its time, and a wheel of timers on the virtual clock
 * looks at each flow when it could have ended.
 * **Threads:** one, the flow stage's. */
#ifndef ROUTER_NODE_FLOW_H
#define ROUTER_NODE_FLOW_H

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "router/node/class.h"
#include "router/node/packet.h"
#include "router/node/table.h"

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

/* One direction. Side 0 is that of the packet that made the flow, side 1 the answers'. */
struct flow_side {
	/* what its packets look like when they come in */
	alignas(64) uint32_t src;
	uint32_t dst;
	uint16_t sport, dport;
	uint8_t proto;              /* 0: no flow lives here */
	uint8_t tcp;                /* what was seen of TCP, see tcp.h */
	uint8_t timer : 4, cls : 4; /* enum flow_timer, class of the scheduler: the same in both */
	uint8_t role;               /* FLOW_* */
	/* and when they leave */
	uint32_t new_src, new_dst;
	uint16_t new_sport, new_dport;
	uint16_t ip_delta, l4_delta; /* for their checksums */
	int64_t last_ns;             /* when the last one came that kept the flow alive; 0: none */
	uint16_t generation;         /* of the route table that said hop */
	uint16_t hop;
	struct class_flow talk; /* what it talks, as far as this side tells */
	uint32_t mapping;    /* of the NAT, if its packets come from that mapping's host; or NONE */
	uint32_t next, back; /* among the flows of that mapping: numbers of sides */
	uint32_t link; /* in its slot of the timer wheel: side 0 the next, side 1 the one before */
};

_Static_assert(sizeof(struct flow_side) == 64, "an entry is one cache line");

#define FLOW_NONE TABLE_NONE

enum {                  /* flow_side.role */
	FLOW_V6 = 1,    /* part of the key: addresses are hashes of IPv6 ones */
	FLOW_KEEPS = 2, /* its packets keep the flow alive */
	FLOW_HOST = 4,  /* they come from a host that the NAT hides */
	FLOW_PLAIN = 8, /* not translated: here for its class only */
	/* of the NAT, for sides with a mapping */
	FLOW_HOLDS = 16,   /* one of those that keep the mapping */
	FLOW_SHUT = 32,    /* whom its packets are for does not let them in so far */
	FLOW_PERMITS = 64, /* whom its packets go to may send to the mapping */
};

enum {
	FLOW_SLOTS = 4096,    /* of the wheel */
	FLOW_SLOT_SHIFT = 29, /* half a second each */
};

struct flows {
	struct slab pairs;  /* of sides: number 2 n is side 0 of pair n, 2 n + 1 side 1 */
	struct index index; /* of sides */
	int64_t timeout_ns[FLOW_TIMERS];
	uint32_t *wheel;                         /* FLOW_SLOTS chains of pairs */
	int64_t turn;                            /* the first slot that is still to come */
	void (*ended)(void *ctx, uint32_t side); /* before the flow of side 0 is freed */
	void *ctx;
};

int flows_init(struct flows *flows, uint32_t max, struct lt_err *err);
void flows_done(struct flows *flows);

static inline struct flow_side *flow_at(const struct flows *flows, uint32_t side)
{
	return (struct flow_side *)(void *)flows->pairs.base + side;
}

static inline struct flow_side *flow_peer(const struct flows *flows, uint32_t side)
{
	return flow_at(flows, side ^ 1);
}

static inline bool flow_fits(const struct flow_side *s, const struct packet *p)
{
	return s->src == p->src && s->dst == p->dst && s->sport == p->sport &&
		s->dport == p->dport && s->proto == p->proto &&
		(s->role & FLOW_V6) == (p->flags & PACKET_V6);
}

/* Whether it has ended by now; its place may not have been freed yet. */
static inline bool flow_is_over(const struct flows *flows, uint32_t side, int64_t now)
{
	const struct flow_side *s = flow_at(flows, side);
	int64_t timeout = flows->timeout_ns[s->timer];
	/* the other side is another cache line: looked at only if this one has been silent */
	return now - s->last_ns > timeout && now - flow_peer(flows, side)->last_ns > timeout;
}

/* The side that packets like this one belong to, of a flow that lives; or FLOW_NONE. An ended flow
 * that is in the way is freed. */
uint32_t flow_find(struct flows *flows, const struct packet *p, int64_t now);

/* Makes a flow from two sides, of which keys and translations are set. Nothing that lives has
 * either key. Returns the number of side 0; FLOW_NONE when the table is full. */
uint32_t flow_add(struct flows *flows, const struct flow_side side[2]);

/* Ends a flow now. */
void flow_end(struct flows *flows, uint32_t side);

/* To be called when a flow got a timer that ends sooner than it had. */
void flow_sooner(struct flows *flows, uint32_t side);

/* Frees what has ended by now. Called with every packet's time, does something twice a second. */
void flows_turn(struct flows *flows, int64_t now);

static inline void flows_tick(struct flows *flows, int64_t now)
{
	if (__builtin_expect(now >> FLOW_SLOT_SHIFT >= flows->turn, 0))
		flows_turn(flows, now);
}

#endif
