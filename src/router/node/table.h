/* SPDX-License-Identifier: MIT */
/* Memory of the router's tables: slabs of equal items that never move, known by number, and an
 * index that finds them by a hash in one cache line. */
#ifndef ROUTER_NODE_TABLE_H
#define ROUTER_NODE_TABLE_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __SSE2__
#include <immintrin.h>
#endif

#define TABLE_NONE UINT32_MAX

/* Room for `max` items is reserved as addresses; memory is taken as items are. Freed items are
 * linked by their first four bytes. */
struct slab {
	char *base;
	size_t size;   /* of an item */
	uint32_t used; /* ever taken */
	uint32_t max;
	uint32_t free; /* first freed one */
	uint32_t live;
};

int slab_init(struct slab *slab, size_t size, uint32_t max); /* -ENOMEM */
void slab_done(struct slab *slab);

static inline void *slab_at(const struct slab *slab, uint32_t number)
{
	return slab->base + (size_t)number * slab->size;
}

/* An item, zeroed; TABLE_NONE when all are taken. */
uint32_t slab_take(struct slab *slab);
void slab_put(struct slab *slab, uint32_t number);

/* The index: hashes and numbers, eight to a cache line. What does not fit its line goes into the
 * next, so that only behind a full line more can follow. */
struct index_line {
	alignas(64) uint32_t hash[8];
	uint32_t item[8]; /* TABLE_NONE: free */
};

struct index {
	struct index_line *lines;
	uint32_t n; /* of them */
	uint32_t used;
};

/* The line where a hash belongs. */
static inline uint32_t index_home(const struct index *index, uint32_t hash)
{
	return (uint32_t)((uint64_t)hash * index->n >> 32);
}

static inline uint32_t index_after(const struct index *index, uint32_t line)
{
	return line + 1 == index->n ? 0 : line + 1;
}

int index_init(struct index *index); /* -ENOMEM */
void index_done(struct index *index);
size_t index_bytes(const struct index *index);

/* False when it would have to grow and there is no memory. */
bool index_add(struct index *index, uint32_t hash, uint32_t item);
void index_remove(struct index *index, uint32_t hash, uint32_t item);

/* A search: candidates one after the other, until one is the right one or TABLE_NONE. */
struct index_search {
	uint32_t hash, line;
	uint32_t hits; /* of this line, still to be looked at */
	bool full;     /* this line is */
	bool began;
};

static inline uint32_t index_hits(const struct index_line *line, uint32_t hash, bool *ret_full)
{
#ifdef __SSE2__
	const __m128i *h = (const __m128i *)(const void *)line->hash;
	const __m128i *it = (const __m128i *)(const void *)line->item;
	__m128i want = _mm_set1_epi32((int)hash), none = _mm_set1_epi32(-1);
	__m128i low = _mm_cmpeq_epi32(h[0], want), high = _mm_cmpeq_epi32(h[1], want);
	__m128i free_low = _mm_cmpeq_epi32(it[0], none), free_high = _mm_cmpeq_epi32(it[1], none);
	uint32_t hits = (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(low)) |
		(uint32_t)_mm_movemask_ps(_mm_castsi128_ps(high)) << 4;
	uint32_t free = (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(free_low)) |
		(uint32_t)_mm_movemask_ps(_mm_castsi128_ps(free_high)) << 4;
#else
	uint32_t hits = 0, free = 0;
	for (unsigned i = 0; i < 8; i++) {
		hits |= (uint32_t)(line->hash[i] == hash) << i;
		free |= (uint32_t)(line->item[i] == TABLE_NONE) << i;
	}
#endif
	*ret_full = free == 0;
	return hits & ~free;
}

static inline void index_prefetch(const struct index *index, uint32_t hash)
{
	__builtin_prefetch(&index->lines[index_home(index, hash)]);
}

static inline struct index_search index_search(uint32_t hash)
{
	return (struct index_search){ .hash = hash };
}

static inline uint32_t index_next(const struct index *index, struct index_search *s)
{
	if (!s->began) {
		s->began = true;
		s->line = index_home(index, s->hash);
		s->hits = index_hits(&index->lines[s->line], s->hash, &s->full);
	}
	while (s->hits == 0) {
		if (!s->full)
			return TABLE_NONE;
		s->line = index_after(index, s->line);
		s->hits = index_hits(&index->lines[s->line], s->hash, &s->full);
	}
	unsigned slot = (unsigned)__builtin_ctz(s->hits);
	s->hits &= s->hits - 1;
	return index->lines[s->line].item[slot];
}

/* 128 bits into 32, each of which depends on all. */
static inline uint32_t table_hash(uint64_t a, uint64_t b)
{
	unsigned __int128 m = (unsigned __int128)(a ^ UINT64_C(0x9e3779b97f4a7c15)) *
		(b ^ UINT64_C(0xe7037ed1a0b428db));
	uint64_t h = (uint64_t)m ^ (uint64_t)(m >> 64);
	return (uint32_t)(h ^ h >> 32);
}

#endif
