/* SPDX-License-Identifier: MIT */
/* Where a packet goes: the longest prefix that covers its destination gives a hop. Tables for
 * IPv4 and IPv6, and the hops they share.
 * **Threads:** any number may look up; nobody may while one changes the table. */
#ifndef ROUTER_FIB_FIB_H
#define ROUTER_FIB_FIB_H

#include "base/err.h"
#include "router/fib/addr.h"
#include "router/fib/fib4.h"
#include "router/fib/fib6.h"

enum fib_kind {
	FIB_NONE,        /* no route: hop 0 */
	FIB_FORWARD,     /* out of `nic`, to `via` or to the destination itself */
	FIB_LOCAL,       /* an address of the router's own */
	FIB_BROADCAST,   /* the broadcast address of a connected network */
	FIB_BLACKHOLE,   /* to be dropped in silence */
	FIB_UNREACHABLE, /* to be dropped with an ICMP error */
};

struct fib_hop {
	struct addr via; /* family 0: the destination is a neighbour */
	uint16_t nic;    /* index of the interface; of FORWARD, LOCAL and BROADCAST */
	uint8_t kind;    /* enum fib_kind */
};

/* Hops are numbered from 1, in the order in which they were first named; 0 is "no route". */
#define FIB_MAX_HOPS 32000

struct fib {
	struct fib4 v4;
	struct fib6 v6;
	struct fib_hop *hops;
	uint16_t *hop_index; /* hash table of hop numbers */
	uint32_t n_hops;     /* hop 0 included */
	uint64_t generation; /* grows with every change: what was cached before is stale */
};

int fib_new(struct fib **ret_fib, struct lt_err *err);
void fib_free(struct fib *fib);

/* The number of a hop, the same for the same hop. Errors: LT-FIB-HOPS beyond FIB_MAX_HOPS. */
int fib_hop_number(
	struct fib *fib, const struct fib_hop *hop, uint16_t *ret_number, struct lt_err *err);

/* Adds a route, or gives the one of exactly this prefix another hop. 1 when it replaced one.
 * Bits of the prefix beyond its length do not matter. After a failure the routes are as before. */
int fib_add(struct fib *fib, const struct prefix *prefix, const struct fib_hop *hop,
	struct lt_err *err);

/* Errors: LT-FIB-ROUTE where there is no route of exactly this prefix. */
int fib_delete(struct fib *fib, const struct prefix *prefix, struct lt_err *err);

/* The hop of the route of exactly this prefix; NULL where there is none. */
const struct fib_hop *fib_find(const struct fib *fib, const struct prefix *prefix);

/* The hop of the longest prefix that covers the address; that of hop 0 where none does. For single
 * packets; the packet path uses fib4_lookup_bulk, fib6_lookup and hop numbers. */
const struct fib_hop *fib_lookup(const struct fib *fib, const struct addr *addr);

static inline const struct fib_hop *fib_hop(const struct fib *fib, unsigned number)
{
	return &fib->hops[number];
}

static inline size_t fib_n_routes(const struct fib *fib)
{
	return fib->v4.n_routes + fib->v6.n_routes + fib->v6.n_shorts;
}

/* Reads a route file into the table, on top of what is there; of a prefix that is there already
 * the file has the last word. One route a line:
 *
 *     PREFIX [via] NEXT-HOP [dev] NIC      192.0.2.0/24 203.0.113.1 eth1
 *     PREFIX - NIC                         the destination is a neighbour
 *     PREFIX blackhole
 *     PREFIX unreachable
 *
 * `default` is 0.0.0.0/0; # begins a comment. `nics` are the names that NIC may have, in the order
 * of their numbers. Returns how many routes were read.
 * Errors: LT-ROUTES-*, naming file, line and fix; the table may then hold some of the routes. */
int fib_load(struct fib *fib, const char *path, const char *const *nics, size_t n_nics,
	struct lt_err *err);

/* The same from memory; `name` is what errors call it. */
int fib_load_text(struct fib *fib, const char *text, size_t len, const char *name,
	const char *const *nics, size_t n_nics, struct lt_err *err);

/* One such line, without its comment: what a file says in many lines, other files may say in one.
 * Errors: LT-ROUTES-*, with fix, but no file and line. */
int fib_parse_route(const char *line, size_t len, const char *const *nics, size_t n_nics,
	struct prefix *ret_prefix, struct fib_hop *ret_hop, struct lt_err *err);

/* Puts "FILE:LINE: " before what went wrong; gives the error's code. */
int fib_error_at(struct lt_err *err, const char *file, unsigned line);

/* Bytes that the tables hold. */
size_t fib_bytes(const struct fib *fib);

#endif
