/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text: one variant against another, verdict first. */
#include <math.h>
#include <string.h>

#include "record/words.h"
#include "report/format.h"
#include "report/page.h"
#include "report/sentences.h"
#include "report/text.h"

static void say_commands(const struct text *t, unsigned a, unsigned b)
{
	const unsigned pair[] = { a, b };
	for (size_t i = 0; i < LT_COUNT(pair); i++) {
		const struct variant *v = &t->rec->variants[pair[i]];
		if (!v->command || !strcmp(v->command, v->name))
			continue;
		lt_buf_adds(t->out, "  ");
		size_t used = page_text(t->out, v->name, 20);
		lt_buf_adds(t->out, ": ");
		page_text(t->out, v->command, t->verbose ? 0 : t->width - used - 4);
		lt_buf_adds(t->out, "\n");
	}
}

static void say_headline(const struct text *t, const struct comparison *c)
{
	LT_AUTO_BUF struct lt_buf verdict = { 0 }, basis = { 0 }, provable = { 0 };
	sentence_verdict(t->rec, c, &verdict);
	sentence_basis(t->rec, c, &basis);
	sentence_provable(c, &provable);
	text_line(t, "", "  ", &verdict);
	text_line(t, "  ", "  ", &basis);
	if (provable.len || provable.failed)
		text_line(t, "  ", "  ", &provable);
	if (t->verbose && isfinite(c->lag1))
		text_para(t, "  ", "  ", "lag-1 correlation of the differences %s; method %s",
			format_value("ratio", c->lag1, NAN).s, c->method ? c->method : "not named");
}

static void say_stop(const struct text *t)
{
	LT_AUTO_BUF struct lt_buf line = { 0 };
	sentence_stop(t->rec, &line);
	const struct plan *p = &t->rec->plan;
	if (p->stdin_mode)
		lt_buf_addf(&line, "%sstdin %s", line.len ? "; " : "", p->stdin_mode);
	if (p->stdout_mode)
		lt_buf_addf(&line, "%sstdout %s", line.len ? ", " : "", p->stdout_mode);
	if (p->prepare)
		lt_buf_addf(&line, "; before each run of either: %s", p->prepare);
	if (line.len || line.failed)
		text_line(t, "  ", "  ", &line);
}

static bool has_center(const struct summary *s)
{
	return s && s->center.state != VALUE_UNAVAILABLE;
}

/* Both sides on the scale of the first that has a value, so that they compare at a look. */
static void add_center(
	struct grid *g, const struct metric *m, const struct summary *s, const struct summary *ref)
{
	if (!has_center(s)) {
		grid_add(g, "n/a");
		return;
	}
	double half = s->bounded ? sentence_half(s->lo, s->hi) : NAN;
	double on = has_center(ref) ? ref->center.num : s->center.num;
	grid_add(g, format_beside(m->unit, on, s->center.num, half).s);
}

static const char *verdict_cell(
	const struct metric *m, const struct comparison *c, const struct summary *s)
{
	if (s->per_work || !c)
		return m->sampled ? "-" : "";
	return record_verdict_word(m, c->verdict);
}

static void add_row(const struct text *t, const struct summary *sa, const struct summary *sb,
	const struct comparison *c, struct grid *g, char *marks)
{
	const struct summary *s = sb ? sb : sa;
	const struct metric *m = &t->rec->metrics[s->metric];
	char mark = text_mark(t, s);
	if (mark && !strchr(marks, mark))
		marks[strlen(marks)] = mark;
	grid_addf(g, "%s%.1s%s", m->name, mark ? (char[]){ mark, '\0' } : "",
		s->per_work ? " / work" : "");
	add_center(g, m, sa, sa);
	add_center(g, m, sb, sa);
	bool ratio = c && !s->per_work && c->ratio.state != VALUE_UNAVAILABLE;
	bool bounded = ratio && record_ratio_bounded(c);
	double lo = bounded ? c->lo : NAN, hi = bounded ? c->hi : NAN;
	grid_add(g, ratio ? format_ratio(c->ratio.num, lo, hi).s : "");
	grid_add(g, bounded ? format_ratio_range(c->ratio.num, lo, hi).s : "");
	grid_add(g, verdict_cell(m, c, s));
}

enum {
	HEAD_MAX = 14 /* columns of a variant's name above its numbers */
};

static void add_head(struct grid *g, const char *name)
{
	LT_AUTO_BUF struct lt_buf head = { 0 };
	page_text(&head, name, HEAD_MAX);
	grid_add(g, head.data ? head.data : "");
	g->failed = g->failed || head.failed;
}

static double primary_level(const struct record *rec, unsigned a, unsigned b)
{
	for (size_t i = 0; i < rec->n_comparisons; i++) {
		const struct comparison *c = &rec->comparisons[i];
		if (c->a == a && c->b == b && c->primary && !c->aa)
			return c->level;
	}
	return NAN;
}

static void say_table(const struct text *t, unsigned a, unsigned b)
{
	const struct record *rec = t->rec;
	GRID_AUTO struct grid g = { .align = "lrrrll" };
	char marks[8] = "";
	bool adjusted = false;
	grid_add(&g, "");
	add_head(&g, rec->variants[a].name);
	add_head(&g, rec->variants[b].name);
	if (strlen(rec->variants[a].name) + strlen(rec->variants[b].name) <= HEAD_MAX)
		grid_addf(&g, "%s / %s", rec->variants[b].name, rec->variants[a].name);
	else
		grid_add(&g, "ratio");
	double level = primary_level(rec, a, b);
	if (isfinite(level))
		grid_addf(&g, "%s interval", format_percent(level).s);
	else
		grid_add(&g, "interval");
	grid_add(&g, "verdict");
	for (size_t i = 0; i < rec->n_summaries; i++) {
		const struct summary *sb = &rec->summaries[i];
		if (sb->variant != b)
			continue;
		const struct summary *sa = record_summary(rec, a, sb->metric, sb->per_work);
		const struct comparison *c = record_comparison(rec, b, sb->metric);
		if (!text_has_row(t, sb) && !(sa && text_has_row(t, sa)))
			continue;
		add_row(t, sa, sb, c, &g, marks);
		adjusted = adjusted || (c && !c->primary && isfinite(c->p_holm));
	}
	if (g.n <= 6 && !g.failed)
		return;
	lt_buf_adds(t->out, "\n");
	grid_print(&g, 2, 2, t->out);
	if (adjusted)
		text_para(t, "  ", "  ",
			"verdicts on all but %s are adjusted for their number (Holm)",
			rec->plan.primary ? rec->plan.primary : "the first");
	text_legend(t, marks);
}

void text_versus(const struct text *t, unsigned a, unsigned b)
{
	const struct record *rec = t->rec;
	if (b > 1)
		lt_buf_adds(t->out, "\n");
	for (size_t i = 0; i < rec->n_comparisons; i++) {
		const struct comparison *c = &rec->comparisons[i];
		if (c->a == a && c->b == b && c->primary && !c->aa)
			say_headline(t, c);
	}
	if (b == 1 && !sentence_is_old(rec))
		say_stop(t);
	say_commands(t, a, b);
	say_table(t, a, b);
	text_missing(t, a, b);
	if (b == 1)
		text_program(t, a, true);
	text_program(t, b, true);
}

void text_aa(const struct text *t)
{
	const struct record *rec = t->rec;
	GRID_AUTO struct grid g = { .align = "lrll" };
	for (size_t i = 0; i < rec->n_comparisons; i++) {
		const struct comparison *c = &rec->comparisons[i];
		if (!c->aa)
			continue;
		const struct metric *m = &rec->metrics[c->metric];
		bool ratio = c->ratio.state != VALUE_UNAVAILABLE;
		bool bounded = record_ratio_bounded(c);
		double lo = bounded ? c->lo : NAN, hi = bounded ? c->hi : NAN;
		grid_add(&g, m->name);
		grid_add(&g, ratio ? format_ratio(c->ratio.num, lo, hi).s : "n/a");
		grid_add(&g, bounded ? format_ratio_range(c->ratio.num, lo, hi).s : "");
		grid_add(&g, record_verdict_word(m, c->verdict));
	}
	if (!g.n && !g.failed)
		return;
	text_para(t, "\n", "", "A/A check: the first command against itself");
	grid_print(&g, 2, 2, t->out);
}
