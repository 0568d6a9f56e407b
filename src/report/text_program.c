/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text: threads, modules and queues of a libleat program. */
#include <string.h>

#include "report/program_grid.h"
#include "report/text.h"

enum {
	ROWS = 16 /* of a table, unless verbose */
};

static void say_causes(const struct text *t, unsigned shown)
{
	LT_AUTO_BUF struct lt_buf line = { 0 };
	for (size_t i = 0; program_cause_text(i); i++)
		if (shown >> i & 1)
			lt_buf_addf(&line, "%s%s", line.len ? "; " : "", program_cause_text(i));
	if (line.len || line.failed)
		text_line(t, "  ", "    ", &line);
}

static void say_table(const struct text *t, size_t table, const struct program_view *view,
	const struct lt_buf *process)
{
	LT_AUTO(program_grid_done) struct program_grid g;
	if (!program_grid_fill(table, view, &g))
		return;
	bool named = process->len > 0;
	text_para(
		t, "\n  ", "  ", "%s%s%s", named ? process->data : "", named ? ": " : "", g.title);
	grid_print(&g.grid, 2, 2, t->out);
	say_causes(t, g.causes);
	for (size_t i = 0; i < PROGRAM_REASONS && g.reasons[i]; i++)
		text_para(t, "  ", "    ", "n/a: %s", g.reasons[i]);
	if (g.estimated)
		text_legend(t, "^");
	if (g.hidden)
		text_para(t, "  ", "    ", "and %zu more (-v shows them)", g.hidden);
	if (g.cut)
		text_para(t, "  ", "    ", "lesser waits are left out (-v shows them)");
}

void text_program(const struct text *t, unsigned variant, bool brief)
{
	const struct record *rec = t->rec;
	const struct program_part *p = NULL;
	while ((p = program_next_process(rec, variant, p))) {
		LT_AUTO_BUF struct lt_buf title = { 0 };
		program_process_title(rec, variant, p, &title);
		struct program_view view = { .rec = rec,
			.variant = variant,
			.process = p->name,
			.rows = t->verbose ? 0 : ROWS,
			.narrow = !t->verbose };
		for (size_t table = 0; table < program_tables(); table++)
			if (t->verbose || (!program_table_is_rare(table) && !(brief && table)))
				say_table(t, table, &view, &title);
		if (title.failed)
			t->out->failed = true;
	}
}
