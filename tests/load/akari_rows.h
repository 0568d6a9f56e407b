/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts the solutions of a Light Up puzzle without any search: cell by cell, row by row, it
 * keeps for each state of the border between done and open cells how many ways lead there.
 * Shares no code with the solver that it judges, nor the way of thinking: for tests. */
#ifndef TESTS_AKARI_ROWS_H
#define TESTS_AKARI_ROWS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum {
	ROWS_WIDTH_MAX = 12,
	ROWS_BITS = 5, /* of a column: two for its run of floor, three for the cell above */
	RUN_FREE = 0,  /* no lamp in the run so far, and every cell of it is lit from the side */
	RUN_OWED = 1,  /* a cell of the run waits for a lamp further down */
	RUN_LIT = 2,   /* the run has its lamp */
};

/* The border: per column the two fields, and on top whether the row's run has a lamp. Above a
 * floor cell the three bits say whether it holds a lamp, above a clue how many it still needs. */
#define ROWS_ROW_LIT (1ULL << (ROWS_WIDTH_MAX * ROWS_BITS))

struct rows_map {
	uint64_t *key, *count;
	size_t room, used;
};

static inline void rows_add(struct rows_map *m, uint64_t key, uint64_t count);

static inline void rows_map_init(struct rows_map *m, size_t room)
{
	m->room = room;
	m->used = 0;
	m->key = calloc(room, sizeof(uint64_t));
	m->count = calloc(room, sizeof(uint64_t)); /* 0: free */
	if (!m->key || !m->count)
		abort();
}

static inline void rows_map_done(struct rows_map *m)
{
	free(m->key);
	free(m->count);
}

static inline void rows_grow(struct rows_map *m)
{
	struct rows_map old = *m;

	rows_map_init(m, old.room * 2);
	for (size_t i = 0; i < old.room; i++)
		if (old.count[i])
			rows_add(m, old.key[i], old.count[i]);
	rows_map_done(&old);
}

static inline void rows_add(struct rows_map *m, uint64_t key, uint64_t count)
{
	if (m->used * 2 >= m->room)
		rows_grow(m);
	size_t i = (size_t)((key * 0x9e3779b97f4a7c15ULL) >> 20) & (m->room - 1);
	while (m->count[i] && m->key[i] != key)
		i = (i + 1) & (m->room - 1);
	m->used += !m->count[i];
	m->key[i] = key;
	m->count[i] += count;
}

static inline unsigned rows_run(uint64_t s, unsigned x)
{
	return (unsigned)(s >> (x * ROWS_BITS)) & 3;
}

static inline unsigned rows_above(uint64_t s, unsigned x)
{
	return (unsigned)(s >> (x * ROWS_BITS + 2)) & 7;
}

static inline uint64_t rows_set(uint64_t s, unsigned x, unsigned run, unsigned above)
{
	s &= ~(31ULL << (x * ROWS_BITS));
	return s | (uint64_t)(run | above << 2) << (x * ROWS_BITS);
}

struct rows_grid {
	const signed char *cells; /* -2 floor, -1 wall, else clue; row by row */
	unsigned width, height;
};

static inline int rows_cell(const struct rows_grid *g, unsigned x, unsigned y)
{
	return x < g->width && y < g->height ? g->cells[y * g->width + x] : -1;
}

/* The row's run has ended at x without a lamp: what is not lit from above waits. */
static inline uint64_t rows_close_dark(
	const struct rows_grid *g, uint64_t s, unsigned x, unsigned y)
{
	for (unsigned i = x + 1; i-- > 0 && rows_cell(g, i, y) == -2;)
		if (rows_run(s, i) == RUN_FREE)
			s = rows_set(s, i, RUN_OWED, rows_above(s, i));
	return s;
}

static inline void rows_floor(const struct rows_grid *g, struct rows_map *to, uint64_t s,
	uint64_t count, unsigned x, unsigned y)
{
	bool clue_above = y > 0 && rows_cell(g, x, y - 1) >= 0;
	bool clue_left = x > 0 && rows_cell(g, x - 1, y) >= 0;
	bool run_ends = rows_cell(g, x + 1, y) != -2;

	/* Without a lamp. */
	if (!clue_above || rows_above(s, x) == 0) {
		uint64_t t = rows_set(s, x, rows_run(s, x), 0);
		if (run_ends && !(t & ROWS_ROW_LIT))
			t = rows_close_dark(g, t, x, y);
		if (run_ends)
			t &= ~ROWS_ROW_LIT;
		rows_add(to, t, count);
	}
	/* With a lamp. */
	if ((s & ROWS_ROW_LIT) || rows_run(s, x) == RUN_LIT)
		return;
	if (clue_above && rows_above(s, x) != 1)
		return;
	if (clue_left) {
		if (rows_above(s, x - 1) == 0)
			return;
		s = rows_set(s, x - 1, rows_run(s, x - 1), rows_above(s, x - 1) - 1);
	}
	s = rows_set(s, x, RUN_LIT, 1);
	rows_add(to, run_ends ? s & ~ROWS_ROW_LIT : s | ROWS_ROW_LIT, count);
}

static inline void rows_wall(const struct rows_grid *g, struct rows_map *to, uint64_t s,
	uint64_t count, unsigned x, unsigned y)
{
	int need = rows_cell(g, x, y);
	bool above_is_clue = y > 0 && rows_cell(g, x, y - 1) >= 0;

	if (rows_run(s, x) == RUN_OWED || (above_is_clue && rows_above(s, x) != 0))
		return;
	if (need >= 0) {
		if (y > 0 && rows_cell(g, x, y - 1) == -2)
			need -= (int)rows_above(s, x);
		if (x > 0 && rows_cell(g, x - 1, y) == -2)
			need -= (int)rows_above(s, x - 1);
		if (need < 0)
			return;
	}
	rows_add(to, rows_set(s, x, RUN_FREE, need > 0 ? (unsigned)need : 0), count);
}

static inline bool rows_all_settled(const struct rows_grid *g, uint64_t s)
{
	for (unsigned x = 0; x < g->width; x++) {
		if (rows_run(s, x) == RUN_OWED)
			return false;
		if (rows_cell(g, x, g->height - 1) >= 0 && rows_above(s, x) != 0)
			return false;
	}
	return true;
}

static inline uint64_t rows_count(const struct rows_grid *g)
{
	struct rows_map now, next;
	uint64_t total = 0;

	if (g->width > ROWS_WIDTH_MAX)
		abort();
	rows_map_init(&now, 64);
	rows_add(&now, 0, 1);
	for (unsigned i = 0; i < g->width * g->height; i++) {
		unsigned x = i % g->width, y = i / g->width;
		rows_map_init(&next, now.room);
		for (size_t k = 0; k < now.room; k++) {
			if (!now.count[k])
				continue;
			if (rows_cell(g, x, y) == -2)
				rows_floor(g, &next, now.key[k], now.count[k], x, y);
			else
				rows_wall(g, &next, now.key[k], now.count[k], x, y);
		}
		rows_map_done(&now);
		now = next;
	}
	for (size_t k = 0; k < now.room; k++)
		if (now.count[k] && rows_all_settled(g, now.key[k]))
			total += now.count[k];
	rows_map_done(&now);
	return total;
}

#endif
