/* SPDX-License-Identifier: MIT */
/* A packet on its way through the router: one cache line that says where its bytes lie, what its
 * headers hold, and what will become of it. The bytes themselves are never changed: what is
 * rewritten is written when the packet leaves. */
#ifndef ROUTER_NODE_PACKET_H
#define ROUTER_NODE_PACKET_H

#include <stdalign.h>
#include <stdint.h>

#include "router/node/drop.h"
#include "router/node/table.h"

/* What to do with a packet beside sending it on. */
enum {
	PACKET_V6 = 1 << 0,
	PACKET_DF = 1 << 1,      /* don't fragment */
	PACKET_MORE = 1 << 2,    /* more fragments follow */
	PACKET_LATER = 1 << 3,   /* a fragment, not the first: no ports */
	PACKET_INSIDE = 1 << 4,  /* came in by an inside interface */
	PACKET_OPTIONS = 1 << 5, /* IPv4 options or IPv6 extension headers */
	PACKET_CUT = 1 << 6,     /* the capture holds less than the packet had */
	PACKET_ICMP_ERROR = 1 << 7,
	PACKET_ICMP_QUERY = 1 << 8, /* or its answer */
	PACKET_ADDRESSED = 1 << 9,  /* destination is an external address of the NAT */
	PACKET_NEW_ID = 1 << 10,    /* write `id` */
	PACKET_NEW = 1 << 11,       /* addresses or ports were changed: write them */
	PACKET_READY = 1 << 12,     /* the bytes at `ip` are to be sent as they are */
	PACKET_SPLIT = 1 << 13,     /* larger than the MTU of its output, may be fragmented */
	PACKET_LAST_HOP = 1 << 14,  /* its time to live ends here */
	PACKET_OPTION = 1 << 15,    /* an unknown IPv6 option, at `id`, is to be told */
};

/* In packet.drop: the router keeps it, and will send or drop it later. */
#define PACKET_HELD 0xff

/* Addresses, ports and lengths are in the host's byte order, checksum deltas as on the wire. */
struct packet {
	alignas(64) const uint8_t *ip; /* the IP header */
	int64_t time_ns;               /* of its capture */
	uint32_t len;                  /* of the IP packet, padding left out */
	uint32_t cap;                  /* bytes of it that are there; len unless PACKET_CUT */
	uint32_t src, dst;             /* IPv4 */
	uint16_t sport, dport;         /* of an ICMP query: see parse.h */
	uint16_t in;                   /* interface */
	uint16_t hop;                  /* of the route table; 0: not known yet */
	uint32_t hash;                 /* of the flow */
	uint16_t flags;                /* PACKET_* */
	uint8_t l2;                    /* bytes of the frame in front of ip */
	uint8_t link;                  /* enum io_link */
	uint8_t proto;                 /* of layer 4 */
	uint8_t l4;                    /* where it begins, from ip; 0: it is not all there */
	uint8_t tcp;                   /* TCP flags */
	uint8_t drop;                  /* enum drop; 0: it goes on */
	uint16_t ip_delta;             /* add to the IP header's checksum ... */
	uint16_t l4_delta;             /* ... and to that of layer 4 */
	uint16_t id;                   /* IPv4 identification to write; see PACKET_OPTION */
	uint8_t cls;                   /* class of its output's scheduler */
	uint8_t dscp;
};

/* The key of a flow into 32 bits. */
static inline uint32_t packet_hash(
	uint32_t src, uint32_t dst, uint16_t sport, uint16_t dport, uint8_t proto)
{
	return table_hash(
		(uint64_t)src << 32 | dst, (uint64_t)sport << 32 | (uint64_t)dport << 16 | proto);
}

_Static_assert(sizeof(struct packet) == 64, "a packet is one cache line");

#endif
