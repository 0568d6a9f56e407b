/* SPDX-License-Identifier: MIT */
/* Addresses and prefixes of IPv4 and IPv6 as values, from text and back. */
#ifndef ROUTER_FIB_ADDR_H
#define ROUTER_FIB_ADDR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct addr {
	uint8_t family;    /* 4, 6, or 0: none */
	uint8_t bytes[16]; /* as on the wire; IPv4 uses the first four, the rest is 0 */
};

struct prefix {
	struct addr addr; /* bits beyond len are 0, unless said otherwise */
	uint8_t len;
};

#define ADDR_TEXT_MAX   48
#define PREFIX_TEXT_MAX 52

/* IPv4 as a number in the host's byte order, which is how IPv4 travels within the router. */
static inline uint32_t addr_v4(const struct addr *a)
{
	return (uint32_t)a->bytes[0] << 24 | (uint32_t)a->bytes[1] << 16 |
		(uint32_t)a->bytes[2] << 8 | a->bytes[3];
}

struct addr addr_from_v4(uint32_t v4);

/* The whole of text[0..len) must be the address. IPv4 octets are decimal, also with leading
 * zeros ("010.008.0.1" is 10.8.0.1): everywhere in the router they mean the same. */
bool addr_parse(const char *text, size_t len, struct addr *ret);

/* "ADDRESS/LEN"; a bare address is its own /32 or /128; "default" is 0.0.0.0/0. Bits beyond LEN
 * are kept: prefix_masked clears them, prefix_is_clean asks. */
bool prefix_parse(const char *text, size_t len, struct prefix *ret);
struct prefix prefix_masked(const struct prefix *p);
bool prefix_is_clean(const struct prefix *p);

bool addr_equal(const struct addr *a, const struct addr *b);
bool prefix_covers(const struct prefix *p, const struct addr *a);
bool prefix_overlaps(const struct prefix *p, const struct prefix *q);

/* Both return buf. IPv6 in the short form of RFC 5952. */
const char *addr_text(const struct addr *a, char buf[ADDR_TEXT_MAX]);
const char *prefix_text(const struct prefix *p, char buf[PREFIX_TEXT_MAX]);

#endif
