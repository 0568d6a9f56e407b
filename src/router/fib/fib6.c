/* SPDX-License-Identifier: MIT */
/* IPv6 routes: the short ones in a table of all possible, the longer ones sorted, and for each /16
 * a trie built from these. Every change is made to the routes first; then the one trie that it can
 * reach is built anew, so there is one way from routes to tries. */
#include "router/fib/fib6.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "router/fib/trie6.h"

enum {
	SHORT_LEN = 16,
	N_TRIES = 1 << SHORT_LEN,
};

int fib6_init(struct fib6 *fib)
{
	*fib = (struct fib6){
		.shorts = calloc(2 << SHORT_LEN, sizeof(*fib->shorts)),
		.hops = calloc(N_TRIES, sizeof(*fib->hops)),
		.tries = calloc(N_TRIES, sizeof(struct fib6_trie *)),
	};
	return fib->shorts && fib->hops && fib->tries ? 0 : -ENOMEM;
}

void fib6_done(struct fib6 *fib)
{
	for (size_t i = 0; fib->tries && i < N_TRIES; i++)
		trie6_free(fib->tries[i]);
	free(fib->tries);
	free(fib->hops);
	free(fib->shorts);
	free(fib->routes);
	*fib = (struct fib6){ 0 };
}

static unsigned trie_of(const uint8_t addr[16])
{
	return (unsigned)addr[0] << 8 | addr[1];
}

uint16_t fib6_lookup(const struct fib6 *fib, const uint8_t addr[16])
{
	unsigned t = trie_of(addr);
	struct trie6_walk walk = { 0 };
	if (fib->tries[t]) {
		trie6_begin(&walk, fib->tries[t], addr);
		while (walk.node)
			trie6_step(&walk);
	}
	return walk.hop ? walk.hop : fib->hops[t];
}

enum {
	LANES = 8
};

/* Up to LANES at once: while one waits for memory, the others go on. */
static void lookup_lanes(
	const struct fib6 *fib, const uint8_t (*addrs)[16], uint16_t *ret_hops, size_t n)
{
	struct trie6_walk walks[LANES];
	for (size_t i = 0; i < n; i++) {
		walks[i] = (struct trie6_walk){ .trie = fib->tries[trie_of(addrs[i])] };
		if (walks[i].trie)
			__builtin_prefetch(walks[i].trie);
	}
	for (size_t i = 0; i < n; i++) {
		if (!walks[i].trie)
			continue;
		trie6_begin(&walks[i], walks[i].trie, addrs[i]);
		trie6_prefetch(walks[i].node);
	}
	for (bool any = true; any;) {
		any = false;
		for (size_t i = 0; i < n; i++) {
			if (!walks[i].node)
				continue;
			trie6_step(&walks[i]);
			if (walks[i].node)
				trie6_prefetch(walks[i].node);
			any |= walks[i].node != NULL;
		}
	}
	for (size_t i = 0; i < n; i++)
		ret_hops[i] = walks[i].hop ? walks[i].hop : fib->hops[trie_of(addrs[i])];
}

void fib6_lookup_bulk(
	const struct fib6 *fib, const uint8_t (*addrs)[16], uint16_t *ret_hops, size_t n)
{
	for (size_t i = 0; i < n && i < LANES; i++)
		fib6_prefetch(fib, addrs[i]);
	for (size_t i = 0; i < n; i += LANES) {
		for (size_t k = i + LANES; k < n && k < i + (size_t)2 * LANES; k++)
			fib6_prefetch(fib, addrs[k]);
		lookup_lanes(fib, addrs + i, ret_hops + i, n - i < LANES ? n - i : LANES);
	}
}

int fib6_order(const struct fib6_route *a, const struct fib6_route *b)
{
	int order = memcmp(a->addr, b->addr, sizeof(a->addr));
	return order ? order : a->len - b->len;
}

/* The first of the longer routes that is not before `route`. */
static size_t lower_bound(const struct fib6 *fib, const struct fib6_route *route)
{
	size_t lo = 0, hi = fib->n_routes;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (fib6_order(&fib->routes[mid], route) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static struct fib6_route route_of(const uint8_t addr[16], unsigned len, uint16_t hop)
{
	struct fib6_route route = { .len = (uint8_t)len, .hop = hop };
	memcpy(route.addr, addr, sizeof(route.addr));
	return route;
}

static struct fib6_route *find_long(const struct fib6 *fib, const uint8_t addr[16], unsigned len)
{
	struct fib6_route route = route_of(addr, len, 0);
	size_t i = lower_bound(fib, &route);
	return i < fib->n_routes && !fib6_order(&fib->routes[i], &route) ? &fib->routes[i] : NULL;
}

static uint16_t *short_of(const struct fib6 *fib, unsigned trie, unsigned len)
{
	return &fib->shorts[len ? 1u << len | trie >> (SHORT_LEN - len) : 1];
}

uint16_t fib6_find(const struct fib6 *fib, const uint8_t addr[16], unsigned len)
{
	if (len <= SHORT_LEN)
		return *short_of(fib, trie_of(addr), len);
	const struct fib6_route *route = find_long(fib, addr, len);
	return route ? route->hop : 0;
}

static void set_short(struct fib6 *fib, unsigned trie, unsigned len, uint16_t hop)
{
	*short_of(fib, trie, len) = hop;
	for (unsigned t = trie; t < trie + (1u << (SHORT_LEN - len)); t++) {
		uint16_t best = 0;
		for (unsigned l = SHORT_LEN + 1; l-- > 0 && !best;)
			best = *short_of(fib, t, l);
		fib->hops[t] = best;
	}
}

static int rebuild(struct fib6 *fib, unsigned trie)
{
	uint8_t begin[16] = { (uint8_t)(trie >> 8), (uint8_t)trie };
	struct fib6_route from = route_of(begin, 0, 0);
	size_t first = lower_bound(fib, &from), n = 0;
	while (first + n < fib->n_routes && trie_of(fib->routes[first + n].addr) == trie)
		n++;
	struct fib6_trie *built = NULL;
	if (n && trie6_build(&fib->routes[first], n, &built) < 0)
		return -ENOMEM;
	trie6_free(fib->tries[trie]);
	fib->tries[trie] = built;
	return 0;
}

static int reserve(struct fib6 *fib, size_t more)
{
	if (more <= fib->cap_routes - fib->n_routes)
		return 0;
	size_t cap = fib->n_routes + (more > 1 ? more : fib->n_routes / 2 + 16);
	struct fib6_route *routes = realloc(fib->routes, cap * sizeof(*routes));
	if (!routes)
		return -ENOMEM;
	fib->routes = routes;
	fib->cap_routes = cap;
	return 0;
}

static void insert(struct fib6 *fib, const struct fib6_route *route)
{
	struct fib6_route *at = &fib->routes[lower_bound(fib, route)];
	memmove(at + 1, at, (size_t)(&fib->routes[fib->n_routes++] - at) * sizeof(*at));
	*at = *route;
}

static void take_out(struct fib6 *fib, struct fib6_route *at)
{
	memmove(at, at + 1, (size_t)(&fib->routes[--fib->n_routes] - at) * sizeof(*at));
}

int fib6_add(struct fib6 *fib, const uint8_t addr[16], unsigned len, uint16_t hop)
{
	struct fib6_route route = route_of(addr, len, hop);
	uint16_t old = fib6_find(fib, addr, len);
	assert(hop && len <= 128);
	if (len <= SHORT_LEN) {
		fib->n_shorts += !old;
		set_short(fib, trie_of(addr), len, hop);
		return old != 0;
	}
	if (reserve(fib, 1) < 0)
		return -ENOMEM;
	if (old)
		find_long(fib, addr, len)->hop = hop;
	else
		insert(fib, &route);
	if (!rebuild(fib, trie_of(addr)))
		return old != 0;
	if (old)
		find_long(fib, addr, len)->hop = old;
	else
		take_out(fib, find_long(fib, addr, len));
	return -ENOMEM;
}

int fib6_delete(struct fib6 *fib, const uint8_t addr[16], unsigned len)
{
	uint16_t old = fib6_find(fib, addr, len);
	if (!old)
		return -ENOENT;
	if (len <= SHORT_LEN) {
		fib->n_shorts--;
		set_short(fib, trie_of(addr), len, 0);
		return 0;
	}
	struct fib6_route route = route_of(addr, len, old);
	take_out(fib, find_long(fib, addr, len));
	if (!rebuild(fib, trie_of(addr)))
		return 0;
	insert(fib, &route);
	return -ENOMEM;
}

int fib6_add_many(struct fib6 *fib, const struct fib6_route *routes, size_t n)
{
	if (reserve(fib, n) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const struct fib6_route *r = &routes[i];
		struct fib6_route *old;
		assert(r->hop && r->len <= 128);
		if (r->len <= SHORT_LEN) {
			fib->n_shorts += !fib6_find(fib, r->addr, r->len);
			set_short(fib, trie_of(r->addr), r->len, r->hop);
		} else if ((old = find_long(fib, r->addr, r->len))) {
			old->hop = r->hop;
		} else {
			insert(fib, r);
		}
	}
	int rc = 0;
	for (size_t i = 0; i < n && !rc; i++) {
		unsigned trie = trie_of(routes[i].addr);
		if (!i || trie_of(routes[i - 1].addr) != trie)
			rc = rebuild(fib, trie);
	}
	return rc;
}

size_t fib6_bytes(const struct fib6 *fib)
{
	size_t bytes = (2 << SHORT_LEN) * sizeof(*fib->shorts) +
		N_TRIES * (sizeof(*fib->hops) + sizeof(*fib->tries)) +
		fib->cap_routes * sizeof(*fib->routes);
	for (size_t i = 0; i < N_TRIES; i++)
		if (fib->tries[i])
			bytes += trie6_bytes(fib->tries[i]);
	return bytes;
}
