/* SPDX-License-Identifier: MIT */
/* Longest prefix match for IPv4 in one or two memory reads (DIR-24-8): a table over the first 24
 * bits holds the hop, or points to a group of 256 hops where longer prefixes live. Beside it the
 * routes themselves, from which any part of the tables can be painted anew. */
#ifndef ROUTER_FIB_FIB4_H
#define ROUTER_FIB_FIB4_H

#include <stddef.h>
#include <stdint.h>

/* Entries: below FIB4_GROUP a hop, 0 where at most /0 matches; from there on a group; FIB4_SEARCH
 * asks the routes, for addresses whose /24 found no group left. */
#define FIB4_GROUP      0x8000u
#define FIB4_SEARCH     0xffffu
#define FIB4_MAX_GROUPS 12288u /* 6 MiB */

struct fib4 {
	uint16_t *dir;             /* 2^24 entries; memory that no route needs is never touched */
	uint16_t all;              /* the hop of /0; 0: there is none */
	uint16_t (*groups)[256];   /* FIB4_MAX_GROUPS, touched as they are needed */
	uint32_t n_groups;         /* ever handed out */
	uint32_t free_group;       /* given back, linked; FIB4_MAX_GROUPS: none */
	uint32_t n_searched;       /* entries that are FIB4_SEARCH */
	uint16_t *shorts;          /* 2^17: the hop of each prefix up to /16; 0 where no route */
	struct fib4_block *blocks; /* 2^16: the longer routes in each /16, sorted */
	size_t n_routes;
};

uint16_t fib4_search(const struct fib4 *fib, uint32_t addr);

/* The hop of the longest prefix that covers the address, in the host's byte order; 0: none. */
static inline uint16_t fib4_lookup(const struct fib4 *fib, uint32_t addr)
{
	unsigned entry = fib->dir[addr >> 8];
	if (__builtin_expect(entry >= FIB4_GROUP, 0))
		entry = entry == FIB4_SEARCH ? fib4_search(fib, addr)
					     : fib->groups[entry - FIB4_GROUP][addr & 0xff];
	return entry ? (uint16_t)entry : fib->all;
}

/* The same for n addresses, with the memory reads overlapped: the packet path's way. */
void fib4_lookup_bulk(const struct fib4 *fib, const uint32_t *addrs, uint16_t *ret_hops, size_t n);

static inline void fib4_prefetch(const struct fib4 *fib, uint32_t addr)
{
	__builtin_prefetch(&fib->dir[addr >> 8]);
}

/* What fib.h's functions are made of; all give 0 or a negative errno. Bits of addr beyond len are
 * 0, and hops are 1 to FIB4_GROUP - 1. */
int fib4_init(struct fib4 *fib);
void fib4_done(struct fib4 *fib);
int fib4_add(struct fib4 *fib, uint32_t addr, unsigned len, uint16_t hop); /* 1: replaced */
int fib4_delete(struct fib4 *fib, uint32_t addr, unsigned len); /* -ENOENT: no such route */
uint16_t fib4_find(const struct fib4 *fib, uint32_t addr, unsigned len); /* 0: no such route */
size_t fib4_bytes(const struct fib4 *fib);

struct fib4_route {
	uint32_t addr;
	uint16_t hop;
	uint8_t len;
};

/* Adds many at once, without painting for each what others paint again. They are sorted by
 * address, then length, each prefix once. After -ENOMEM some may be there. */
int fib4_add_many(struct fib4 *fib, const struct fib4_route *routes, size_t n);

#endif
