/* SPDX-License-Identifier: MIT */
/* Slabs and the index over them. */
#include "router/node/table.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

enum {
	INDEX_LINES_MIN = 64,
	INDEX_FULL = 6, /* items to a line, on average, at which the index grows by half */
};

static void *map(size_t bytes)
{
	void *mem = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (mem == MAP_FAILED)
		return NULL;
	if (bytes >= (size_t)2 << 20)
		madvise(mem, bytes, MADV_HUGEPAGE); /* a wish: without it all works too */
	return mem;
}

int slab_init(struct slab *slab, size_t size, uint32_t max)
{
	*slab = (struct slab){ .size = size, .max = max, .free = TABLE_NONE };
	slab->base = max ? map(size * max) : NULL;
	return slab->base || !max ? 0 : -ENOMEM;
}

void slab_done(struct slab *slab)
{
	if (slab->base)
		munmap(slab->base, slab->size * slab->max);
	slab->base = NULL;
}

uint32_t slab_take(struct slab *slab)
{
	uint32_t number = slab->free;
	if (number != TABLE_NONE) {
		char *item = slab_at(slab, number);
		memcpy(&slab->free, item, sizeof(slab->free));
		memset(item, 0, slab->size);
	} else if (slab->used < slab->max) {
		number = slab->used++;
	} else {
		return TABLE_NONE;
	}
	slab->live++;
	return number;
}

void slab_put(struct slab *slab, uint32_t number)
{
	memcpy(slab_at(slab, number), &slab->free, sizeof(slab->free));
	slab->free = number;
	slab->live--;
}

static struct index_line *make_lines(size_t n)
{
	struct index_line *lines = map(n * sizeof(*lines));
	if (lines)
		memset(lines, 0xff, n * sizeof(*lines));
	return lines;
}

int index_init(struct index *index)
{
	index->lines = make_lines(INDEX_LINES_MIN);
	index->n = INDEX_LINES_MIN;
	index->used = 0;
	return index->lines ? 0 : -ENOMEM;
}

void index_done(struct index *index)
{
	if (index->lines)
		munmap(index->lines, index_bytes(index));
	index->lines = NULL;
}

size_t index_bytes(const struct index *index)
{
	return (size_t)index->n * sizeof(*index->lines);
}

static void put(struct index *index, uint32_t hash, uint32_t item)
{
	for (uint32_t at = index_home(index, hash);; at = index_after(index, at)) {
		struct index_line *line = &index->lines[at];
		for (unsigned i = 0; i < 8; i++) {
			if (line->item[i] == TABLE_NONE) {
				line->hash[i] = hash;
				line->item[i] = item;
				return;
			}
		}
	}
}

static bool grow(struct index *index)
{
	struct index bigger = { .n = index->n + index->n / 2, .used = index->used };
	bigger.lines = make_lines(bigger.n);
	if (!bigger.lines)
		return false;
	for (size_t l = 0; l < index->n; l++) {
		const struct index_line *line = &index->lines[l];
		for (unsigned i = 0; i < 8; i++) {
			if (line->item[i] != TABLE_NONE)
				put(&bigger, line->hash[i], line->item[i]);
		}
	}
	index_done(index);
	*index = bigger;
	return true;
}

bool index_add(struct index *index, uint32_t hash, uint32_t item)
{
	if (index->used >= (uint64_t)index->n * INDEX_FULL && !grow(index))
		return false;
	put(index, hash, item);
	index->used++;
	return true;
}

static bool is_full(const struct index_line *line)
{
	for (unsigned i = 0; i < 8; i++) {
		if (line->item[i] == TABLE_NONE)
			return false;
	}
	return true;
}

/* Lines from one to another, onwards. */
static uint32_t distance(const struct index *index, uint32_t from, uint32_t to)
{
	return to >= from ? to - from : to + index->n - from;
}

/* Frees a place of a line. If the line was full, an item further on may be there only because it
 * was: that one comes back, and leaves a free place of its own. */
static void free_place(struct index *index, uint32_t hole, unsigned place)
{
	bool more = is_full(&index->lines[hole]);
	index->lines[hole].item[place] = TABLE_NONE;
	for (uint32_t at = hole; more;) {
		at = index_after(index, at);
		struct index_line *line = &index->lines[at];
		more = is_full(line);
		for (unsigned i = 0; i < 8; i++) {
			if (line->item[i] == TABLE_NONE ||
				distance(index, index_home(index, line->hash[i]), at) <
					distance(index, hole, at))
				continue;
			index->lines[hole].hash[place] = line->hash[i];
			index->lines[hole].item[place] = line->item[i];
			line->item[i] = TABLE_NONE;
			hole = at;
			place = i;
			break;
		}
	}
}

void index_remove(struct index *index, uint32_t hash, uint32_t item)
{
	for (uint32_t at = index_home(index, hash);; at = index_after(index, at)) {
		struct index_line *line = &index->lines[at];
		for (unsigned i = 0; i < 8; i++) {
			if (line->item[i] == item && line->hash[i] == hash) {
				free_place(index, at, i);
				index->used--;
				return;
			}
		}
		if (!is_full(line))
			return;
	}
}
