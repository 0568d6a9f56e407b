/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text: what every report may need around its tables. */
#include <math.h>
#include <string.h>

#include "record/words.h"
#include "report/format.h"
#include "report/page.h"
#include "report/scale_sentences.h"
#include "report/sentences.h"
#include "report/text.h"

void text_para(const struct text *t, const char *first, const char *rest, const char *fmt, ...)
{
	LT_AUTO_BUF struct lt_buf line = { 0 };
	va_list args;
	va_start(args, fmt);
	lt_buf_vaddf(&line, fmt, args);
	va_end(args);
	text_line(t, first, rest, &line);
}

void text_line(const struct text *t, const char *first, const char *rest, const struct lt_buf *line)
{
	if (line->failed)
		t->out->failed = true;
	page_wrap(t->out, first, rest, t->width, line->data ? line->data : "");
}

bool text_has_row(const struct text *t, const struct summary *s)
{
	if (s->center.state == VALUE_UNAVAILABLE)
		return false;
	const struct metric *m = &t->rec->metrics[s->metric];
	bool primary = t->rec->plan.primary && !strcmp(m->name, t->rec->plan.primary);
	bool zero = s->min == 0 && s->max == 0 && s->center.num == 0;
	return t->verbose || primary || !zero;
}

static const struct {
	char mark;
	const char *what;
} legend[] = {
	{ '~', "attributed by the clock tick: a part, never tested" },
	{ '^', "estimated, not measured" },
	{ '+', "summed up from samples of a rate" },
};

char text_mark(const struct text *t, const struct summary *s)
{
	if (t->rec->metrics[s->metric].sampled)
		return '~';
	return s->center.state == VALUE_ESTIMATED     ? '^'
		: s->center.state == VALUE_INTEGRATED ? '+'
						      : '\0';
}

void text_legend(const struct text *t, const char *marks)
{
	for (size_t i = 0; i < LT_COUNT(legend); i++)
		if (strchr(marks, legend[i].mark))
			text_para(t, "  ", "    ", "%c %s", legend[i].mark, legend[i].what);
}

static bool has_value(const struct record *rec, unsigned variant, unsigned metric)
{
	const struct summary *s = record_summary(rec, variant, metric, false);
	return s && s->center.state != VALUE_UNAVAILABLE;
}

void text_missing(const struct text *t, unsigned a, unsigned b)
{
	const struct record *rec = t->rec;
	LT_AUTO_BUF struct lt_buf none = { 0 }, zero = { 0 };
	for (size_t i = 0; i < rec->n_summaries; i++) {
		const struct summary *s = &rec->summaries[i];
		if (s->variant != b || s->per_work)
			continue;
		const struct metric *m = &rec->metrics[s->metric];
		bool lacks = s->center.state == VALUE_UNAVAILABLE;
		if (!lacks && !text_has_row(t, s) && (a == b || has_value(rec, a, s->metric)))
			lt_buf_addf(&zero, "%s%s", zero.len ? ", " : "", m->name);
		if (!lacks)
			continue;
		lt_buf_addf(&none, "%s%s", none.len ? ", " : "", m->name);
		if (t->verbose)
			text_para(t, none.len == strlen(m->name) ? "\n  " : "  ", "    ",
				"%s: n/a, %s%s%s", m->name,
				s->center.reason ? s->center.reason : "reason not recorded",
				s->center.hint ? "; " : "", s->center.hint ? s->center.hint : "");
	}
	if (zero.len)
		text_para(t, "  ", "    ", "0 in every %s: %s", sentence_run(rec, 1), zero.data);
	if (none.len && !t->verbose)
		text_para(t, "  ", "    ", "n/a here (-v says why): %s", none.data);
	if (none.failed || zero.failed)
		t->out->failed = true;
}

void text_partial(const struct text *t)
{
	const struct record *rec = t->rec;
	if (!rec->partial)
		return;
	LT_AUTO_BUF struct lt_buf line = { 0 };
	sentence_partial(rec, &line);
	text_line(t, "", "  ", &line);
}

enum {
	FAILURES_SHOWN = 5 /* unless verbose */
};

void text_failures(const struct text *t)
{
	const struct record *rec = t->rec;
	size_t seen = 0;
	for (size_t i = 0; i < rec->n_trials; i++) {
		const struct trial *trial = &rec->trials[i];
		/* What a remedy broke, or was cut short for, stands beside the remedy. */
		if (!sentence_is_failure(&trial->outcome) || rec->variants[trial->variant].remedy)
			continue;
		if (seen++ >= FAILURES_SHOWN && !t->verbose)
			continue;
		LT_AUTO_BUF struct lt_buf line = { 0 };
		if (rec->n_variants > 1)
			lt_buf_addf(&line, "%s, ", rec->variants[trial->variant].name);
		lt_buf_addf(&line, "run %u of %zu%s: ", trial->order + 1, rec->n_trials,
			trial->warmup ? " (warm-up)" : "");
		sentence_outcome(rec, &trial->outcome, &line);
		text_line(t, seen == 1 ? "\n  " : "  ", "    ", &line);
	}
	if (seen > FAILURES_SHOWN && !t->verbose)
		text_para(t, "  ", "    ", "and %zu more that failed (-v names them)",
			seen - FAILURES_SHOWN);
}

void text_gates(const struct text *t)
{
	for (size_t i = 0; i < t->rec->n_gates; i++) {
		LT_AUTO_BUF struct lt_buf line = { 0 };
		sentence_gate(t->rec, &t->rec->gates[i], &line);
		text_line(t, i ? "  " : "\n  ", "    ", &line);
	}
}

void text_notes(const struct text *t)
{
	bool any = false;
	for (size_t i = 0; i < t->rec->n_findings; i++) {
		const struct finding *f = &t->rec->findings[i];
		LT_AUTO_BUF struct lt_buf line = { 0 };
		if (t->rec->scaling && scale_is_cause(f))
			continue;
		sentence_note(t->rec, f, &line);
		text_line(t, any ? "  " : "\n  ", "    ", &line);
		any = true;
	}
}

void text_details(const struct text *t, unsigned variant)
{
	const struct record *rec = t->rec;
	GRID_AUTO struct grid g = { .align = "lrrrrrr" };
	grid_row(&g, "", "mean", "sd", "min", "median", "max", "n");
	for (size_t i = 0; i < rec->n_summaries; i++) {
		const struct summary *s = &rec->summaries[i];
		const char *unit = rec->metrics[s->metric].unit;
		if (s->variant != variant || s->per_work || s->center.state == VALUE_UNAVAILABLE)
			continue;
		const double nums[] = { s->mean, s->sd, s->min, s->median, s->max };
		/* Five digits are enough to see a spread by, and fit the line. */
		double digits = s->sd > 0 ? fmax(s->sd, 2e-4 * fabs(s->median)) : s->sd;
		grid_add(&g, rec->metrics[s->metric].name);
		for (size_t k = 0; k < LT_COUNT(nums); k++)
			grid_add(&g,
				k == 1 ? format_value(unit, s->sd, NAN).s
				       : format_beside(unit, s->median, nums[k], digits).s);
		grid_add(&g, format_count((double)s->n).s);
	}
	if (!grid_has_rows(&g) && !g.failed)
		return;
	text_para(t, "\n", "", "spread of single %s%s%s", sentence_run(rec, 2),
		rec->n_variants > 1 ? " of " : "",
		rec->n_variants > 1 ? rec->variants[variant].name : "");
	grid_print(&g, 2, 2, t->out);
}

void text_metrics(const struct text *t)
{
	const struct record *rec = t->rec;
	for (size_t i = 0; i < rec->n_metrics; i++) {
		const struct metric *m = &rec->metrics[i];
		text_para(t, i ? "  " : "\nmetrics\n  ", "      ", "%s: %s; scope: %s; source: %s",
			m->name, m->what ? m->what : "not described",
			m->scope ? m->scope : "not stated", m->source ? m->source : "not stated");
	}
}
