/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A Light Up puzzle as a net of constraints, and a position in its search: at most one lamp in
 * each line (a maximal straight run of floor), at least one in the two lines of each cell, an
 * exact number around each clue. Pure: no threads, no I/O. */
#ifndef LOAD_AKARI_NET_H
#define LOAD_AKARI_NET_H

#include <stdbool.h>
#include <stdint.h>

#include "load/akari_board.h"

/* The floor cells are numbered row by row, horizontal lines before vertical ones. */
struct akari_net {
	unsigned n_cells, n_lines, n_clues;
	uint16_t (*line_of)[2]; /* of a cell: its horizontal and its vertical line */
	uint32_t *line_first;   /* n_lines + 1; the cells of line l are line_cells[first..] */
	uint16_t *line_cells;
	uint8_t *n_clues_of; /* of a cell */
	uint16_t (*clues_of)[4];
	uint8_t *n_around; /* of a clue: floor cells beside it */
	uint16_t (*around)[4];
	uint8_t *clue;   /* its number */
	uint32_t *place; /* of a cell: its index on the board */
	uint64_t *key;   /* of a cell: random, for the sum over solutions */
	bool hopeless;   /* a clue asks for more lamps than it has neighbours */
};

int akari_net_init(struct akari_net *net, const struct akari_board *board, struct lt_err *err);
void akari_net_done(struct akari_net *net);

enum akari_cell {
	AKARI_DARK, /* no lamp */
	AKARI_OPEN, /* undecided */
	AKARI_LAMP,
};

/* A position is one block of bytes, so that a task can carry it: copy akari_pos_size(net) of
 * them. The trail that undoes moves is not part of it. */
struct akari_pos {
	uint64_t key;     /* exclusive or of the lamps' keys */
	uint32_t n_unlit; /* cells that no lamp lights */
	/* enum akari_cell of each cell; then for each line the number of open cells and whether
	 * it has a lamp; then for each clue the lamps it still needs and its open cells. */
	uint8_t bytes[];
};

/* What a searcher owns: a position and the moves that led there. */
struct akari_walk {
	const struct akari_net *net;
	struct akari_pos *pos;
	uint8_t *cell, *line_open, *line_lit, *clue_need, *clue_open; /* into pos->bytes */
	uint32_t *trail; /* the cells that stopped being open, in order; room for n_cells */
	uint32_t n_trail;
	uint32_t n_seen; /* of these, how many had their consequences drawn */
};

size_t akari_pos_size(const struct akari_net *net);

/* Sets up a walk in memory of the caller: `pos` of akari_pos_size bytes, `trail` of n_cells. */
void akari_walk_init(
	struct akari_walk *w, const struct akari_net *net, struct akari_pos *pos, uint32_t *trail);

/* Before the first move; then akari_walk_begin draws the first consequences and tries each open
 * cell both ways, until nothing more follows. False: no solution. */
void akari_walk_reset(struct akari_walk *w);
bool akari_walk_begin(struct akari_walk *w);

/* Decide an open cell and all that follows; false: a contradiction (undo it then). */
bool akari_walk_lamp(struct akari_walk *w, uint32_t cell);
bool akari_walk_dark(struct akari_walk *w, uint32_t cell);

/* Back to when the trail had n_trail entries. */
void akari_walk_undo(struct akari_walk *w, uint32_t n_trail);

/* An open cell worth deciding next: one that could light the cell with the fewest left to light
 * it. Only while pos->n_unlit is not 0. All cells below *first_unlit must be lit; it is moved up
 * to the first that is not, and stays right as long as nothing is undone. */
uint32_t akari_walk_choose(const struct akari_walk *w, uint32_t *first_unlit);

#endif
