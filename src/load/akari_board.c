/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading and printing Light Up puzzles. The reader walks the bytes once and knows its line and
 * column, so that each complaint says where. */
#include "load/akari_board.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct reader {
	const char *name; /* of the file, for messages */
	const char *at, *end;
	unsigned line;
	const char *line_start;
};

enum {
	NOT_A_CELL = -3,
	FILE_MAX = 1 << 20,
};

static unsigned column(const struct reader *r)
{
	return (unsigned)(r->at - r->line_start) + 1;
}

LT_PRINTF(3, 4)
static int fail_at(const struct reader *r, struct lt_err *err, const char *fmt, ...)
{
	char what[200];
	va_list args;

	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	return lt_fail(
		err, -EINVAL, "LT-AKARI-SYNTAX", "%s:%u:%u: %s", r->name, r->line, column(r), what);
}

/* Bytes that do not print are named by number. */
static const char *byte_name(char c, char out[8])
{
	if (c > ' ' && c <= '~')
		snprintf(out, 8, "'%c'", c);
	else
		snprintf(out, 8, "0x%02x", (unsigned)(unsigned char)c);
	return out;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static const char *line_end(const struct reader *r)
{
	const char *nl = memchr(r->at, '\n', (size_t)(r->end - r->at));

	return nl ? nl : r->end;
}

static void next_line(struct reader *r)
{
	const char *end = line_end(r);

	r->at = end < r->end ? end + 1 : end;
	r->line_start = r->at;
	r->line++;
}

static void skip_blanks(struct reader *r, const char *end)
{
	while (r->at < end && is_blank(*r->at))
		r->at++;
}

/* To the first line that says something. */
static bool find_content(struct reader *r)
{
	while (r->at < r->end) {
		const char *end = line_end(r);
		skip_blanks(r, end);
		if (r->at < end && *r->at != ';')
			return true;
		next_line(r);
	}
	return false;
}

static int cell_of(char c)
{
	switch (c) {
	case '.':
	case '_':
		return AKARI_FLOOR;
	case '#':
	case 'B':
	case 'X':
		return AKARI_WALL;
	case '0':
	case '1':
	case '2':
	case '3':
	case '4':
		return c - '0';
	default:
		return NOT_A_CELL;
	}
}

static int bad_cell(const struct reader *r, struct lt_err *err)
{
	char name[8];

	fail_at(r, err, "%s is not a cell", byte_name(*r->at, name));
	if (*r->at == '-')
		return lt_hint(
			err, "collections differ on '-': write '.' for floor, '#' for a wall");
	if (strchr("*LO", *r->at))
		return lt_hint(err, "if that is a lamp: give the puzzle without its solution");
	return lt_hint(
		err, "cells are '.' for floor, '#' for a wall, '0' to '4' for a numbered one");
}

static int finish(struct lt_buf *cells, unsigned width, unsigned height,
	struct akari_board *ret_board, struct lt_err *err)
{
	if (cells->failed)
		return lt_fail_mem(err);
	ret_board->width = width;
	ret_board->height = height;
	ret_board->cells = (signed char *)LT_TAKE(cells->data);
	return 0;
}

/* --- the text grid --- */

static int read_row(struct reader *r, struct lt_buf *cells, unsigned *ret_width, struct lt_err *err)
{
	const char *end = line_end(r);
	unsigned width = 0;

	for (; r->at < end; r->at++) {
		if (is_blank(*r->at))
			continue;
		int cell = cell_of(*r->at);
		if (cell == NOT_A_CELL)
			return bad_cell(r, err);
		if (width == AKARI_SIDE_MAX)
			return fail_at(r, err, "more than %d cells in a row", AKARI_SIDE_MAX);
		signed char byte = (signed char)cell;
		lt_buf_add(cells, &byte, 1);
		width++;
	}
	*ret_width = width;
	return 0;
}

static int read_grid(struct reader *r, struct akari_board *ret_board, struct lt_err *err)
{
	LT_AUTO_BUF struct lt_buf cells = { 0 };
	unsigned width = 0, height = 0, last_line = 0;

	for (; find_content(r); next_line(r)) {
		unsigned row_width = 0;
		if (height == AKARI_SIDE_MAX)
			return fail_at(r, err, "more than %d rows", AKARI_SIDE_MAX);
		int e = read_row(r, &cells, &row_width, err);
		if (e < 0)
			return e;
		if (height && row_width != width)
			return fail_at(
				r, err, "a row of %u cells, those above have %u", row_width, width);
		if (height && r->line != last_line + 1)
			return fail_at(
				r, err, "a row after a gap; the grid ended in line %u", last_line);
		width = row_width;
		last_line = r->line;
		height++;
	}
	return finish(&cells, width, height, ret_board, err);
}

/* --- the game ID --- */

static int read_side(
	struct reader *r, const char *end, const char *what, unsigned *ret_side, struct lt_err *err)
{
	const char *start = r->at;
	unsigned side = 0;

	for (; r->at < end && *r->at >= '0' && *r->at <= '9' && side <= AKARI_SIDE_MAX; r->at++)
		side = side * 10 + (unsigned)(*r->at - '0');
	if (r->at == start)
		return fail_at(r, err, "a game ID needs the %s here", what);
	if (side < 1 || side > AKARI_SIDE_MAX) {
		r->at = start;
		return fail_at(r, err, "the %s must be 1 to %d", what, AKARI_SIDE_MAX);
	}
	*ret_side = side;
	return 0;
}

/* Share of walls, symmetry, difficulty: how the puzzle was made, of no use here. */
static int skip_parameters(struct reader *r, const char *end, struct lt_err *err)
{
	char name[8];

	for (; r->at < end && *r->at != ':'; r->at++) {
		if (*r->at == '#') {
			fail_at(r, err, "a random seed, not a puzzle");
			return lt_hint(err, "give the specific ID, with ':' in place of '#'");
		}
		if (!strchr("bsdr0123456789", *r->at))
			return fail_at(r, err, "%s in the parameters of a game ID",
				byte_name(*r->at, name));
	}
	if (r->at == end)
		return fail_at(r, err, "the game ID has no ':' and no cells");
	r->at++;
	return 0;
}

static int read_id_cells(
	struct reader *r, const char *end, size_t n, struct lt_buf *cells, struct lt_err *err)
{
	for (; r->at < end; r->at++) {
		char c = *r->at;
		bool run = c >= 'a' && c <= 'z';
		size_t length = run ? (size_t)(c - 'a') + 1 : 1;
		int cell = run                               ? AKARI_FLOOR
			: c == 'B' || (c >= '0' && c <= '4') ? cell_of(c)
							     : NOT_A_CELL;
		char name[8];
		if (cell == NOT_A_CELL) {
			fail_at(r, err, "%s in the cells of a game ID", byte_name(c, name));
			return lt_hint(err, "letters a to z, B, and digits 0 to 4 are allowed");
		}
		if (length > n - cells->len)
			return fail_at(r, err, "the cells go beyond the board, which has %zu", n);
		signed char row[26];
		memset(row, cell, sizeof(row));
		lt_buf_add(cells, row, length);
		if (cells->failed)
			return lt_fail_mem(err);
	}
	if (cells->len < n)
		return fail_at(r, err, "the cells end after %zu of %zu", cells->len, n);
	return 0;
}

static int read_game_id(struct reader *r, struct akari_board *ret_board, struct lt_err *err)
{
	LT_AUTO_BUF struct lt_buf cells = { 0 };
	const char *end = line_end(r);
	unsigned width = 0, height;

	while (end > r->at && is_blank(end[-1]))
		end--;
	int e = read_side(r, end, "width", &width, err);
	if (e < 0)
		return e;
	height = width; /* "7:" is short for "7x7:" */
	if (r->at < end && *r->at == 'x') {
		r->at++;
		e = read_side(r, end, "height", &height, err);
		if (e < 0)
			return e;
	}
	e = skip_parameters(r, end, err);
	if (e < 0)
		return e;
	e = read_id_cells(r, end, (size_t)width * height, &cells, err);
	if (e < 0)
		return e;
	next_line(r);
	if (find_content(r))
		return fail_at(r, err, "more text after the game ID");
	return finish(&cells, width, height, ret_board, err);
}

/* A game ID has a colon or begins with its size; no row of a grid does either. */
static bool is_game_id(const struct reader *r)
{
	const char *end = line_end(r), *p = r->at;

	if (memchr(p, ':', (size_t)(end - p)))
		return true;
	while (p < end && *p >= '0' && *p <= '9')
		p++;
	return p > r->at && p < end && *p == 'x';
}

/* --- the whole --- */

int akari_board_parse(const char *text, size_t len, const char *name, struct akari_board *ret_board,
	struct lt_err *err)
{
	struct reader r = {
		.name = name, .at = text, .end = text + len, .line = 1, .line_start = text
	};

	if (!find_content(&r))
		return fail_at(&r, err, "no puzzle in it");
	return is_game_id(&r) ? read_game_id(&r, ret_board, err) : read_grid(&r, ret_board, err);
}

int akari_board_load(const char *path, struct akari_board *ret_board, struct lt_err *err)
{
	bool from_stdin = !strcmp(path, "-");
	LT_AUTO_CLOSE int opened = from_stdin ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	LT_AUTO_BUF struct lt_buf text = { 0 };

	if (!from_stdin && opened < 0)
		return lt_fail_sys(err, "LT-AKARI-OPEN", "cannot open puzzle '%s'", path);
	const char *name = from_stdin ? "standard input" : path;
	int e = lt_buf_read_fd(&text, from_stdin ? STDIN_FILENO : opened, name, FILE_MAX, err);
	if (e < 0)
		return e;
	return akari_board_parse(text.data ? text.data : "", text.len, name, ret_board, err);
}

void akari_board_done(struct akari_board *board)
{
	free(board->cells);
	board->cells = NULL;
}

void akari_board_print(
	const struct akari_board *board, const unsigned char *lamps, struct lt_buf *out)
{
	for (size_t i = 0; i < (size_t)board->width * board->height; i++) {
		signed char cell = board->cells[i];
		char c = (char)(cell >= 0 ? '0' + cell : cell == AKARI_WALL ? '#' : '.');
		if (lamps && lamps[i])
			c = '*';
		lt_buf_add(out, &c, 1);
		if ((i + 1) % board->width == 0)
			lt_buf_adds(out, "\n");
	}
}
