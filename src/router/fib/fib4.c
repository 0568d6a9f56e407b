/* SPDX-License-Identifier: MIT */
/* DIR-24-8 and the routes behind it. Every change is made to the routes first; then the part of
 * the tables that it can reach is painted from them, shorter prefixes before longer ones. So there
 * is one way from routes to tables, whatever was added, replaced or deleted before. */
#include "router/fib/fib4.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
	DIR_BYTES = 2 << 24,
	HUGE_PAGE = 2 << 20,
	SHORT_LEN = 16, /* up to this length a route lives in `shorts` */
	N_BLOCKS = 1 << SHORT_LEN,
	HOP_BITS = 15, /* FIB4_GROUP is the first that is none */
};

/* A route longer than /16, within its /16, in as few bits as there are: address bits 16 to 31 as
 * far as it has them, a 1, and zeros, together 17; then the hop's 15. */
struct route {
	uint32_t bits;
};

struct fib4_block {
	struct route *routes; /* by low, then len: a prefix comes before all that it covers */
	uint32_t n, cap;
};

/* Zeroed memory that begins and ends with a huge page; NULL when there is none. */
static void *map_dir(void)
{
	char *map = mmap(NULL, DIR_BYTES + HUGE_PAGE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (map == MAP_FAILED)
		return NULL;
	size_t before = -(uintptr_t)map % HUGE_PAGE;
	if (before)
		munmap(map, before);
	munmap(map + before + DIR_BYTES, HUGE_PAGE - before);
	madvise(map + before, DIR_BYTES, MADV_HUGEPAGE); /* only a matter of speed: may fail */
	return map + before;
}

int fib4_init(struct fib4 *fib)
{
	*fib = (struct fib4){
		.dir = map_dir(),
		.groups = malloc(FIB4_MAX_GROUPS * sizeof(*fib->groups)),
		.free_group = FIB4_MAX_GROUPS,
		.shorts = calloc(2 << SHORT_LEN, sizeof(*fib->shorts)),
		.blocks = calloc(N_BLOCKS, sizeof(*fib->blocks)),
	};
	return fib->dir && fib->groups && fib->shorts && fib->blocks ? 0 : -ENOMEM;
}

void fib4_done(struct fib4 *fib)
{
	for (size_t i = 0; fib->blocks && i < N_BLOCKS; i++)
		free(fib->blocks[i].routes);
	free(fib->blocks);
	free(fib->shorts);
	free(fib->groups);
	if (fib->dir)
		munmap(fib->dir, DIR_BYTES);
	*fib = (struct fib4){ 0 };
}

static uint32_t mask_of(unsigned len)
{
	return len ? UINT32_MAX << (32 - len) : 0;
}

static struct route route_of(uint32_t addr, unsigned len, uint16_t hop)
{
	uint32_t prefix = (addr & 0xffff) << 1 | 1u << (32 - len);
	return (struct route){ .bits = prefix << HOP_BITS | hop };
}

static uint32_t prefix_of(struct route r)
{
	return r.bits >> HOP_BITS;
}

static unsigned len_of(struct route r)
{
	return 32 - (unsigned)__builtin_ctz(prefix_of(r));
}

/* Address bits 16 to 31. */
static unsigned low_of(struct route r)
{
	return (prefix_of(r) & (prefix_of(r) - 1)) >> 1;
}

static uint16_t hop_of(struct route r)
{
	return (uint16_t)(r.bits & ((1u << HOP_BITS) - 1));
}

static uint16_t *short_of(const struct fib4 *fib, uint32_t addr, unsigned len)
{
	return &fib->shorts[len ? 1u << len | addr >> (32 - len) : 1];
}

/* The first route of the block that is not before (low, len). */
static uint32_t lower_bound(const struct fib4_block *block, unsigned low, unsigned len)
{
	uint32_t lo = 0, hi = block->n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		struct route r = block->routes[mid];
		if (low_of(r) < low || (low_of(r) == low && len_of(r) < len))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static struct route *find_long(const struct fib4 *fib, uint32_t addr, unsigned len)
{
	const struct fib4_block *block = &fib->blocks[addr >> 16];
	uint32_t i = lower_bound(block, addr & 0xffff, len);
	bool found =
		i < block->n && prefix_of(block->routes[i]) == prefix_of(route_of(addr, len, 0));
	return found ? &block->routes[i] : NULL;
}

uint16_t fib4_find(const struct fib4 *fib, uint32_t addr, unsigned len)
{
	if (len <= SHORT_LEN)
		return *short_of(fib, addr, len);
	const struct route *r = find_long(fib, addr, len);
	return r ? hop_of(*r) : 0;
}

/* The hop of the longest prefix of 1 to len bits that covers addr. */
static uint16_t best_match(const struct fib4 *fib, uint32_t addr, unsigned len)
{
	uint16_t hop = 0;
	for (unsigned l = len; l > 0 && !hop; l--)
		hop = fib4_find(fib, addr & mask_of(l), l);
	return hop;
}

uint16_t fib4_search(const struct fib4 *fib, uint32_t addr)
{
	uint16_t hop = best_match(fib, addr, 32);
	return hop ? hop : fib->all;
}

void fib4_lookup_bulk(const struct fib4 *fib, const uint32_t *addrs, uint16_t *ret_hops, size_t n)
{
	enum {
		AHEAD = 16
	};
	for (size_t i = 0; i < n && i < AHEAD; i++)
		fib4_prefetch(fib, addrs[i]);
	for (size_t i = 0; i < n; i++) {
		if (i + AHEAD < n)
			fib4_prefetch(fib, addrs[i + AHEAD]);
		ret_hops[i] = fib4_lookup(fib, addrs[i]);
	}
}

/* ---- painting ---- */

static void fill(uint16_t *cells, size_t n, uint16_t value)
{
	for (size_t i = 0; i < n; i++)
		cells[i] = value;
}

static uint16_t take_group(struct fib4 *fib, uint16_t hop)
{
	uint32_t g = fib->free_group;
	if (g < FIB4_MAX_GROUPS)
		fib->free_group = fib->groups[g][0];
	else if (fib->n_groups < FIB4_MAX_GROUPS)
		g = fib->n_groups++;
	else {
		fib->n_searched++;
		return FIB4_SEARCH;
	}
	fill(fib->groups[g], 256, hop);
	return (uint16_t)(FIB4_GROUP + g);
}

static void give_back(struct fib4 *fib, uint16_t entry)
{
	if (entry == FIB4_SEARCH) {
		fib->n_searched--;
	} else if (entry >= FIB4_GROUP) {
		fib->groups[entry - FIB4_GROUP][0] = (uint16_t)fib->free_group;
		fib->free_group = entry - FIB4_GROUP;
	}
}

static void paint_route(struct fib4 *fib, uint32_t addr, struct route r)
{
	uint16_t *entry = &fib->dir[addr >> 8];
	unsigned len = len_of(r);
	if (len <= 24) {
		fill(entry, 1u << (24 - len), hop_of(r));
		return;
	}
	if (*entry < FIB4_GROUP)
		*entry = take_group(fib, *entry);
	if (*entry != FIB4_SEARCH)
		fill(&fib->groups[*entry - FIB4_GROUP][addr & 0xff], 1u << (32 - len), hop_of(r));
}

/* Paints the part of the tables that addr/len covers, 16 <= len <= 24, where nothing longer than
 * /len matches to `hop`. */
static void paint(struct fib4 *fib, uint32_t addr, unsigned len, uint16_t hop)
{
	const struct fib4_block *block = &fib->blocks[addr >> 16];
	size_t n = 1u << (24 - len);
	uint16_t *cells = &fib->dir[addr >> 8];
	for (size_t i = 0; i < n; i++) {
		if (cells[i] >= FIB4_GROUP)
			give_back(fib, cells[i]);
		if (cells[i] != hop) /* memory that nobody wrote to costs nothing */
			cells[i] = hop;
	}
	uint32_t end = (addr & 0xffff) + (1u << (32 - len));
	for (uint32_t i = lower_bound(block, addr & 0xffff, len + 1); i < block->n; i++) {
		struct route r = block->routes[i];
		if (low_of(r) >= end)
			break;
		paint_route(fib, (addr & 0xffff0000) | low_of(r), r);
	}
}

/* Paints n blocks, the first of which holds addr. */
static void paint_blocks(struct fib4 *fib, uint32_t addr, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t block = addr + (i << 16);
		paint(fib, block, SHORT_LEN, best_match(fib, block, SHORT_LEN));
	}
}

/* Paints all that a change of the route addr/len can reach. */
static void repaint(struct fib4 *fib, uint32_t addr, unsigned len)
{
	if (len > 24)
		len = 24;
	addr &= mask_of(len);
	if (len > SHORT_LEN)
		paint(fib, addr, len, best_match(fib, addr, len));
	else if (len)
		paint_blocks(fib, addr, 1u << (SHORT_LEN - len));
	else
		fib->all = fib4_find(fib, 0, 0);
}

/* ---- changing routes ---- */

static bool reserve(struct fib4_block *block, uint32_t more)
{
	if (more <= block->cap - block->n)
		return true;
	/* a load of a whole table asks once and gets just what it needs */
	uint32_t cap = block->n + (more > 1 ? more : block->n / 2 + 4);
	struct route *routes = realloc(block->routes, cap * sizeof(*routes));
	if (!routes)
		return false;
	block->routes = routes;
	block->cap = cap;
	return true;
}

/* 1 when it replaced a route. */
static int put(struct fib4 *fib, uint32_t addr, unsigned len, uint16_t hop)
{
	assert(hop && hop < FIB4_GROUP && !(addr & ~mask_of(len)));
	if (len <= SHORT_LEN) {
		uint16_t *slot = short_of(fib, addr, len);
		bool replaced = *slot;
		*slot = hop;
		fib->n_routes += !replaced;
		return replaced;
	}
	struct fib4_block *block = &fib->blocks[addr >> 16];
	struct route *r = find_long(fib, addr, len);
	if (r) {
		*r = route_of(addr, len, hop);
		return 1;
	}
	if (!reserve(block, 1))
		return -ENOMEM;
	uint32_t i = lower_bound(block, addr & 0xffff, len);
	r = &block->routes[i];
	memmove(r + 1, r, (block->n - i) * sizeof(*r));
	*r = route_of(addr, len, hop);
	block->n++;
	fib->n_routes++;
	return 0;
}

int fib4_add(struct fib4 *fib, uint32_t addr, unsigned len, uint16_t hop)
{
	int rc = put(fib, addr, len, hop);
	if (rc >= 0)
		repaint(fib, addr, len);
	return rc;
}

int fib4_delete(struct fib4 *fib, uint32_t addr, unsigned len)
{
	if (!fib4_find(fib, addr, len))
		return -ENOENT;
	if (len <= SHORT_LEN) {
		*short_of(fib, addr, len) = 0;
	} else {
		struct fib4_block *block = &fib->blocks[addr >> 16];
		struct route *r = find_long(fib, addr, len);
		block->n--;
		memmove(r, r + 1, (size_t)(&block->routes[block->n] - r) * sizeof(*r));
	}
	fib->n_routes--;
	repaint(fib, addr, len);
	return 0;
}

/* Paints for all of them, each /16 at most about once. */
static void repaint_many(struct fib4 *fib, const struct fib4_route *routes, size_t n)
{
	size_t blocks = 0;
	fib->all = fib4_find(fib, 0, 0);
	for (size_t i = 0; i < n && blocks < N_BLOCKS; i++)
		if (routes[i].len)
			blocks += routes[i].len < SHORT_LEN ? 1u << (SHORT_LEN - routes[i].len) : 1;
	if (blocks >= N_BLOCKS)
		paint_blocks(fib, 0, N_BLOCKS);
	else
		for (size_t i = 0; i < n; i++)
			repaint(fib, routes[i].addr, routes[i].len);
}

int fib4_add_many(struct fib4 *fib, const struct fib4_route *routes, size_t n)
{
	int rc = 0;
	for (size_t i = 0, end; i < n && rc >= 0; i = end) {
		uint32_t block = routes[i].addr >> 16, n_long = 0;
		for (end = i; end < n && routes[end].addr >> 16 == block; end++)
			n_long += routes[end].len > SHORT_LEN;
		if (n_long && !reserve(&fib->blocks[block], n_long))
			rc = -ENOMEM;
		for (size_t k = i; k < end && rc >= 0; k++)
			rc = put(fib, routes[k].addr, routes[k].len, routes[k].hop);
	}
	repaint_many(fib, routes, n);
	return rc < 0 ? rc : 0;
}

size_t fib4_bytes(const struct fib4 *fib)
{
	size_t bytes = DIR_BYTES + fib->n_groups * sizeof(*fib->groups) +
		(2 << SHORT_LEN) * sizeof(*fib->shorts) + N_BLOCKS * sizeof(*fib->blocks);
	for (size_t i = 0; i < N_BLOCKS; i++)
		bytes += fib->blocks[i].cap * sizeof(struct route);
	return bytes;
}
