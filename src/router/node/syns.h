/* SPDX-License-Identifier: MIT */
/* SYNs from outside that no mapping lets in: nothing is said for some seconds, in case the host
 * inside is about to send its own; then the sender is told (RFC 5382 REQ-4). */
#ifndef ROUTER_NODE_SYNS_H
#define ROUTER_NODE_SYNS_H

#include <stdint.h>

#include "router/node/packet.h"

struct chunk;
struct router;

enum {
	SYNS_MAX = 256,   /* that are remembered; about others nothing is ever said */
	SYNS_BYTES = 576, /* of each */
};

struct syn {
	struct packet p;
	int64_t until_ns;
	uint8_t bytes[SYNS_BYTES];
};

struct syns {
	struct syn *ring; /* SYNS_MAX, made when first needed */
	uint32_t first, n;
};

void syns_done(struct syns *syns);

/* Remembers a SYN that was dropped. */
void syns_add(struct router *r, const struct packet *p);

/* Tells the senders of those whose time is over, unless their connection has come about. */
void syns_tell(struct router *r, struct chunk *chunk);

#endif
