/* SPDX-License-Identifier: MIT */
/* Making flows: from a packet and where it goes to, both sides. */
#ifndef ROUTER_NODE_SIDES_H
#define ROUTER_NODE_SIDES_H

#include "router/node/flow.h"

struct endpoint {
	uint32_t addr;
	uint16_t port;
};

enum { /* whose packets come from hosts that the NAT hides */
	SIDES_NONE = 0,
	SIDES_FROM = 1, /* the first packet's */
	SIDES_TO = 2,   /* the answers' */
};

/* Both sides of a flow whose packets leave from `from` to `to`. */
void sides_make(
	struct flow_side side[2], const struct packet *p, struct endpoint from, struct endpoint to);

/* Puts them into the table. `hosts` is SIDES_*; with `refresh` packets from outside keep the flow
 * alive, too. FLOW_NONE when the table is full. */
uint32_t sides_add(struct flows *flows, struct flow_side side[2], const struct packet *p,
	unsigned hosts, bool refresh, int64_t now);

/* A flow that is not translated. */
uint32_t sides_plain(struct flows *flows, const struct packet *p, int64_t now);

#endif
