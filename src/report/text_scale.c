/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text: a sweep. Verdict and curve, where the time went, why, what helps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "record/words.h"
#include "report/cause_sentences.h"
#include "report/format.h"
#include "report/page.h"
#include "report/scale_grids.h"
#include "report/scale_sentences.h"
#include "report/sentences.h"
#include "report/text.h"

enum {
	LEDGER_SHOWN = 8, /* unless verbose */
	WHERE_COLUMNS = 34,
};

/* One sentence as a paragraph of its own; nothing when it is empty. */
static void say(const struct text *t, const char *first,
	void (*sentence)(const struct record *rec, struct lt_buf *out))
{
	LT_AUTO_BUF struct lt_buf line = { 0 };
	sentence(t->rec, &line);
	if (line.len || line.failed)
		text_line(t, first, "  ", &line);
}

static bool same_but_threads(const struct record *rec, unsigned a, unsigned b)
{
	int threads = record_factor(rec, "threads");
	for (size_t i = 0; i < rec->n_factors; i++)
		if ((int)i != threads &&
			strcmp(rec->variants[a].levels[i], rec->variants[b].levels[i]) != 0)
			return false;
	return true;
}

static const char *point_note(const struct curve_point *p)
{
	if (p->given_up_ns > 0)
		return "given up";
	return p->n == 0 ? "failed" : p->over ? "> CPUs" : "";
}

static void add_point(const struct curve_point *p, bool rate, struct grid *g)
{
	bool speed = value_known(p->speedup.value);
	const struct estimate *s = &p->speedup;
	grid_addf(g, "%u", p->threads);
	scale_add_wall(g, p, "-");
	if (rate)
		grid_add(g,
			value_known(p->rate.value) ? format_value("count", p->rate.value.num, NAN).s
						   : "-");
	grid_add(g, speed ? format_ratio(s->value.num, s->lo, s->hi).s : "-");
	grid_add(g, estimate_bounded(s) ? format_ratio_range(s->value.num, s->lo, s->hi).s : "");
	grid_add(g,
		value_known(p->efficiency.value) ? format_percent(p->efficiency.value.num).s : "-");
	grid_add(g, value_known(p->cores) ? format_ratio(p->cores.num, NAN, NAN).s : "-");
	grid_add(g, point_note(p));
}

/* The points that differ from `first` in threads alone, unhelped. */
static void say_curve_of(const struct text *t, unsigned first)
{
	const struct record *rec = t->rec;
	bool rate = false;
	for (size_t i = 0; i < rec->n_curve; i++)
		rate = rate || value_known(rec->curve[i].rate.value);
	GRID_AUTO struct grid g = { .align = rate ? "rrrrlrrl" : "rrrlrrl" };
	grid_row(&g, "threads", "wall");
	if (rate)
		grid_add(&g, "work/s");
	grid_row(&g, "speed-up", "95 % interval", "efficiency", "cores", "");
	for (size_t i = 0; i < rec->n_curve; i++)
		if (!rec->curve[i].remedy && same_but_threads(rec, first, rec->curve[i].variant))
			add_point(&rec->curve[i], rate, &g);
	grid_print(&g, 2, 2, t->out);
}

/* One curve for each combination of the other factors. */
static void say_curves(const struct text *t)
{
	const struct record *rec = t->rec;
	for (size_t i = 0; i < rec->n_curve; i++) {
		unsigned v = rec->curve[i].variant;
		bool first = !rec->curve[i].remedy;
		for (size_t k = 0; k < i && first; k++)
			first = !same_but_threads(rec, rec->curve[k].variant, v);
		if (!first)
			continue;
		lt_buf_adds(t->out, "\n");
		for (size_t k = 0; k + 1 < rec->n_factors; k++)
			lt_buf_addf(t->out, "%s%s=%s%s", k ? " " : "  ", rec->factors[k].name,
				rec->variants[v].levels[k], k + 2 == rec->n_factors ? "\n" : "");
		say_curve_of(t, v);
	}
	lt_buf_adds(t->out, "\n");
}

/* One level against the first: its ratio and interval, where it was compared. */
static void level_compared(struct grid *g, const struct comparison *c)
{
	bool ratio = value_known(c->ratio), bounded = ratio && record_ratio_bounded(c);
	double lo = bounded ? c->lo : NAN, hi = bounded ? c->hi : NAN;
	grid_add(g, ratio ? format_ratio(c->ratio.num, lo, hi).s : "-");
	grid_add(g, bounded ? format_ratio_range(c->ratio.num, lo, hi).s : "");
}

/* A sweep without threads: every level against the first. */
static void say_levels(const struct text *t)
{
	const struct record *rec = t->rec;
	int wall = record_metric(rec, "wall");
	GRID_AUTO struct grid g = { .align = "lrrlrl" };
	grid_row(&g, "", "wall", "/ first", "95 % interval", "cores", "");
	for (size_t i = 0; i < rec->n_curve; i++) {
		const struct curve_point *p = &rec->curve[i];
		if (p->remedy)
			continue;
		const struct comparison *c =
			wall < 0 ? NULL : record_comparison(rec, p->variant, (unsigned)wall);
		const char *verdict = p->n ? "" : "no run counts";
		grid_add(&g, rec->variants[p->variant].name);
		grid_add(&g, p->n ? format_value("ns", p->wall_ns.value.num, NAN).s : "-");
		if (c) {
			level_compared(&g, c);
			verdict = record_verdict_word(&rec->metrics[wall], c->verdict);
		} else {
			grid_add(&g, p->variant ? "-" : "1");
			grid_add(&g, "");
		}
		grid_add(&g, value_known(p->cores) ? format_ratio(p->cores.num, NAN, NAN).s : "-");
		grid_add(&g, verdict);
	}
	lt_buf_adds(t->out, "\n");
	grid_print(&g, 2, 2, t->out);
	lt_buf_adds(t->out, "\n");
}

void text_scale_curve(const struct text *t)
{
	const struct record *rec = t->rec;
	bool threads = record_factor(rec, "threads") >= 0;
	if (rec->scaling->command) {
		page_text(t->out, rec->scaling->command, t->verbose ? 0 : t->width);
		lt_buf_adds(t->out, "\n");
	}
	say(t, "  ", scale_verdict);
	if (threads)
		say_curves(t);
	else
		say_levels(t);
	say(t, "  ", scale_basis);
	for (size_t i = 0; i < rec->n_factors; i++) {
		LT_AUTO_BUF struct lt_buf line = { 0 };
		scale_factor(&rec->factors[i], &line);
		if (line.len || line.failed)
			text_line(t, "  ", "  ", &line);
	}
	if (threads && !rec->scaling->busy) {
		say(t, "  ", scale_law);
		say(t, "  ", scale_one_cpu);
	}
}

static void add_row(
	const struct time_ledger *l, double ns, const char *what, const char *where, struct grid *g)
{
	grid_add(g, scale_time(l, ns).s);
	grid_add(g, format_percent(ns / l->lost_ns).s);
	grid_add(g, what);
	grid_add(g, where);
}

static void add_line(
	const struct time_ledger *l, const struct ledger_line *line, double ns, struct grid *g)
{
	LT_AUTO_BUF struct lt_buf what = { 0 }, where = { 0 };
	scale_line_what(line, &what);
	scale_line_where(line, &where);
	add_row(l, ns, what.data ? what.data : "", where.data ? where.data : "", g);
	g->failed = g->failed || what.failed || where.failed;
}

/* Would they read the same, whoever of the threads it is? */
static bool reads_same(const struct ledger_line *a, const struct ledger_line *b)
{
	return (a->part == LEDGER_IDLE) == (b->part == LEDGER_IDLE) && a->line == b->line &&
		lt_same_text(a->op, b->op) && lt_same_text(a->function, b->function) &&
		lt_same_text(a->object, b->object) && lt_same_text(a->file, b->file);
}

/* The sum of the lines that read like line i; 0 when it was said already. */
static double take_alike(const struct time_ledger *l, size_t i)
{
	double sum = 0;
	for (size_t k = 0; k < l->n_lines; k++) {
		if (!reads_same(&l->lines[i], &l->lines[k]))
			continue;
		if (k < i)
			return 0;
		sum += l->lines[k].core_ns;
	}
	return sum;
}

/* Lines of the ledger that read the same, by the first of them. */
struct told {
	const struct ledger_line *line;
	double ns;
};

static int largest_first(const void *a, const void *b)
{
	const struct told *x = a, *y = b;
	if (fabs(x->ns) != fabs(y->ns))
		return fabs(x->ns) > fabs(y->ns) ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line; /* as the record has them */
}

static size_t tell_alike(const struct time_ledger *l, struct told *ret)
{
	size_t n = 0;
	for (size_t i = 0; i < l->n_lines; i++) {
		double ns = take_alike(l, i);
		if (ns != 0)
			ret[n++] = (struct told){ &l->lines[i], ns };
	}
	qsort(ret, n, sizeof(*ret), largest_first);
	return n;
}

static void say_lines(const struct text *t)
{
	const struct time_ledger *l = t->rec->ledger;
	LT_AUTO_FREE struct told *told = calloc(l->n_lines, sizeof(*told));
	if (!told) {
		t->out->failed = true;
		return;
	}
	GRID_AUTO struct grid g = {
		.align = "rrll", .cell_max = WHERE_COLUMNS, .width = t->verbose ? 0 : t->width
	};
	size_t n = tell_alike(l, told), shown = t->verbose || n < LEDGER_SHOWN ? n : LEDGER_SHOWN;
	for (size_t i = 0; i < shown; i++)
		add_line(l, told[i].line, told[i].ns, &g);
	LT_AUTO_BUF struct lt_buf rest = { 0 };
	double lesser = 0;
	for (size_t i = shown; i < n; i++)
		lesser += told[i].ns;
	lt_buf_addf(&rest, "%zu lesser (-v shows them)", n - shown);
	if (n > shown)
		add_row(l, lesser, rest.data ? rest.data : "", "", &g);
	add_row(l, l->unexplained_ns, "unexplained", "", &g);
	g.failed = g.failed || rest.failed;
	grid_print(&g, 2, 2, t->out);
}

static void say_ledger(const struct text *t)
{
	const struct time_ledger *l = t->rec->ledger;
	LT_AUTO_BUF struct lt_buf loss = { 0 }, used = { 0 };
	scale_loss(t->rec, &loss);
	text_line(t, "\nWhere the time went: ", "  ", &loss);
	if (l->lost_ns > 0.01 * l->cores * l->wall_ns && l->n_lines)
		say_lines(t);
	scale_used(t->rec, &used);
	if (used.len || used.failed)
		text_line(t, "  ", "  ", &used);
}

static void say_cause(const struct text *t, const struct finding *f)
{
	LT_AUTO_BUF struct lt_buf line = { 0 };
	scale_cause(t->rec, f, &line);
	text_line(t, "  ", "    ", &line);
	LT_AUTO_BUF struct lt_buf before = { 0 };
	for (size_t i = 0; i < f->n_where; i++) {
		LT_AUTO_BUF struct lt_buf place = { 0 };
		cause_role(&f->where[i], &place);
		lt_buf_adds(&place, place.len ? ": " : "");
		scale_place(&f->where[i], &place);
		/* Without symbols two places may read the same. */
		bool news = !lt_same_text(before.data, place.data);
		lt_buf_reset(&before);
		lt_buf_adds(&before, place.data ? place.data : "");
		if (news)
			text_line(t, "    ", "      ", &place);
	}
	if (before.failed)
		t->out->failed = true;
	for (size_t i = 0; i < f->n_facts && t->verbose; i++)
		text_para(t, "    ", "      ", "%s: %s", f->facts[i].name,
			value_known(f->facts[i].num)
				? format_value(f->facts[i].unit, f->facts[i].num.num, NAN).s
				: "n/a");
	if (cause_advice(f))
		text_para(t, "    ", "      ", "usual change: %s", cause_advice(f));
	if (f->confirm)
		text_para(t, "    ", "      ", "to confirm: %s", f->confirm);
}

static void say_causes(const struct text *t)
{
	bool any = false;
	for (size_t i = 0; i < t->rec->n_findings; i++) {
		const struct finding *f = &t->rec->findings[i];
		if (!scale_is_cause(f))
			continue;
		if (!any)
			lt_buf_adds(t->out, "\nWhy\n");
		any = true;
		say_cause(t, f);
	}
}

static void add_remedy(const struct remedy_result *r, struct grid *g)
{
	bool known = value_known(r->ratio.value);
	grid_add(g, r->name);
	grid_add(g, scale_remedy_word(r));
	grid_add(g, known ? format_ratio(r->ratio.value.num, r->ratio.lo, r->ratio.hi).s : "");
	grid_add(g,
		estimate_bounded(&r->ratio)
			? format_ratio_range(r->ratio.value.num, r->ratio.lo, r->ratio.hi).s
			: "");
	grid_add(g, value_known(r->peak) ? format_value("bytes", r->peak.num, NAN).s : "");
}

/* The curve once more, with the best remedy. */
static void say_after(const struct text *t, const char *remedy)
{
	const struct record *rec = t->rec;
	GRID_AUTO struct grid g = { .align = "rrrrr" };
	grid_row(&g, "threads", "before", "speed-up", "with it", "speed-up");
	for (size_t i = 0; i < rec->n_curve; i++) {
		const struct curve_point *a = &rec->curve[i], *b = NULL;
		for (size_t k = 0; k < rec->n_curve && !a->remedy && !b; k++) {
			const struct curve_point *p = &rec->curve[k];
			if (p->remedy && !strcmp(p->remedy, remedy) && p->n &&
				p->threads == a->threads &&
				same_but_threads(rec, a->variant, p->variant))
				b = p;
		}
		if (!b)
			continue;
		const struct curve_point *const both[] = { a, b };
		grid_addf(&g, "%u", a->threads);
		for (int k = 0; k < 2; k++) {
			const struct curve_point *p = both[k];
			bool some = p && p->n, speed = some && value_known(p->speedup.value);
			grid_add(&g, some ? format_value("ns", p->wall_ns.value.num, NAN).s : "-");
			grid_add(&g,
				speed ? format_ratio(
						p->speedup.value.num, p->speedup.lo, p->speedup.hi)
						.s
				      : "-");
		}
	}
	if (!grid_has_rows(&g))
		return;
	lt_buf_adds(t->out, "\n");
	grid_print(&g, 2, 2, t->out);
}

static void say_remedies(const struct text *t)
{
	const struct record *rec = t->rec;
	const struct remedy_result *best = NULL;
	enum scale_verdict verdict = rec->scaling->verdict;
	size_t left = 0;
	bool tried = false, asked = verdict != SCALE_SCALES && verdict != SCALE_UNDECIDED;
	for (size_t i = 0; i < rec->n_remedies; i++) {
		left += rec->remedies[i].verdict == REMEDY_NOT_TRIED &&
			!scale_is_control(&rec->remedies[i]);
		tried = tried || rec->remedies[i].verdict != REMEDY_NOT_TRIED;
	}
	if (!rec->n_remedies || (!tried && !left && !asked))
		return;
	say(t, "\nWhat helps: ", scale_remedies);
	for (size_t i = 0; i < rec->n_remedies; i++)
		if (rec->remedies[i].best)
			best = &rec->remedies[i];
	if (best && best->change) {
		lt_buf_adds(t->out, "\n    ");
		page_text(t->out, best->change, 0);
		lt_buf_adds(t->out, "\n\n");
	}
	GRID_AUTO struct grid g = { .align = "llrlr" };
	grid_row(&g, "", "", "x as fast", "95 % interval", "peak memory");
	for (size_t i = 0; i < rec->n_remedies; i++)
		if (rec->remedies[i].verdict != REMEDY_NOT_TRIED || t->verbose)
			add_remedy(&rec->remedies[i], &g);
	if (grid_has_rows(&g))
		grid_print(&g, 2, 2, t->out);
	for (size_t i = 0; i < rec->n_remedies; i++)
		if (rec->remedies[i].reason &&
			(rec->remedies[i].verdict != REMEDY_NOT_TRIED || t->verbose))
			text_para(t, "  ", "    ", "%s: %s%s%s", rec->remedies[i].name,
				rec->remedies[i].reason, rec->remedies[i].hint ? "; " : "",
				rec->remedies[i].hint ? rec->remedies[i].hint : "");
	if (best)
		say_after(t, best->name);
	if (left && tried && !t->verbose)
		text_para(t, "  ", "    ", "%zu more could not be tried here (-v says why)", left);
}

void text_scale_why(const struct text *t)
{
	if (t->rec->ledger)
		say_ledger(t);
	say_causes(t);
	say_remedies(t);
}
