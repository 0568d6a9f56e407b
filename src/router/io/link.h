/* SPDX-License-Identifier: MIT */
/* Link types: their numbers in files, and where the network header begins behind them. */
#ifndef ROUTER_IO_LINK_H
#define ROUTER_IO_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "router/io/packet.h"

enum {
	IO_LINK_TAGS_MAX = 4, /* VLAN tags that are looked through */
	IO_ETHER_IPV4 = 0x0800,
	IO_ETHER_IPV6 = 0x86dd,
};

/* What stands before the network header. */
struct io_l2 {
	uint16_t ether_type; /* of what follows, behind all tags; 0: none that Ethernet has */
	uint16_t offset;     /* where the network header begins */
	uint8_t n_tags;      /* VLAN tags before it, 4 bytes each, directly before `type_at` */
	uint8_t type_at;     /* where ether_type stands; 0: nowhere */
};

/* Looks through link header and VLAN tags (0x8100, 0x88a8, 0x9100, any mix of up to
 * IO_LINK_TAGS_MAX). False: the packet is too short, or has more tags. */
bool io_link_parse(enum io_link link, const uint8_t *data, size_t len, struct io_l2 *ret);

/* From the number that a file has (LINKTYPE_...), for interface `what` of a file. False: unknown;
 * io_link_name() helps to say so. */
bool io_link_from_file(uint32_t linktype, enum io_link *ret);
uint32_t io_link_to_file(enum io_link link);
const char *io_link_name(uint32_t linktype); /* "IEEE 802.11", or "" */

#endif
