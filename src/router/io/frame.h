/* SPDX-License-Identifier: MIT */
/* Frames made here, from lines of text or by a generator: Ethernet, IPv4, and UDP, TCP or ICMP with
 * right checksums. */
#ifndef ROUTER_IO_FRAME_H
#define ROUTER_IO_FRAME_H

#include <stddef.h>
#include <stdint.h>

enum {
	FRAME_MIN = 60, /* what Ethernet pads to */
	FRAME_TCP = 6,
	FRAME_UDP = 17,
	FRAME_ICMP = 1,

	FRAME_FIN = 0x01,
	FRAME_SYN = 0x02,
	FRAME_RST = 0x04,
	FRAME_PSH = 0x08,
	FRAME_ACK = 0x10,
};

struct frame {
	uint8_t to_mac[6], from_mac[6];
	uint32_t from, to; /* in the host's byte order */
	uint8_t protocol;  /* any; what is none of the three has no header of its own */
	uint8_t tos, ttl;
	uint16_t id;
	uint16_t from_port, to_port; /* ICMP: identifier and sequence number of an echo request */
	uint32_t seq, ack;           /* TCP */
	uint8_t flags;
	uint16_t window;
	uint8_t icmp_type; /* 8: echo request, 0: reply */
	const void *payload;
	size_t payload_len;
};

/* A MAC address that is always the same for an IPv4 address, locally administered. */
void frame_mac(uint32_t address, uint8_t mac[6]);

/* Bytes that frame_build() writes. */
size_t frame_size(const struct frame *frame);

/* Writes the frame, padded with zeros to FRAME_MIN, and returns its size. */
size_t frame_build(const struct frame *frame, uint8_t *to);

#endif
