/* SPDX-License-Identifier: MIT */
/* Longest prefix match for IPv6: a multibit trie, 16 bits and then 8 at a time, with nodes packed
 * by bitmaps and runs of bytes without a choice skipped. Beside it the routes themselves, sorted,
 * from which the trie of any /16 can be built anew. */
#ifndef ROUTER_FIB_FIB6_H
#define ROUTER_FIB_FIB6_H

#include <stddef.h>
#include <stdint.h>

struct fib6_route {
	uint8_t addr[16];
	uint16_t hop;
	uint8_t len;
};

struct fib6 {
	uint16_t *shorts; /* 2^17: the hop of each prefix up to /16; 0 where no route */
	uint16_t *hops;   /* 2^16: the best of these for each /16 */
	struct fib6_trie *
		*tries; /* 2^16: the longer routes in each /16; NULL where there are none */
	struct fib6_route *routes; /* the longer ones, by address, then length */
	size_t n_routes, cap_routes;
	size_t n_shorts;
};

/* The hop of the longest prefix that covers the address, as on the wire; 0: none. */
uint16_t fib6_lookup(const struct fib6 *fib, const uint8_t addr[16]);

/* The same for n addresses, with the memory reads overlapped. */
void fib6_lookup_bulk(
	const struct fib6 *fib, const uint8_t (*addrs)[16], uint16_t *ret_hops, size_t n);

static inline void fib6_prefetch(const struct fib6 *fib, const uint8_t addr[16])
{
	__builtin_prefetch(&fib->tries[addr[0] << 8 | addr[1]]);
}

/* What fib.h's functions are made of; all give 0 or a negative errno, and leave the table as it
 * was after a failure. Bits of addr beyond len are 0, and hops are not 0. */
int fib6_init(struct fib6 *fib);
void fib6_done(struct fib6 *fib);
int fib6_add(
	struct fib6 *fib, const uint8_t addr[16], unsigned len, uint16_t hop); /* 1: replaced */
int fib6_delete(struct fib6 *fib, const uint8_t addr[16], unsigned len);
uint16_t fib6_find(const struct fib6 *fib, const uint8_t addr[16], unsigned len);
size_t fib6_bytes(const struct fib6 *fib);

/* Adds many at once and builds each trie once. They are sorted by address, then length, each
 * prefix once. After -ENOMEM some may be there. */
int fib6_add_many(struct fib6 *fib, const struct fib6_route *routes, size_t n);

/* Below 0, 0 or above 0, as memcmp: the order of routes. */
int fib6_order(const struct fib6_route *a, const struct fib6_route *b);

#endif
