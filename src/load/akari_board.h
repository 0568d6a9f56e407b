/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A Light Up (Akari) puzzle as written down: floor, walls, and walls with a number of lamps.
 * Reads the text grid and the game ID of the portable puzzle collection. */
#ifndef LOAD_AKARI_BOARD_H
#define LOAD_AKARI_BOARD_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

enum {
	AKARI_FLOOR = -2,
	AKARI_WALL = -1, /* without a number; 0 to 4: with that number */
	AKARI_SIDE_MAX = 200,
};

struct akari_board {
	unsigned width, height;
	signed char *cells; /* width * height, row by row */
};

/* Text grid: one line per row, '.' or '_' floor, '#', 'B' or 'X' wall, '0' to '4' wall with
 * that number; blanks between cells do not count, nor do empty lines around the grid and lines
 * that begin with ';'.
 * Game ID: one line, WIDTHxHEIGHT[parameters]:cells, where 'a' to 'z' are 1 to 26 floor cells,
 * 'B' is a wall and '0' to '4' one with that number.
 * Errors: -EINVAL LT-AKARI-SYNTAX, the text begins with name:line:column; -ENOMEM. */
int akari_board_parse(const char *text, size_t len, const char *name, struct akari_board *ret_board,
	struct lt_err *err);

/* The same from a file, "-" being standard input. Errors: also LT-AKARI-OPEN and of reading. */
int akari_board_load(const char *path, struct akari_board *ret_board, struct lt_err *err);

void akari_board_done(struct akari_board *board);

/* Adds the board as a text grid, with '*' where lamps[cell] is not 0; lamps may be NULL. */
void akari_board_print(
	const struct akari_board *board, const unsigned char *lamps, struct lt_buf *out);

#endif
