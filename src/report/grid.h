/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows and columns: cells are collected first, so that columns are as wide as they need. */
#ifndef REPORT_GRID_H
#define REPORT_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"

struct grid {
	const char *align; /* one letter per column: 'l' or 'r' */
	size_t cell_max;   /* columns of text; what is longer is cut; 0 = 28 */
	size_t width;      /* of a printed line: the last cell gives way; 0 = as long as it is */
	struct lt_arena arena;
	char **cells; /* row by row */
	size_t n, cap;
	bool failed;
};

void grid_done(struct grid *g);

#define GRID_AUTO LT_AUTO(grid_done)

/* The next cell. */
void grid_add(struct grid *g, const char *text);
void grid_addf(struct grid *g, const char *fmt, ...) LT_PRINTF(2, 3);

/* The next cells: grid_row(g, "point", "wall"). */
#define grid_row(g, ...)                                          \
	grid_add_cells((g), (const char *const[]){ __VA_ARGS__ }, \
		LT_COUNT(((const char *const[]){ __VA_ARGS__ })))
void grid_add_cells(struct grid *g, const char *const *cells, size_t n);

/* Is there anything below the first row? */
bool grid_has_rows(const struct grid *g);

/* Lines of text, `gap` blanks between columns, the last column not padded. */
void grid_print(const struct grid *g, size_t indent, size_t gap, struct lt_buf *out);

/* A GitHub table whose first row is the header. */
void grid_markdown(const struct grid *g, struct lt_buf *out);

/* Text that Markdown takes literally, also within a table. */
void markdown_text(struct lt_buf *out, const char *text);

#endif
