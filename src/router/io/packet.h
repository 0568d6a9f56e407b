/* SPDX-License-Identifier: MIT */
/* A packet as it came in: where its bytes lie, when it came, and through which NIC. */
#ifndef ROUTER_IO_PACKET_H
#define ROUTER_IO_PACKET_H

#include <stdint.h>

/* What a packet begins with. A NIC's output is written as one of these, too. */
enum io_link {
	IO_LINK_ETHERNET,
	IO_LINK_RAW,  /* an IPv4 or IPv6 header, by its version */
	IO_LINK_SLL,  /* Linux cooked capture: 16 bytes */
	IO_LINK_SLL2, /* the same, version 2: 20 bytes */
	IO_LINK_NULL, /* 4 bytes: an address family, in the byte order of who captured it */
	IO_LINK_LOOP, /* the same in network byte order */
	IO_LINKS,
};

struct io_packet {
	const uint8_t *data; /* borrowed from the reader until io_reader_release() of its chunk */
	/* since 1970, exact; beyond its range (year 2262) it stays at the end; 0 for the simple
	 * packets of pcapng, which have no time */
	int64_t time_ns;
	uint32_t len;      /* bytes captured, at most IO_PACKET_MAX; may be 0 */
	uint32_t wire_len; /* bytes there were; never less than len */
	uint16_t nic;      /* index of a NIC as given to io_reader_open() */
	uint16_t link;     /* enum io_link */
};

enum {
	IO_PACKET_MAX = 256 << 10, /* longer records are taken for damage, as libpcap takes them */
};

#endif
