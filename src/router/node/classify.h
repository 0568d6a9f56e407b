/* SPDX-License-Identifier: MIT */
/* Classes on the packet path: what flows remember of them. Without an interface that has a rate no
 * packet ever waits, and nothing of this is done. */
#ifndef ROUTER_NODE_CLASSIFY_H
#define ROUTER_NODE_CLASSIFY_H

#include "router/node/router.h"

/* A flow began: what was announced of its ends, and its class. */
void classify_begin(struct router *r, uint32_t side);

/* Looks into a packet as it came in, if its flow still wants that. */
void classify_look(struct router *r, const struct packet *p, uint32_t side);

/* The class of a packet, from what its flow knows; p->cls is the flow's. */
static inline void classify_known(const struct router *r, struct packet *p)
{
	p->cls = (uint8_t)class_of(&r->map, p->dscp, p->cls);
}

/* The class of a packet that has no flow. */
static inline void classify_alone(const struct router *r, struct packet *p)
{
	p->cls = (uint8_t)class_of(&r->map, p->dscp,
		class_of_flow(&r->map, APP_UNKNOWN, p->proto, p->sport, p->dport));
}

#endif
