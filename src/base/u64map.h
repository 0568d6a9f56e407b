/* SPDX-License-Identifier: MIT */
/* A hash table from 64-bit keys to small numbers, usually indexes of an array. Keys are never
 * taken out. */
#ifndef BASE_U64MAP_H
#define BASE_U64MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/own.h"

struct lt_u64map {
	struct lt_u64map_slot *slots;
	size_t n, cap; /* cap is 0 or a power of two */
};

void lt_u64map_done(struct lt_u64map *map);

/* The number put with the key, or `none`. */
uint32_t lt_u64map_get(const struct lt_u64map *map, uint64_t key, uint32_t none);

/* Puts or replaces it. false: out of memory. */
bool lt_u64map_put(struct lt_u64map *map, uint64_t key, uint32_t value) LT_MUST_USE;

/* Mixes more into a key: for keys made of several numbers. */
static inline uint64_t lt_u64map_mix(uint64_t key, uint64_t more)
{
	key ^= more + UINT64_C(0x9e3779b97f4a7c15) + (key << 6) + (key >> 2);
	key = (key ^ (key >> 31)) * UINT64_C(0xbf58476d1ce4e5b9);
	return key ^ (key >> 29);
}

#endif
