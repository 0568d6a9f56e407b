/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text: what one variant costs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/format.h"
#include "report/page.h"
#include "report/sentences.h"
#include "report/text.h"

/* "25 runs (+1 warm-up), stopped: wall known to ±0.8 %; stdin empty, stdout null" */
static void say_runs(const struct text *t, unsigned variant)
{
	const struct record *rec = t->rec;
	size_t kept = 0, warmup = 0, all = 0;
	for (size_t i = 0; i < rec->n_trials; i++) {
		const struct trial *trial = &rec->trials[i];
		if (trial->variant != variant || trial->evidence)
			continue;
		kept += trial->kept;
		warmup += trial->warmup;
		all += !trial->warmup;
	}
	LT_AUTO_BUF struct lt_buf line = { 0 };
	lt_buf_addf(&line, "%s %s", format_count((double)kept).s, sentence_run(rec, (double)kept));
	if (all != kept)
		lt_buf_addf(&line, " counted of %s", format_count((double)all).s);
	if (warmup)
		lt_buf_addf(&line, " (+%zu warm-up)", warmup);
	lt_buf_adds(&line, ", ");
	sentence_stop(rec, &line);
	if (rec->plan.region)
		lt_buf_addf(&line, "; region %s only", rec->plan.region);
	if (rec->plan.stdin_mode)
		lt_buf_addf(&line, "; stdin %s", rec->plan.stdin_mode);
	if (rec->plan.stdout_mode)
		lt_buf_addf(&line, ", stdout %s", rec->plan.stdout_mode);
	text_line(t, "  ", "  ", &line);
}

static void add_row(const struct text *t, const struct summary *s, struct grid *g, char *marks)
{
	const struct metric *m = &t->rec->metrics[s->metric];
	double c = s->center.num, half = s->bounded ? sentence_half(s->lo, s->hi) : NAN;
	char mark = text_mark(t, s);
	if (mark && !strchr(marks, mark))
		marks[strlen(marks)] = mark;
	grid_addf(g, "%s%.1s", m->name, mark ? (char[]){ mark, '\0' } : "");
	grid_add(g, format_value(m->unit, c, half).s);
	if (!s->bounded)
		grid_add(g, "too few");
	else if (c == 0 || half == 0)
		grid_add(g, "");
	else
		grid_addf(g, "± %s", format_percent(half / fabs(c)).s);
	grid_add(g, s->bounded ? format_range(m->unit, c, half, s->lo, s->hi).s : "");
}

/* What was explained already. */
struct told {
	const char *what; /* ± and .. */
	bool few;
};

/* What ± and .. are, said once for all that agree, apart for those that do not. */
static void say_what(const struct text *t, unsigned variant, bool per_work, struct told *told)
{
	const struct record *rec = t->rec;
	bool few = false;
	for (size_t i = 0; i < rec->n_summaries; i++) {
		const struct summary *s = &rec->summaries[i];
		if (s->variant != variant || s->per_work != per_work || !text_has_row(t, s))
			continue;
		few = few || !s->bounded;
		if (!s->bounded || !s->what || (told->what && !strcmp(told->what, s->what)))
			continue;
		const char *only = told->what ? rec->metrics[s->metric].name : NULL;
		text_para(t, "  ", "    ", "%s%s± and ..: %s", only ? only : "", only ? ", " : "",
			s->what);
		if (!told->what)
			told->what = s->what;
	}
	if (few && !told->few)
		text_para(t, "  ", "    ", "too few: not enough %s for an interval",
			sentence_run(rec, 2));
	told->few = told->few || few;
}

static void say_block(const struct text *t, unsigned variant, bool per_work, struct told *told)
{
	const struct record *rec = t->rec;
	GRID_AUTO struct grid g = { .align = "lrrl" };
	char marks[8] = "";
	for (size_t i = 0; i < rec->n_summaries; i++) {
		const struct summary *s = &rec->summaries[i];
		if (s->variant == variant && s->per_work == per_work && text_has_row(t, s))
			add_row(t, s, &g, marks);
	}
	if (!g.n && !g.failed)
		return;
	lt_buf_adds(t->out, "\n");
	if (per_work)
		text_para(t, "  ", "  ", "per %s%s%s%s",
			rec->plan.work_unit ? rec->plan.work_unit : "unit of work",
			rec->plan.work_from ? " (" : "",
			rec->plan.work_from ? rec->plan.work_from : "",
			rec->plan.work_from ? ")" : "");
	grid_print(&g, 2, 3, t->out);
	if (!per_work)
		lt_buf_adds(t->out, "\n");
	say_what(t, variant, per_work, told);
	text_legend(t, marks);
}

void text_variant(const struct text *t, unsigned variant)
{
	const struct variant *v = &t->rec->variants[variant];
	if (variant > 0)
		lt_buf_adds(t->out, "\n");
	page_text(t->out, v->command ? v->command : v->name, t->verbose ? 0 : t->width);
	lt_buf_adds(t->out, "\n");
	say_runs(t, variant);
	struct told told = { 0 };
	say_block(t, variant, false, &told);
	text_missing(t, variant, variant);
	say_block(t, variant, true, &told);
	text_program(t, variant, false);
}
