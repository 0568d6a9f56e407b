/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of what a program told of itself, for text and Markdown alike. Inside this room only. */
#ifndef REPORT_PROGRAM_GRID_H
#define REPORT_PROGRAM_GRID_H

#include "record/program.h"
#include "report/grid.h"

enum {
	PROGRAM_COLUMNS = 16,
	PROGRAM_REASONS = 4,
};

/* One table: the parts of a kind of one variant's process. */
struct program_grid {
	struct grid grid;
	char align[PROGRAM_COLUMNS + 1];
	const char *title;
	size_t hidden;   /* rows that were left out */
	size_t cut;      /* columns that were */
	bool estimated;  /* some name is marked '^' */
	unsigned causes; /* threads: bit of each wait that has a column, by program_cause_text */
	const char *reasons[PROGRAM_REASONS]; /* why cells are n/a; NULL at the end if fewer */
};

/* What to show. */
struct program_view {
	const struct record *rec;
	unsigned variant;
	const char *process;
	size_t rows; /* at most; 0 = all */
	bool narrow; /* fits a line of 80 columns: names are cut, minor waits left out */
};

/* Tables there are, in the order to show them. A rare one is for who wants to know all. */
size_t program_tables(void);
bool program_table_is_rare(size_t table);

/* Fills *ret; false when there is nothing to show. Always program_grid_done() afterwards. */
bool program_grid_fill(size_t table, const struct program_view *view, struct program_grid *ret);
void program_grid_done(struct program_grid *g);

/* What the column of the i-th wait means; NULL behind the last. */
const char *program_cause_text(size_t i);

/* The process of the variant that follows `before`; the first where that is NULL, and NULL at the
 * end. */
const struct program_part *program_next_process(
	const struct record *rec, unsigned variant, const struct program_part *before);

/* "router", "worker (child), 4 processes", "A"; "" where the record has but one process and one
 * variant. */
void program_process_title(const struct record *rec, unsigned variant,
	const struct program_part *process, struct lt_buf *out);

#endif
