/* SPDX-License-Identifier: MIT */
/* Longest prefix match for IPv6: a multibit trie, 16 bits and then 8 at a time, with nodes packed
 * by bitmaps. Beside it the routes themselves, sorted, from which each /16 is built anew. */
#ifndef ROUTER_FIB_FIB6_H
#define ROUTER_FIB_FIB6_H

#include <stddef.h>
#include <stdint.h>

struct fib6_block; /* all of one /16 */
struct fib6_route;

struct fib6 {
	struct fib6_block *blocks; /* 2^16 */
	struct fib6_route *routes; /* sorted by address, then length */
	size_t n_routes;
	size_t cap_routes;
};

/* The hop of the longest prefix that covers the address, as on the wire; 0: none. */
uint16_t fib6_lookup(const struct fib6 *fib, const uint8_t addr[16]);

/* What fib.h's functions are made of. All give 0 or a negative errno. */
int fib6_init(struct fib6 *fib);
void fib6_done(struct fib6 *fib);
int fib6_add(
	struct fib6 *fib, const uint8_t addr[16], unsigned len, uint16_t hop); /* 1: replaced */
int fib6_delete(struct fib6 *fib, const uint8_t addr[16], unsigned len);
uint16_t fib6_find(const struct fib6 *fib, const uint8_t addr[16], unsigned len);
size_t fib6_bytes(const struct fib6 *fib);

struct fib6_route {
	uint8_t addr[16];
	uint8_t len;
	uint16_t hop;
};

/* Adds many at once, building each /16 only once. Reorders `routes`. */
int fib6_add_many(struct fib6 *fib, struct fib6_route *routes, size_t n);

#endif
