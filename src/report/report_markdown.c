/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables for an issue or a pull request on GitHub. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "record/words.h"
#include "report/format.h"
#include "report/grid.h"
#include "report/markdown.h"
#include "report/page.h"
#include "report/report.h"
#include "report/scale_sentences.h"
#include "report/sentences.h"

void markdown_line(struct lt_buf *out, const char *lead, const struct lt_buf *line, const char *end)
{
	lt_buf_adds(out, lead);
	markdown_text(out, line->data ? line->data : "");
	lt_buf_adds(out, end);
	if (line->failed)
		out->failed = true;
}

void markdown_code(struct lt_buf *out, const char *text)
{
	LT_AUTO_BUF struct lt_buf safe = { 0 };
	page_text(&safe, text, 0);
	size_t most = 0, run = 0;
	for (const char *s = safe.data ? safe.data : ""; *s; s++) {
		run = *s == '`' ? run + 1 : 0;
		most = run > most ? run : most;
	}
	const char *gap = most ? " " : "";
	for (size_t i = 0; i <= most; i++)
		lt_buf_adds(out, "`");
	lt_buf_addf(out, "%s%s%s", gap, safe.data ? safe.data : "", gap);
	for (size_t i = 0; i <= most; i++)
		lt_buf_adds(out, "`");
	if (safe.failed)
		out->failed = true;
}

static void add_value(struct grid *g, const struct metric *m, const struct summary *s)
{
	if (!s || s->center.state == VALUE_UNAVAILABLE) {
		grid_add(g, "n/a");
		return;
	}
	double c = s->center.num, half = s->bounded ? sentence_half(s->lo, s->hi) : NAN;
	if (isfinite(half) && half > 0 && c != 0)
		grid_addf(g, "%s ± %s", format_value(m->unit, c, half).s,
			format_percent(half / fabs(c)).s);
	else
		grid_add(g, format_value(m->unit, c, half).s);
}

static void say_variant(const struct record *rec, unsigned variant, struct lt_buf *out)
{
	GRID_AUTO struct grid g = { .align = "lrrrrr" };
	grid_row(&g, "metric", "value", "interval", "min", "max", "n");
	const char *what = NULL;
	for (size_t i = 0; i < rec->n_summaries; i++) {
		const struct summary *s = &rec->summaries[i];
		const struct metric *m = &rec->metrics[s->metric];
		if (s->variant != variant || s->center.state == VALUE_UNAVAILABLE)
			continue;
		double c = s->center.num, half = s->bounded ? sentence_half(s->lo, s->hi) : NAN;
		grid_addf(&g, "%s%s%s", m->name, s->per_work ? " / work" : "",
			m->sampled ? " (sampled)" : "");
		add_value(&g, m, s);
		grid_add(&g,
			s->bounded ? format_range(m->unit, c, half, s->lo, s->hi).s : "too few");
		grid_add(&g, format_value(m->unit, s->min, s->sd).s);
		grid_add(&g, format_value(m->unit, s->max, s->sd).s);
		grid_add(&g, format_count((double)s->n).s);
		if (!what && s->bounded)
			what = s->what;
	}
	lt_buf_adds(out, "\n");
	grid_markdown(&g, out);
	if (what) {
		LT_AUTO_BUF struct lt_buf line = { 0 };
		lt_buf_addf(&line, "± and interval: %s", what);
		lt_buf_adds(out, "\n");
		markdown_line(out, "", &line, "\n");
	}
}

/* What the ± of the table's cells is, in the words of the first summary that has one. */
static void say_cells(const struct record *rec, struct lt_buf *out)
{
	for (size_t i = 0; i < rec->n_summaries; i++) {
		const struct summary *s = &rec->summaries[i];
		if (!s->bounded || !s->what)
			continue;
		LT_AUTO_BUF struct lt_buf line = { 0 };
		lt_buf_addf(&line, "± in the table: %s", s->what);
		lt_buf_adds(out, "\n");
		markdown_line(out, "", &line, "\n");
		return;
	}
}

static void say_versus(const struct record *rec, unsigned b, struct lt_buf *out)
{
	GRID_AUTO struct grid g = { .align = "lrrrrl" };
	grid_add(&g, "metric");
	grid_add(&g, rec->variants[0].name);
	grid_add(&g, rec->variants[b].name);
	grid_addf(&g, "%s / %s", rec->variants[b].name, rec->variants[0].name);
	grid_row(&g, "interval", "verdict");
	for (size_t i = 0; i < rec->n_comparisons; i++) {
		const struct comparison *c = &rec->comparisons[i];
		if (c->aa || c->b != b)
			continue;
		if (c->primary) {
			LT_AUTO_BUF struct lt_buf verdict = { 0 }, basis = { 0 }, more = { 0 };
			sentence_verdict(rec, c, &verdict);
			sentence_basis(rec, c, &basis);
			sentence_provable(c, &more);
			markdown_line(out, "\n**", &verdict, "**\n\n");
			markdown_line(out, "", &basis, "\n");
			if (more.len || more.failed)
				markdown_line(out, "", &more, "\n");
		}
		const struct metric *m = &rec->metrics[c->metric];
		bool bounded = record_ratio_bounded(c);
		double lo = bounded ? c->lo : NAN, hi = bounded ? c->hi : NAN;
		grid_addf(&g, "%s%s", m->name, m->sampled ? " (sampled)" : "");
		add_value(&g, m, record_summary(rec, c->a, c->metric, false));
		add_value(&g, m, record_summary(rec, c->b, c->metric, false));
		grid_add(&g,
			c->ratio.state == VALUE_UNAVAILABLE ? "n/a"
							    : format_ratio(c->ratio.num, lo, hi).s);
		grid_add(&g, bounded ? format_ratio_range(c->ratio.num, lo, hi).s : "");
		grid_add(&g, record_verdict_word(m, c->verdict));
	}
	lt_buf_adds(out, "\n");
	grid_markdown(&g, out);
	say_cells(rec, out);
}

void markdown_rest(const struct record *rec, struct lt_buf *out)
{
	bool any = false;
	for (size_t i = 0; i < rec->n_gates; i++) {
		LT_AUTO_BUF struct lt_buf line = { 0 };
		sentence_gate(rec, &rec->gates[i], &line);
		markdown_line(out, any ? "- " : "\n- ", &line, "\n");
		any = true;
	}
	for (size_t i = 0; i < rec->n_findings; i++) {
		LT_AUTO_BUF struct lt_buf line = { 0 };
		const struct finding *f = &rec->findings[i];
		if (rec->scaling && scale_is_cause(f))
			continue;
		sentence_note(rec, f, &line);
		markdown_line(out, any ? "- " : "\n- ", &line, "\n");
		any = true;
	}
}

static int markdown_write(const struct record *rec, const struct report_opts *opts,
	struct lt_buf *out, struct lt_err *err)
{
	(void)opts;
	if (rec->scaling)
		return markdown_sweep(rec, out, err);
	bool versus = false;
	for (size_t i = 0; i < rec->n_comparisons; i++)
		versus = versus || !rec->comparisons[i].aa;
	if (rec->partial) {
		LT_AUTO_BUF struct lt_buf line = { 0 };
		sentence_partial(rec, &line);
		markdown_line(out, "", &line, "\n");
		lt_buf_adds(out, "\n");
	}
	if (!rec->n_variants)
		lt_buf_adds(out, "nothing was measured\n");
	for (unsigned i = 0; i < rec->n_variants; i++) {
		const struct variant *v = &rec->variants[i];
		if (v->aa)
			continue;
		lt_buf_adds(out, "- ");
		markdown_text(out, v->name);
		if (v->command && strcmp(v->command, v->name) != 0) {
			lt_buf_adds(out, ": ");
			markdown_code(out, v->command);
		}
		lt_buf_adds(out, "\n");
	}
	for (unsigned i = 0; i < rec->n_variants; i++) {
		if (rec->variants[i].aa)
			continue;
		if (!versus)
			say_variant(rec, i, out);
		else if (i > 0)
			say_versus(rec, i, out);
	}
	for (unsigned i = 0; i < rec->n_variants; i++)
		if (!rec->variants[i].aa)
			markdown_program(rec, i, out);
	markdown_rest(rec, out);
	return out->failed ? lt_fail_mem(err) : 0;
}

const struct report report_markdown = {
	.name = "markdown",
	.brief = "GitHub tables, for an issue or a pull request",
	.write = markdown_write,
};
