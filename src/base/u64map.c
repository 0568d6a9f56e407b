/* SPDX-License-Identifier: MIT */
/* Open addressing with linear probing, at most half full. */
#include "base/u64map.h"

#include <stdlib.h>

struct lt_u64map_slot {
	uint64_t key;
	uint32_t value;
	bool used;
};

void lt_u64map_done(struct lt_u64map *map)
{
	free(map->slots);
	*map = (struct lt_u64map){ 0 };
}

/* The key's slot, or the free one where it would go. */
static struct lt_u64map_slot *slot_of(const struct lt_u64map *map, uint64_t key)
{
	size_t i = (size_t)lt_u64map_mix(0, key) & (map->cap - 1);
	while (map->slots[i].used && map->slots[i].key != key)
		i = (i + 1) & (map->cap - 1);
	return &map->slots[i];
}

uint32_t lt_u64map_get(const struct lt_u64map *map, uint64_t key, uint32_t none)
{
	if (!map->cap)
		return none;
	const struct lt_u64map_slot *slot = slot_of(map, key);
	return slot->used ? slot->value : none;
}

static bool grow(struct lt_u64map *map)
{
	struct lt_u64map more = { .n = map->n, .cap = map->cap ? 2 * map->cap : 64 };
	more.slots = calloc(more.cap, sizeof(*more.slots));
	if (!more.slots)
		return false;
	for (size_t i = 0; i < map->cap; i++)
		if (map->slots[i].used)
			*slot_of(&more, map->slots[i].key) = map->slots[i];
	free(map->slots);
	*map = more;
	return true;
}

bool lt_u64map_put(struct lt_u64map *map, uint64_t key, uint32_t value)
{
	if (2 * (map->n + 1) > map->cap && !grow(map))
		return false;
	struct lt_u64map_slot *slot = slot_of(map, key);
	map->n += !slot->used;
	*slot = (struct lt_u64map_slot){ key, value, true };
	return true;
}
