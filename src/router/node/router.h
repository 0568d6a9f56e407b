/* SPDX-License-Identifier: MIT */
/* The router between reading and writing: its configuration made ready for the packet path, and
 * all that it remembers from packet to packet. */
#ifndef ROUTER_NODE_ROUTER_H
#define ROUTER_NODE_ROUTER_H

#include "router/conf/conf.h"
#include "router/fib/fib.h"
#include "router/node/chunk.h"
#include "router/node/class.h"
#include "router/node/counters.h"
#include "router/node/flow.h"
#include "router/node/frag.h"
#include "router/node/nat.h"
#include "router/node/parse.h"
#include "router/node/syns.h"

/* A next hop as the packet path wants it, by the number that the route table gave it. */
struct router_hop {
	uint8_t kind; /* enum fib_kind */
	bool inside;  /* its interface is */
	bool direct;  /* the destination itself is the neighbour */
	bool tags;    /* VLAN tags are kept */
	uint16_t nic;
	uint32_t mtu;
	uint8_t ethernet[14]; /* but for the type, and the neighbour if direct */
};

struct router_nic {
	uint32_t v4;    /* its own address, the source of ICMP errors; 0: none */
	uint8_t v6[16]; /* all 0: none */
};

enum {
	ROUTER_IDS = 1 << 14,
	ROUTER_BURST = 64,
	ROUTER_BURST_MAX = 1024,
};

struct router {
	const struct conf *conf;
	const struct fib *fib;
	struct parser parser;
	struct router_hop *hops;
	struct router_nic *nics;
	unsigned burst; /* packets whose table lines are asked for together */
	/* a bit for each of the router's own IPv4 addresses, by router_own_bit(): of most packets
	 * it says that they are from none of them */
	uint64_t own;
	bool flows_on; /* there is a flow table: for the NAT, or for classes by content */
	/* classes of packets, if some interface has a rate */
	bool classes_on;
	struct class_map map;
	struct class_learnt *learnt; /* NULL: what flows talk does not matter */
	struct flows flows;
	struct nat nat;
	struct natlog log;
	struct frags frags;
	struct syns syns;
	int64_t now; /* the virtual clock: the latest time of a packet so far */
	/* tokens for ICMP errors, in billionths, and when they were counted last */
	int64_t icmp_tokens, icmp_ns;
	uint16_t *ids;             /* IPv4 identifications, by source, destination and protocol */
	struct counters *counters; /* of the flow stage */
};

/* Owner: conf and fib are borrowed. `log_path` is where the NAT's log goes; NULL: nowhere. */
int router_new(const struct conf *conf, const struct fib *fib, const char *log_path,
	struct router **ret_router, struct lt_err *err);
void router_free(struct router *router);

/* Writes out what is left: now every packet has left or was dropped, and nothing waits. */
int router_finish(struct router *router, struct lt_err *err);

static inline uint64_t router_own_bit(uint32_t addr)
{
	return UINT64_C(1) << (addr * 0x9e3779b1u >> 26);
}

/* An IPv4 identification that was not used lately for these addresses and this protocol. */
static inline uint16_t router_new_id(struct router *r, uint32_t src, uint32_t dst, uint8_t proto)
{
	return ++r->ids[table_hash((uint64_t)src << 32 | dst, proto) % ROUTER_IDS];
}

/* The stages. Parsing is for any thread; the flow stage takes chunks one by one, in order. The
 * second form of parsing is for a chunk whose n frames are there already. */
void router_parse(const struct router *router, struct chunk *chunk);
void router_parse_frames(const struct router *router, struct chunk *chunk);
void router_flow(struct router *router, struct chunk *chunk);

/* Link addresses: those of the router's interfaces, and of neighbours, which no capture tells, by
 * their IP addresses. */
void router_mac_nic(uint8_t mac[6], uint16_t nic);
void router_mac_v4(uint8_t mac[6], uint32_t addr);
void router_mac_v6(uint8_t mac[6], const uint64_t addr[2]);

/* Bytes of the tables that grow with the number of flows. */
size_t router_flow_bytes(const struct router *router);

#endif
