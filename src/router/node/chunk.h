/* SPDX-License-Identifier: MIT */
/* Some packets of the sequence that go through the stages together, and what the router adds to
 * them on the way. How many are together changes nothing about what becomes of them. */
#ifndef ROUTER_NODE_CHUNK_H
#define ROUTER_NODE_CHUNK_H

#include "base/arena.h"
#include "router/io/reader.h"
#include "router/node/packet.h"

/* A packet that leaves right after another one: an ICMP error about it, or a fragment that waited
 * for it. */
struct chunk_extra {
	uint32_t after; /* index of the other */
	struct packet p;
};

struct chunk {
	struct io_chunk io;
	struct io_packet *frames;
	struct packet *packets;
	uint32_t n, max;
	uint32_t at; /* the packet that the flow stage is at */
	struct chunk_extra *extra;
	uint32_t n_extra, cap_extra;
	struct lt_arena bytes; /* of packets that were rewritten or made here */
};

int chunk_init(struct chunk *chunk, uint32_t max, struct lt_err *err);
void chunk_done(struct chunk *chunk);

/* Forgets what was added, before the chunk is filled anew. */
void chunk_reset(struct chunk *chunk);

/* Memory for the IP packet that a packet becomes, behind a copy of its link header; NULL when there
 * is none. */
uint8_t *chunk_room(struct chunk *chunk, const struct packet *p, uint32_t len);

/* The same with the IP packet copied, too. */
uint8_t *chunk_copy(struct chunk *chunk, const struct packet *p);

/* A packet that leaves after the one the flow stage is at. False when there is no memory. */
bool chunk_add(struct chunk *chunk, const struct packet *p);

#endif
