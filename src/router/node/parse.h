/* SPDX-License-Identifier: MIT */
/* Reading a frame: link layer, tags, IP header with its checks, ports. Needs nothing but the
 * frame and constants, so any thread may do it. */
#ifndef ROUTER_NODE_PARSE_H
#define ROUTER_NODE_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "router/io/packet.h"
#include "router/node/addrs.h"
#include "router/node/packet.h"

enum {
	PARSE_TAGS_MAX = 4,
	PARSE_EXTENSIONS_MAX = 8,
};

struct parser {
	bool zero_length_is_frame; /* IP total length 0: as long as the frame */
	bool source_route;         /* let pass what asks for a route of its own */
	bool flows;                /* hashes are wanted */
	bool inside[256];          /* by interface */
	struct addrs external;     /* of the NAT */
};

/* ICMP queries have no ports. What stands for them: the identifier is the port of who asks, and
 * the type of the question the port of who answers. */
static inline bool parse_is_question(uint8_t icmp_type)
{
	return icmp_type == 8 || icmp_type == 13 || icmp_type == 15 || icmp_type == 17;
}

static inline bool parse_is_answer(uint8_t icmp_type)
{
	return icmp_type == 0 || icmp_type == 14 || icmp_type == 16 || icmp_type == 18;
}

static inline bool parse_is_icmp_error(uint8_t icmp_type)
{
	return icmp_type == 3 || icmp_type == 4 || icmp_type == 5 || icmp_type == 11 ||
		icmp_type == 12;
}

/* The type of the question that an answer answers; a question's own. */
static inline uint8_t parse_question(uint8_t icmp_type)
{
	return icmp_type == 0 ? 8 : (uint8_t)(icmp_type - !(icmp_type & 1) * (icmp_type > 8));
}

/* What stands for an IPv6 address in the key of a flow. */
static inline uint32_t parse_v6_hash(const uint8_t addr[16])
{
	uint64_t a[2];
	memcpy(a, addr, sizeof(a));
	return table_hash(a[0], a[1]);
}

/* Turns n frames into packets, each with a drop reason or with everything that was read. */
void parse_packets(const struct parser *parser, const struct io_packet *frames,
	struct packet *packets, size_t n);

/* What of layer 4 matters, of an IPv4 packet whose other fields are set: ports, TCP flags, kind of
 * ICMP, and l4 itself if the header is all there. For packets quoted by ICMP errors, too, of which
 * no more than 8 bytes need be there. */
void parse_l4(struct packet *p, uint32_t needed_of_tcp);

#endif
