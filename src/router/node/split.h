/* SPDX-License-Identifier: MIT */
/* IPv4 packets larger than the MTU, in fragments that are not (RFC 791, RFC 1812 5.2.6). */
#ifndef ROUTER_NODE_SPLIT_H
#define ROUTER_NODE_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "router/io/writer.h"

enum {
	SPLIT_LINK_MAX = 64,
	SPLIT_SCRATCH = 2 * SPLIT_LINK_MAX + 60 + (64 << 10),
};

struct split {
	unsigned n; /* fragments given so far */
	/* the rest is the splitter's own */
	uint8_t *frame; /* the whole packet: link header, IP header, payload */
	uint8_t *later; /* link and IP header of all fragments but the first */
	uint32_t link, header, later_header, cap, len, at, mtu;
	uint16_t field; /* the packet's own flags and offset */
	int64_t time_ns;
};

/* Where in SPLIT_SCRATCH bytes of memory the frame must lie that is to be split. */
static inline uint8_t *split_frame(uint8_t *scratch)
{
	return scratch + SPLIT_LINK_MAX + 60;
}

/* Splits a frame whose link header is `link` bytes. The scratch lives as long as the fragments. */
void split_begin(struct split *split, const struct io_out *whole, uint32_t link, uint32_t mtu,
	uint8_t *scratch);

/* The next fragment, in order; it is valid until the next call. */
bool split_next(struct split *split, struct io_out *ret_piece);

#endif
