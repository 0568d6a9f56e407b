/* SPDX-License-Identifier: MIT */
/* ICMP errors: those that the router sends, and those that it translates. */
#ifndef ROUTER_NODE_ICMP_H
#define ROUTER_NODE_ICMP_H

#include "router/node/router.h"

enum icmp_why {
	ICMP_NO_ROUTE,
	ICMP_UNREACHABLE,
	ICMP_PORT,
	ICMP_PROHIBITED,
	ICMP_TTL,
	ICMP_TOO_BIG, /* number: the MTU */
	ICMP_OPTION,  /* IPv6 only; number: where the unknown option is */
};

/* Tells the sender of a packet that it was dropped, if that may be told and the rate allows it.
 * What is quoted is the packet as it came. */
void icmp_error(struct router *r, struct chunk *chunk, const struct packet *p, enum icmp_why why,
	uint32_t number);

/* Translates an ICMP error about a flow through the NAT: the packet it quotes becomes what its
 * sender sent (RFC 5508 REQ-3 to REQ-5, REQ-7). On success the packet is ready but for its hop, and
 * p->dst is where it goes. */
enum drop icmp_translate(struct router *r, struct chunk *chunk, struct packet *p);

#endif
