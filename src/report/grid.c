/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells into columns. */
#include "report/grid.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report/page.h"

enum {
	CELL_MAX = 28,
	LAST_MIN = 8, /* columns the last cell keeps, however narrow the line */
};

void grid_done(struct grid *g)
{
	lt_arena_done(&g->arena);
}

void grid_add(struct grid *g, const char *text)
{
	if (g->n == g->cap && !g->failed) {
		size_t cap = g->cap ? 2 * g->cap : 64;
		char **more = lt_arena_alloc(&g->arena, cap * sizeof(*more));
		if (more && g->n)
			memcpy(more, g->cells, g->n * sizeof(*more));
		if (more) {
			g->cells = more;
			g->cap = cap;
		}
	}
	char *copy = g->n < g->cap ? lt_arena_strdup(&g->arena, text) : NULL;
	if (copy)
		g->cells[g->n++] = copy;
	else
		g->failed = true;
}

void grid_add_cells(struct grid *g, const char *const *cells, size_t n)
{
	for (size_t i = 0; i < n; i++)
		grid_add(g, cells[i]);
}

bool grid_has_rows(const struct grid *g)
{
	return g->n > strlen(g->align);
}

void grid_addf(struct grid *g, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	LT_AUTO_FREE char *text = NULL;
	if (vasprintf(&text, fmt, ap) < 0)
		g->failed = true;
	else
		grid_add(g, text);
	va_end(ap);
}

static size_t cell_max(const struct grid *g)
{
	return g->cell_max ? g->cell_max : CELL_MAX;
}

static size_t columns_of(const struct grid *g, const char *text, struct lt_buf *scratch)
{
	lt_buf_reset(scratch);
	return page_text(scratch, text, cell_max(g));
}

/* The columns that are left of the line for its last cell. */
static size_t room_of_last(
	const struct grid *g, size_t n, const size_t *width, size_t indent, size_t gap)
{
	size_t used = indent;
	for (size_t col = 0; col + 1 < n; col++)
		used += width[col] + gap;
	if (!g->width || used + cell_max(g) <= g->width)
		return cell_max(g);
	return g->width > used + LAST_MIN ? g->width - used : LAST_MIN;
}

void grid_print(const struct grid *g, size_t indent, size_t gap, struct lt_buf *out)
{
	size_t n = strlen(g->align), width[16] = { 0 };
	LT_AUTO_BUF struct lt_buf scratch = { 0 };
	for (size_t i = 0; i < g->n; i++) {
		size_t w = columns_of(g, g->cells[i], &scratch);
		if (w > width[i % n])
			width[i % n] = w;
	}
	size_t last = room_of_last(g, n, width, indent, gap);
	for (size_t i = 0; i < g->n; i++) {
		size_t col = i % n, pad = width[col] - columns_of(g, g->cells[i], &scratch);
		page_blanks(out, col ? gap : indent);
		if (g->align[col] == 'r')
			page_blanks(out, pad);
		page_text(out, g->cells[i], col + 1 < n ? cell_max(g) : last);
		if (g->align[col] == 'l' && col + 1 < n)
			page_blanks(out, pad);
		if (col + 1 == n) {
			while (!out->failed && out->len && out->data[out->len - 1] == ' ')
				out->len--;
			lt_buf_adds(out, "\n");
		}
	}
	if (g->failed || scratch.failed)
		out->failed = true;
}

void markdown_text(struct lt_buf *out, const char *text)
{
	LT_AUTO_BUF struct lt_buf safe = { 0 };
	page_text(&safe, text, 0);
	for (const char *s = safe.data ? safe.data : ""; *s; s++) {
		if (strchr("\\`*_[]<>|#~@", *s))
			lt_buf_adds(out, "\\");
		lt_buf_add(out, s, 1);
	}
	if (safe.failed)
		out->failed = true;
}

void grid_markdown(const struct grid *g, struct lt_buf *out)
{
	size_t n = strlen(g->align);
	for (size_t i = 0; i < g->n; i++) {
		lt_buf_adds(out, i % n ? " " : "| ");
		markdown_text(out, g->cells[i]);
		lt_buf_adds(out, " |");
		if (i % n + 1 == n)
			lt_buf_adds(out, "\n");
		if (i + 1 == n) {
			for (size_t col = 0; col < n; col++)
				lt_buf_adds(out, g->align[col] == 'r' ? "| ---: " : "| --- ");
			lt_buf_adds(out, "|\n");
		}
	}
	if (g->failed)
		out->failed = true;
}
