/* SPDX-License-Identifier: MIT */
/* Fragments through the NAT: only the first one has ports, so what became of it is remembered for
 * the others, and those that come before it wait (RFC 4787 REQ-14). Nothing is reassembled. */
#ifndef ROUTER_NODE_FRAG_H
#define ROUTER_NODE_FRAG_H

#include "base/err.h"
#include "router/node/chunk.h"
#include "router/node/counters.h"
#include "router/node/packet.h"
#include "router/node/table.h"

struct frag_line {
	uint32_t oldest, newest; /* numbers of sets; TABLE_NONE: there is none */
};

struct frags {
	struct slab sets; /* of fragments of one packet */
	struct index index;
	/* Those whose first one has not come, and the others; each by age. When there are too many,
	 * the first keep their places, as fragments wait in them, and of the others the oldest is
	 * forgotten. */
	struct frag_line waiting_sets, known_sets;
	uint32_t waiting; /* fragments */
	uint32_t max;     /* of them, and of sets of either kind */
	int64_t timeout_ns;
};

int frags_init(struct frags *frags, uint32_t max, int64_t timeout_ns, struct lt_err *err);
void frags_done(struct frags *frags);

/* A fragment that is not the first: 0: it was given what the first one got. PACKET_HELD: a copy of
 * it waits for the first one. Else why it is dropped. */
uint8_t frag_later(struct frags *frags, struct packet *p, int64_t now);

/* The first fragment of a packet, translated or dropped. Those that waited get the same, and leave
 * after it. One that comes again keeps the identification that it had. */
void frag_first(struct frags *frags, struct chunk *chunk, struct packet *p, int64_t now,
	struct counters *counters);

/* Drops what has waited too long by now. */
void frags_expire(struct frags *frags, int64_t now, struct counters *counters);

#endif
