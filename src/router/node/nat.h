/* SPDX-License-Identifier: MIT */
/* Network address and port translation (RFC 4787, 5382, 5508, 7857; RFC 6888 for the log). A
 * mapping joins an inside endpoint to an external one, whoever the other side is; in symmetric
 * mode there are no mappings, and each flow has an external endpoint of its own.
 * **Threads:** one, the flow stage's. */
#ifndef ROUTER_NODE_NAT_H
#define ROUTER_NODE_NAT_H

#include "router/conf/conf.h"
#include "router/node/addrs.h"
#include "router/node/flow.h"
#include "router/node/natlog.h"
#include "router/node/ports.h"

struct nat_mapping {
	uint32_t inside;
	uint16_t inside_port; /* or ICMP identifier */
	uint16_t port;
	uint8_t proto;
	uint8_t is_static; /* a port forward: always there */
	uint16_t external; /* number of the external address */
	uint32_t host;     /* TABLE_NONE: hosts are not looked at */
	uint32_t first;    /* side of its first flow */
	uint32_t flows;    /* that use it */
	uint32_t holders;  /* of these, those that keep it */
	uint32_t spare;
};

_Static_assert(sizeof(struct nat_mapping) == 32, "two mappings to a cache line");

enum {
	NAT_FULL = 256,
};

struct nat {
	const struct conf_nat *conf;
	struct flows *flows;
	const struct addrs *external;
	uint32_t addr[ADDRS_MAX]; /* the same by number, first those of the pool */
	unsigned n_addrs, n_pool;
	struct ports *ports; /* of each */
	struct slab mappings;
	struct index by_inside;
	/* inside hosts, if they are limited or get blocks of ports */
	bool hosts_matter;
	struct slab hosts;
	struct index by_host;
	/* whom an inside endpoint has sent to, if that decides who may answer */
	struct slab permits;
	struct index by_permit;
	struct natlog *log; /* NULL: none */
	uint64_t random;
	int64_t now;
	/* destinations for which flows found no port, in symmetric mode, until one of theirs ends;
	 * by a hash, so that they may push each other out */
	struct nat_full {
		uint32_t dst;
		uint16_t dport;
		uint8_t proto; /* 0: none is here */
		bool low;      /* none below 1024 either */
	} full[NAT_FULL];
};

/* `external` is filled with the NAT's addresses, and borrowed. */
int nat_init(struct nat *nat, const struct conf_nat *conf, struct flows *flows, struct natlog *log,
	struct addrs *external, struct lt_err *err);
void nat_done(struct nat *nat);

static inline struct nat_mapping *nat_mapping_at(const struct nat *nat, uint32_t number)
{
	return slab_at(&nat->mappings, number);
}

/* The mapping that a packet to an external address belongs to; TABLE_NONE. */
uint32_t nat_find_external(const struct nat *nat, const struct packet *p);

/* Makes the flow of a packet that has none: out of an inside host, or in to the mapping `to`, or
 * both (hairpinning). On success *ret_side is its side 0. */
enum drop nat_begin(struct nat *nat, const struct packet *p, uint32_t to, uint32_t *ret_side);

/* To be called for the first packet that a mapping's host sends in a flow that it has not begun. */
void nat_hold(struct nat *nat, uint32_t side);

/* Whether a side's packets may come in to whom they are for: of one that is FLOW_SHUT, whether they
 * may by now. */
bool nat_lets_in(struct nat *nat, uint32_t side);

#endif
