/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Markdown: a sweep, for an issue or a pull request. */
#include "report/cause_sentences.h"
#include "report/grid.h"
#include "report/markdown.h"
#include "report/scale_grids.h"
#include "report/scale_sentences.h"
#include "report/sentences.h"

static void say(const struct record *rec, struct lt_buf *out, const char *lead, const char *end,
	void (*sentence)(const struct record *rec, struct lt_buf *line))
{
	LT_AUTO_BUF struct lt_buf line = { 0 };
	sentence(rec, &line);
	if (line.len || line.failed)
		markdown_line(out, lead, &line, end);
}

/* A table under a sentence, which may be none. */
static void say_table(const struct record *rec, struct lt_buf *out,
	void (*fill)(const struct record *rec, struct grid *g))
{
	GRID_AUTO struct grid g = { 0 };
	fill(rec, &g);
	grid_markdown(&g, out);
}

static void say_causes(const struct record *rec, struct lt_buf *out)
{
	bool any = false;
	for (size_t i = 0; i < rec->n_findings; i++) {
		const struct finding *f = &rec->findings[i];
		LT_AUTO_BUF struct lt_buf line = { 0 };
		if (!scale_is_cause(f))
			continue;
		lt_buf_adds(out, any ? "" : "\n**Why**\n\n");
		any = true;
		scale_cause(rec, f, &line);
		markdown_line(out, "- ", &line, "\n");
		for (size_t k = 0; k < f->n_where; k++) {
			LT_AUTO_BUF struct lt_buf place = { 0 };
			cause_role(&f->where[k], &place);
			lt_buf_adds(&place, place.len ? ": " : "");
			scale_place(&f->where[k], &place);
			markdown_line(out, "  - ", &place, "\n");
		}
		LT_AUTO_BUF struct lt_buf advice = { 0 };
		lt_buf_adds(&advice, cause_advice(f) ? "usual change: " : "");
		lt_buf_adds(&advice, cause_advice(f) ? cause_advice(f) : "");
		if (advice.len)
			markdown_line(out, "  - ", &advice, "\n");
	}
}

int markdown_sweep(const struct record *rec, struct lt_buf *out, struct lt_err *err)
{
	if (rec->partial)
		say(rec, out, "", "\n\n", sentence_partial);
	if (rec->scaling->command)
		markdown_code(out, rec->scaling->command);
	say(rec, out, "\n\n**", "**\n", scale_verdict);
	lt_buf_adds(out, "\n");
	say_table(rec, out, scale_grid_curve);
	say(rec, out, "\n", "\n", scale_basis);
	if (!rec->scaling->busy) {
		say(rec, out, "\n", "\n", scale_law);
		say(rec, out, "\n", "\n", scale_one_cpu);
	}
	if (rec->ledger) {
		say(rec, out, "\n**Where the time went**: ", "\n\n", scale_loss);
		say_table(rec, out, scale_grid_ledger);
		say(rec, out, "\n", "\n", scale_used);
	}
	say_causes(rec, out);
	if (rec->n_remedies) {
		say(rec, out, "\n**What helps**: ", "\n\n", scale_remedies);
		say_table(rec, out, scale_grid_remedies);
	}
	markdown_rest(rec, out);
	return out->failed ? lt_fail_mem(err) : 0;
}
