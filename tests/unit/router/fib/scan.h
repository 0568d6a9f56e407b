/* SPDX-License-Identifier: MIT */
/* The oracle of the route tables: a list of routes, searched from end to end. */
#ifndef TESTS_ROUTER_FIB_SCAN_H
#define TESTS_ROUTER_FIB_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "unit/router/dice.h"

enum {
	SCAN_MAX = 4096
};

struct scan {
	struct {
		uint8_t addr[16];
		unsigned len;
		uint16_t hop;
	} routes[SCAN_MAX];
	size_t n;
};

static inline bool scan_covers(const uint8_t *prefix, unsigned len, const uint8_t *addr)
{
	if (memcmp(prefix, addr, len / 8))
		return false;
	unsigned rest = len % 8;
	return !rest || prefix[len / 8] >> (8 - rest) == addr[len / 8] >> (8 - rest);
}

static inline uint16_t scan_lookup(const struct scan *scan, const uint8_t *addr)
{
	uint16_t hop = 0;
	unsigned best = 0;
	for (size_t i = 0; i < scan->n; i++) {
		if (scan->routes[i].len >= best &&
			scan_covers(scan->routes[i].addr, scan->routes[i].len, addr)) {
			best = scan->routes[i].len;
			hop = scan->routes[i].hop;
		}
	}
	return hop;
}

/* The place of exactly this prefix; scan->n: it has none. */
static inline size_t scan_find(const struct scan *scan, const uint8_t addr[16], unsigned len)
{
	size_t i = 0;
	while (i < scan->n &&
		(scan->routes[i].len != len || memcmp(scan->routes[i].addr, addr, 16)))
		i++;
	return i;
}

static inline void scan_add(struct scan *scan, const uint8_t addr[16], unsigned len, uint16_t hop)
{
	size_t i = scan_find(scan, addr, len);
	scan->n += i == scan->n;
	memcpy(scan->routes[i].addr, addr, 16);
	scan->routes[i].len = len;
	scan->routes[i].hop = hop;
}

static inline void scan_delete(struct scan *scan, size_t i)
{
	scan->routes[i] = scan->routes[--scan->n];
}

#endif
