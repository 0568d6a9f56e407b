/* SPDX-License-Identifier: MIT */
/* Inside of the NAT: mappings and their external ports, the hosts that have them, and whom they
 * let in; external endpoints of symmetric flows. */
#ifndef ROUTER_NODE_MAPPING_H
#define ROUTER_NODE_MAPPING_H

#include "router/node/nat.h"

int mappings_init(struct nat *nat, struct addrs *external, struct lt_err *err);
void mappings_done(struct nat *nat);

/* Index of the space of ports that a protocol has; -1: it has none. */
int mapping_space(uint8_t proto);

/* The mapping of an inside packet's source, made if there is none. */
enum drop mapping_get(struct nat *nat, const struct packet *p, uint32_t *ret_mapping);

/* The mapping behind the external destination of a packet; TABLE_NONE. */
uint32_t mapping_at_port(const struct nat *nat, const struct packet *p);

/* A side of a flow, of which `mapping` is set, uses it from now on; as a holder it keeps it. */
void mapping_use(struct nat *nat, uint32_t side);
void mapping_hold(struct nat *nat, uint32_t side);

/* The side leaves it. True: it was the last holder, and now the mapping is to end. */
bool mapping_leave(struct nat *nat, uint32_t side);

/* Ends a mapping without holders, and the other flows of it. */
void mapping_end(struct nat *nat, uint32_t mapping);

/* Frees a mapping that no flow came to use. TABLE_NONE is allowed. */
void mapping_unused(struct nat *nat, uint32_t mapping);

/* ---- hosts.c ---- */

struct nat_host {
	uint32_t addr;
	uint32_t mappings;
	uint32_t blocks; /* the first: number of the address * PORTS_BLOCKS + block; TABLE_NONE */
};

int hosts_init(struct nat *nat);
void hosts_done(struct nat *nat);

/* One mapping more, or DROP_host_limit. *ret_host is TABLE_NONE when hosts do not matter. */
enum drop host_enter(struct nat *nat, uint32_t inside, uint32_t *ret_host);
void host_leave(struct nat *nat, uint32_t host);
uint32_t host_find(const struct nat *nat, uint32_t inside); /* TABLE_NONE: not known */

/* A port out of the host's blocks on one external address, of which it may get a new one;
 * PORTS_NONE. */
int host_find_port(struct nat *nat, uint32_t host, unsigned external, enum ports_proto proto,
	const struct ports_wish *wish);

/* After a port was given back: its block, too, if that was its last one. */
void host_port_given(struct nat *nat, unsigned external, uint16_t port);

/* Whether a port lies in a block of the host, and so needs no line of its own in the log. */
bool host_has_block(const struct nat *nat, uint32_t host, unsigned external, uint16_t port);

/* ---- permits.c ---- */

int permits_init(struct nat *nat);
void permits_done(struct nat *nat);
bool permit_add(struct nat *nat, uint32_t mapping, uint32_t remote); /* false: no room */
void permit_remove(struct nat *nat, uint32_t mapping, uint32_t remote);
bool permit_find(const struct nat *nat, uint32_t mapping, uint32_t remote);

/* ---- symmetric.c ---- */

/* An external endpoint from which nothing is sent to this destination yet. */
enum drop symmetric_find(struct nat *nat, const struct packet *p, uint32_t dst, uint16_t dport,
	uint32_t *ret_addr, uint16_t *ret_port);

/* A flow with such an endpoint began, or ends. */
void symmetric_began(struct nat *nat, const struct flow_side *s);
void symmetric_ended(struct nat *nat, const struct flow_side *s);

static inline uint32_t nat_random(struct nat *nat)
{
	uint64_t x = nat->random += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)(x >> 32);
}

/* Which address of the pool a host is given first, so that all its mappings have the same
 * (RFC 4787 REQ-2). */
static inline unsigned nat_paired(const struct nat *nat, uint32_t inside)
{
	return nat->n_pool > 1 ? table_hash(inside, 0) % nat->n_pool : 0;
}

#endif
