/* SPDX-License-Identifier: MIT */
/* How far a TCP connection is, from the flags of its segments: enough to choose its timer
 * (RFC 5382 REQ-2, REQ-5; RFC 7857 section 2). */
#ifndef ROUTER_NODE_TCP_H
#define ROUTER_NODE_TCP_H

#include <stdbool.h>
#include <stdint.h>

#include "router/node/flow.h"

enum { /* flags as in the header */
	TCP_FIN = 1,
	TCP_SYN = 2,
	TCP_RST = 4,
	TCP_ACK = 16,
};

enum { /* flow_side.tcp: what this side has sent */
	TCP_SENT_SYN = 1,
	TCP_SENT_ACK = 2,
	TCP_SENT_BOTH = 3,
	TCP_SENT_FIN = 4,
	TCP_SENT_RST = 8,
};

/* Combinations of FIN, SYN, RST, ACK and URG that TCP sends; others are scans. */
static inline bool tcp_flags_are_sound(uint8_t flags)
{
	const uint64_t sound = UINT64_C(1) << 2 | UINT64_C(1) << (2 + 32) | /* SYN, URG */
		UINT64_C(1) << (2 + 16) | UINT64_C(1) << 4 |                /* SYN ACK; RST */
		UINT64_C(1) << (4 + 16) | UINT64_C(1) << (1 + 16) |         /* RST ACK; FIN ACK */
		UINT64_C(1) << (1 + 16 + 32) |                              /* FIN ACK URG */
		UINT64_C(1) << 16 | UINT64_C(1) << (16 + 32);               /* ACK, URG */
	return sound >> (flags & 0x37) & 1;
}

/* Whether a segment may begin a connection for the router: a SYN, or one in the middle of a
 * connection that is older than the capture. */
static inline bool tcp_may_begin(uint8_t flags)
{
	uint8_t f = flags & (TCP_FIN | TCP_SYN | TCP_RST | TCP_ACK);
	return f == TCP_SYN || f == TCP_ACK;
}

/* Whether tcp_track() has anything to do. */
static inline bool tcp_is_news(const struct flow_side *s, uint8_t flags)
{
	return (flags & (TCP_FIN | TCP_SYN | TCP_RST)) || (s->tcp & TCP_SENT_BOTH) != TCP_SENT_BOTH;
}

/* Notes a segment of this side. */
void tcp_track(struct flows *flows, uint32_t side, uint8_t flags);

/* The same for two sides that are not in the table yet. */
void tcp_note(struct flow_side *s, struct flow_side *peer, uint8_t flags);

#endif
