/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Markdown: threads, modules and queues of a libleat program. */
#include "report/markdown.h"
#include "report/program_grid.h"

static void say_table(const struct program_view *view, size_t table, const struct lt_buf *process,
	struct lt_buf *out)
{
	LT_AUTO(program_grid_done) struct program_grid g;
	if (!program_grid_fill(table, view, &g))
		return;
	lt_buf_adds(out, "\n**");
	if (process->len) {
		markdown_text(out, process->data);
		lt_buf_adds(out, ": ");
	}
	lt_buf_addf(out, "%s**\n\n", g.title);
	grid_markdown(&g.grid, out);
	for (size_t i = 0; i < PROGRAM_REASONS && g.reasons[i]; i++) {
		lt_buf_adds(out, i ? "" : "\n");
		lt_buf_adds(out, "n/a: ");
		markdown_text(out, g.reasons[i]);
		lt_buf_adds(out, "\n");
	}
}

void markdown_program(const struct record *rec, unsigned variant, struct lt_buf *out)
{
	const struct program_part *p = NULL;
	while ((p = program_next_process(rec, variant, p))) {
		LT_AUTO_BUF struct lt_buf title = { 0 };
		program_process_title(rec, variant, p, &title);
		struct program_view view = { .rec = rec, .variant = variant, .process = p->name };
		for (size_t table = 0; table < program_tables(); table++)
			if (!program_table_is_rare(table))
				say_table(&view, table, &title, out);
		if (title.failed)
			out->failed = true;
	}
}
