/* SPDX-License-Identifier: MIT */
/* The external ports of one NAT address: which are taken, by which mapping, and which blocks of 64
 * belong to which host. A free port is found wherever it is, or there is none. */
#ifndef ROUTER_NODE_PORTS_H
#define ROUTER_NODE_PORTS_H

#include <stdbool.h>
#include <stdint.h>

#include "router/node/table.h"

enum ports_proto {
	PORTS_TCP,
	PORTS_UDP,
	PORTS_ICMP, /* identifiers */
	PORTS_PROTOS,
};

enum {
	PORTS_BLOCK = 64,
	PORTS_BLOCKS = 1024,
	PORTS_NONE = -1,
};

/* Of one protocol. */
struct ports_space {
	uint64_t free[PORTS_BLOCKS]; /* bit P % 64 of word P / 64: port P is free */
	uint32_t mapping[65536];     /* TABLE_NONE where free */
	uint32_t left[2][2];         /* free ones from 1024 on or below, even or odd */
};

struct ports {
	struct ports_space *space[PORTS_PROTOS]; /* made when first needed */
	uint32_t other[256];                     /* mapping of a protocol without ports */
	/* blocks, if ports are given out by them */
	uint32_t owner[PORTS_BLOCKS]; /* host; TABLE_NONE: nobody's */
	uint16_t taken[PORTS_BLOCKS]; /* ports in use, over all protocols */
	uint32_t next[PORTS_BLOCKS];  /* of the same host's, see nat_host.blocks */
};

struct ports_wish {
	uint16_t port;    /* the inside one: taken if it can be */
	bool keep_range;  /* stay on its side of 1024 */
	bool keep_parity; /* even for even, odd for odd; given up before failing */
	uint32_t random;
};

void ports_init(struct ports *ports);
void ports_done(struct ports *ports);

/* The space of a protocol; NULL when there is no memory for it. */
struct ports_space *ports_space(struct ports *ports, enum ports_proto proto);

/* A free port, near to the wish; PORTS_NONE when all of its range are taken. Nothing changes. */
int ports_find(
	const struct ports_space *space, enum ports_proto proto, const struct ports_wish *wish);

/* The same within one block. */
int ports_find_in(const struct ports_space *space, unsigned block, const struct ports_wish *wish);

/* A block that nobody has, with the wished port in it if possible. */
int ports_find_block(
	const struct ports *ports, enum ports_proto proto, const struct ports_wish *wish);

static inline void ports_take(
	struct ports *ports, enum ports_proto proto, uint16_t port, uint32_t mapping)
{
	struct ports_space *s = ports->space[proto];
	s->free[port / 64] &= ~(UINT64_C(1) << port % 64);
	s->mapping[port] = mapping;
	s->left[port < 1024][port & 1]--;
	ports->taken[port / PORTS_BLOCK]++;
}

static inline void ports_give(struct ports *ports, enum ports_proto proto, uint16_t port)
{
	struct ports_space *s = ports->space[proto];
	s->free[port / 64] |= UINT64_C(1) << port % 64;
	s->mapping[port] = TABLE_NONE;
	s->left[port < 1024][port & 1]++;
	ports->taken[port / PORTS_BLOCK]--;
}

#endif
