/* SPDX-License-Identifier: MIT */
/* A small set of IPv4 addresses, numbered in the order in which they came: the NAT's own. */
#ifndef ROUTER_NODE_ADDRS_H
#define ROUTER_NODE_ADDRS_H

#include <stdint.h>

enum {
	ADDRS_MAX = 256,
	ADDRS_SLOTS = 1024,
	ADDRS_NONE = 0xffff,
};

struct addrs {
	uint32_t n;
	uint32_t addr[ADDRS_SLOTS];
	uint16_t number[ADDRS_SLOTS]; /* 1 + its number; 0: the slot is free */
};

static inline uint32_t addrs_slot(uint32_t addr)
{
	return addr * 0x9e3779b1u >> 22;
}

static inline unsigned addrs_find(const struct addrs *set, uint32_t addr)
{
	for (uint32_t s = addrs_slot(addr); set->number[s]; s = (s + 1) % ADDRS_SLOTS) {
		if (set->addr[s] == addr)
			return set->number[s] - 1u;
	}
	return ADDRS_NONE;
}

/* At most ADDRS_MAX; one that is there already keeps its number. */
static inline void addrs_add(struct addrs *set, uint32_t addr)
{
	if (set->n == ADDRS_MAX || addrs_find(set, addr) != ADDRS_NONE)
		return;
	uint32_t s = addrs_slot(addr);
	while (set->number[s])
		s = (s + 1) % ADDRS_SLOTS;
	set->addr[s] = addr;
	set->number[s] = (uint16_t)++set->n;
}

/* The addresses in the order of their numbers. */
static inline void addrs_list(const struct addrs *set, uint32_t *ret_addrs)
{
	for (uint32_t s = 0; s < ADDRS_SLOTS; s++) {
		if (set->number[s])
			ret_addrs[set->number[s] - 1] = set->addr[s];
	}
}

#endif
