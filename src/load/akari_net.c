/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Light Up: the net of constraints and the propagation over it. Each line and each clue counts
 * its open cells, so a decision costs time only where it matters. */
#include "load/akari_net.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/* --- the net --- */

static uint64_t mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15ULL;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

static bool is_floor(const struct akari_board *b, int x, int y)
{
	return x >= 0 && y >= 0 && x < (int)b->width && y < (int)b->height &&
		b->cells[(unsigned)y * b->width + (unsigned)x] == AKARI_FLOOR;
}

static void number_cells(struct akari_net *net, const struct akari_board *b, uint16_t *number)
{
	net->n_cells = 0;
	for (uint32_t i = 0; i < b->width * b->height; i++) {
		if (b->cells[i] != AKARI_FLOOR)
			continue;
		net->place[net->n_cells] = i;
		net->key[net->n_cells] = mix(i);
		number[i] = (uint16_t)net->n_cells++;
	}
}

/* The line that begins at (x, y); (dx, dy) is a step along it. */
static void add_line(struct akari_net *net, const struct akari_board *b, const uint16_t *number,
	int x, int y, int dx, int dy)
{
	uint32_t fill = net->line_first[net->n_lines];

	for (; is_floor(b, x, y); x += dx, y += dy) {
		uint16_t cell = number[(unsigned)y * b->width + (unsigned)x];
		net->line_of[cell][dy] = (uint16_t)net->n_lines;
		net->line_cells[fill++] = cell;
	}
	net->line_first[++net->n_lines] = fill;
}

/* Lines of one direction. */
static void add_lines(
	struct akari_net *net, const struct akari_board *b, const uint16_t *number, int dx, int dy)
{
	for (int y = 0; y < (int)b->height; y++)
		for (int x = 0; x < (int)b->width; x++)
			if (is_floor(b, x, y) && !is_floor(b, x - dx, y - dy))
				add_line(net, b, number, x, y, dx, dy);
}

static void add_clue(struct akari_net *net, const struct akari_board *b, const uint16_t *number,
	int x, int y, uint8_t clue)
{
	static const int step[4][2] = { { 0, -1 }, { -1, 0 }, { 1, 0 }, { 0, 1 } };
	unsigned k = net->n_clues++;

	net->clue[k] = clue;
	for (unsigned s = 0; s < 4; s++) {
		int u = x + step[s][0], v = y + step[s][1];
		if (!is_floor(b, u, v))
			continue;
		uint16_t cell = number[(unsigned)v * b->width + (unsigned)u];
		net->around[k][net->n_around[k]++] = cell;
		net->clues_of[cell][net->n_clues_of[cell]++] = (uint16_t)k;
	}
	if (clue > net->n_around[k])
		net->hopeless = true;
}

static void add_clues(struct akari_net *net, const struct akari_board *b, const uint16_t *number)
{
	for (int y = 0; y < (int)b->height; y++) {
		for (int x = 0; x < (int)b->width; x++) {
			signed char cell = b->cells[(unsigned)y * b->width + (unsigned)x];
			if (cell >= 0)
				add_clue(net, b, number, x, y, (uint8_t)cell);
		}
	}
}

int akari_net_init(struct akari_net *net, const struct akari_board *b, struct lt_err *err)
{
	size_t n = (size_t)b->width * b->height;
	LT_AUTO_FREE uint16_t *number = calloc(n, sizeof(*number));

	*net = (struct akari_net){ 0 };
	net->line_of = calloc(n, sizeof(*net->line_of));
	net->line_first = calloc(2 * n + 1, sizeof(*net->line_first));
	net->line_cells = calloc(2 * n, sizeof(*net->line_cells));
	net->n_clues_of = calloc(n, 1);
	net->clues_of = calloc(n, sizeof(*net->clues_of));
	net->n_around = calloc(n, 1);
	net->around = calloc(n, sizeof(*net->around));
	net->clue = calloc(n, 1);
	net->place = calloc(n, sizeof(*net->place));
	net->key = calloc(n, sizeof(*net->key));
	if (!number || !net->line_of || !net->line_first || !net->line_cells || !net->n_clues_of ||
		!net->clues_of || !net->n_around || !net->around || !net->clue || !net->place ||
		!net->key) {
		akari_net_done(net);
		return lt_fail_mem(err);
	}
	number_cells(net, b, number);
	add_lines(net, b, number, 1, 0);
	add_lines(net, b, number, 0, 1);
	add_clues(net, b, number);
	return 0;
}

void akari_net_done(struct akari_net *net)
{
	free(net->line_of);
	free(net->line_first);
	free(net->line_cells);
	free(net->n_clues_of);
	free(net->clues_of);
	free(net->n_around);
	free(net->around);
	free(net->clue);
	free(net->place);
	free(net->key);
	*net = (struct akari_net){ 0 };
}

/* --- positions --- */

size_t akari_pos_size(const struct akari_net *net)
{
	return sizeof(struct akari_pos) + net->n_cells + 2 * (size_t)net->n_lines +
		2 * (size_t)net->n_clues;
}

void akari_walk_init(
	struct akari_walk *w, const struct akari_net *net, struct akari_pos *pos, uint32_t *trail)
{
	*w = (struct akari_walk){ .net = net, .pos = pos, .trail = trail };
	w->cell = pos->bytes;
	w->line_open = w->cell + net->n_cells;
	w->line_lit = w->line_open + net->n_lines;
	w->clue_need = w->line_lit + net->n_lines;
	w->clue_open = w->clue_need + net->n_clues;
}

void akari_walk_reset(struct akari_walk *w)
{
	const struct akari_net *net = w->net;

	w->n_trail = w->n_seen = 0;
	w->pos->key = 0;
	w->pos->n_unlit = net->n_cells;
	memset(w->cell, AKARI_OPEN, net->n_cells);
	for (unsigned l = 0; l < net->n_lines; l++) {
		w->line_open[l] = (uint8_t)(net->line_first[l + 1] - net->line_first[l]);
		w->line_lit[l] = 0;
	}
	for (unsigned k = 0; k < net->n_clues; k++) {
		w->clue_need[k] = net->clue[k];
		w->clue_open[k] = net->n_around[k];
	}
}

static bool is_lit(const struct akari_walk *w, uint32_t c)
{
	const uint16_t *line = w->net->line_of[c];

	return w->line_lit[line[0]] || w->line_lit[line[1]];
}

/* How many open cells could light c, itself included. */
static unsigned lighters(const struct akari_walk *w, uint32_t c)
{
	const uint16_t *line = w->net->line_of[c];

	return (unsigned)w->line_open[line[0]] + w->line_open[line[1]] - (w->cell[c] == AKARI_OPEN);
}

/* An open cell becomes `now`; consequences are drawn later, from the trail. */
static void decide(struct akari_walk *w, uint32_t c, enum akari_cell now)
{
	const struct akari_net *net = w->net;

	w->cell[c] = (uint8_t)now;
	w->line_open[net->line_of[c][0]]--;
	w->line_open[net->line_of[c][1]]--;
	for (unsigned i = 0; i < net->n_clues_of[c]; i++)
		w->clue_open[net->clues_of[c][i]]--;
	w->trail[w->n_trail++] = c;
}

/* Darkens the open cells of line l, where a lamp comes, and counts what it lights first;
 * `other` is the direction that crosses the line. */
static void light_line(struct akari_walk *w, uint32_t l, unsigned other)
{
	const struct akari_net *net = w->net;

	for (uint32_t i = net->line_first[l]; i < net->line_first[l + 1]; i++) {
		uint32_t c = net->line_cells[i];
		w->pos->n_unlit -= !w->line_lit[net->line_of[c][other]];
		if (w->cell[c] == AKARI_OPEN)
			decide(w, c, AKARI_DARK);
	}
	w->line_lit[l] = 1;
}

/* False when a clue has enough lamps already. */
static bool put_lamp(struct akari_walk *w, uint32_t c)
{
	const struct akari_net *net = w->net;
	bool fits = true;

	decide(w, c, AKARI_LAMP);
	w->pos->key ^= net->key[c];
	for (unsigned i = 0; i < net->n_clues_of[c]; i++)
		fits &= w->clue_need[net->clues_of[c][i]]-- != 0;
	light_line(w, net->line_of[c][0], 1);
	light_line(w, net->line_of[c][1], 0);
	return fits;
}

/* --- propagation --- */

/* An open cell that could light c; there must be one. */
static uint32_t first_lighter(const struct akari_walk *w, uint32_t c)
{
	const struct akari_net *net = w->net;

	assert(lighters(w, c) > 0);
	for (unsigned d = 0; d < 2; d++) {
		uint32_t l = net->line_of[c][d];
		for (uint32_t i = net->line_first[l]; i < net->line_first[l + 1]; i++)
			if (w->cell[net->line_cells[i]] == AKARI_OPEN)
				return net->line_cells[i];
	}
	return c; /* not reached */
}

static bool check_cell(struct akari_walk *w, uint32_t c)
{
	unsigned n;

	if (is_lit(w, c))
		return true;
	n = lighters(w, c);
	return n > 1 || (n == 1 && put_lamp(w, first_lighter(w, c)));
}

/* A cell can run out of lighters only if both of its lines have at most one open cell. */
static bool check_line(struct akari_walk *w, uint32_t l)
{
	const struct akari_net *net = w->net;

	if (w->line_open[l] > 1)
		return true;
	for (uint32_t i = net->line_first[l]; i < net->line_first[l + 1]; i++) {
		if (w->line_lit[l])
			return true;
		if (!check_cell(w, net->line_cells[i]))
			return false;
	}
	return true;
}

static bool check_clue(struct akari_walk *w, uint32_t k)
{
	const struct akari_net *net = w->net;
	bool fits = true;

	if (w->clue_need[k] > w->clue_open[k])
		return false;
	if (w->clue_need[k] && w->clue_need[k] < w->clue_open[k])
		return true;
	bool lamps = w->clue_need[k];
	for (unsigned i = 0; i < net->n_around[k]; i++) {
		uint32_t c = net->around[k][i];
		if (w->cell[c] != AKARI_OPEN)
			continue;
		if (lamps)
			fits &= put_lamp(w, c);
		else
			decide(w, c, AKARI_DARK);
	}
	return fits;
}

/* Until every decision on the trail has had its consequences drawn. */
static bool propagate(struct akari_walk *w)
{
	const struct akari_net *net = w->net;

	while (w->n_seen < w->n_trail) {
		uint32_t c = w->trail[w->n_seen++];
		for (unsigned i = 0; i < net->n_clues_of[c]; i++)
			if (!check_clue(w, net->clues_of[c][i]))
				return false;
		if (!check_line(w, net->line_of[c][0]) || !check_line(w, net->line_of[c][1]))
			return false;
	}
	return true;
}

bool akari_walk_lamp(struct akari_walk *w, uint32_t cell)
{
	return put_lamp(w, cell) && propagate(w);
}

bool akari_walk_dark(struct akari_walk *w, uint32_t cell)
{
	decide(w, cell, AKARI_DARK);
	return propagate(w);
}

/* A lamp's lines were lit by it alone, so undoing mirrors light_line. */
static void unlight_line(struct akari_walk *w, uint32_t l, unsigned other)
{
	const struct akari_net *net = w->net;

	w->line_lit[l] = 0;
	for (uint32_t i = net->line_first[l]; i < net->line_first[l + 1]; i++)
		w->pos->n_unlit += !w->line_lit[net->line_of[net->line_cells[i]][other]];
}

void akari_walk_undo(struct akari_walk *w, uint32_t n_trail)
{
	const struct akari_net *net = w->net;

	while (w->n_trail > n_trail) {
		uint32_t c = w->trail[--w->n_trail];
		bool lamp = w->cell[c] == AKARI_LAMP;
		if (lamp) {
			unlight_line(w, net->line_of[c][1], 0);
			unlight_line(w, net->line_of[c][0], 1);
			w->pos->key ^= net->key[c];
		}
		for (unsigned i = 0; i < net->n_clues_of[c]; i++) {
			w->clue_need[net->clues_of[c][i]] += lamp;
			w->clue_open[net->clues_of[c][i]]++;
		}
		w->cell[c] = AKARI_OPEN;
		w->line_open[net->line_of[c][0]]++;
		w->line_open[net->line_of[c][1]]++;
	}
	w->n_seen = w->n_trail;
}

/* --- the start --- */

static bool first_consequences(struct akari_walk *w)
{
	for (unsigned k = 0; k < w->net->n_clues; k++)
		if (!check_clue(w, k))
			return false;
	for (uint32_t c = 0; c < w->net->n_cells; c++)
		if (!check_cell(w, c))
			return false;
	return propagate(w);
}

/* Tries both ways of one open cell; decides it if only one is left. */
static bool probe(struct akari_walk *w, uint32_t c)
{
	uint32_t mark = w->n_trail;

	bool lamp = akari_walk_lamp(w, c);
	akari_walk_undo(w, mark);
	if (!lamp)
		return akari_walk_dark(w, c);
	bool dark = akari_walk_dark(w, c);
	akari_walk_undo(w, mark);
	return dark || akari_walk_lamp(w, c);
}

bool akari_walk_begin(struct akari_walk *w)
{
	uint32_t before;

	if (w->net->hopeless || !first_consequences(w))
		return false;
	do {
		before = w->n_trail;
		for (uint32_t c = 0; c < w->net->n_cells; c++)
			if (w->cell[c] == AKARI_OPEN && !probe(w, c))
				return false;
	} while (w->n_trail > before);
	return true;
}

uint32_t akari_walk_choose(const struct akari_walk *w, uint32_t *first_unlit)
{
	const struct akari_net *net = w->net;
	uint32_t best = UINT32_MAX;
	unsigned fewest = UINT_MAX;

	for (uint32_t c = *first_unlit; c < net->n_cells && fewest > 2; c++) {
		if (is_lit(w, c))
			continue;
		unsigned n = lighters(w, c);
		if (best == UINT32_MAX)
			*first_unlit = c;
		if (n < fewest) {
			fewest = n;
			best = c;
		}
	}
	return w->cell[best] == AKARI_OPEN ? best : first_lighter(w, best);
}
