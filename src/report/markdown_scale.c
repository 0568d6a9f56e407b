/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Markdown: a sweep, for an issue or a pull request. */
#include <math.h>

#include "record/words.h"
#include "report/cause_sentences.h"
#include "report/format.h"
#include "report/grid.h"
#include "report/markdown.h"
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

static void add_heads(struct grid *g, const char *const *heads, size_t n)
{
	for (size_t i = 0; i < n; i++)
		grid_add(g, heads[i]);
}

static void add_estimate(struct grid *g, const struct estimate *e)
{
	bool known = value_known(e->value);
	grid_add(g, known ? format_ratio(e->value.num, e->lo, e->hi).s : "n/a");
	grid_add(g, estimate_bounded(e) ? format_ratio_range(e->value.num, e->lo, e->hi).s : "");
}

static void say_curve(const struct record *rec, struct lt_buf *out)
{
	GRID_AUTO struct grid g = { .align = "lrrrrrr", .cell_max = 80 };
	static const char *const heads[] = { "point", "wall", "speed-up", "95 % interval",
		"efficiency", "cores used", "runs" };
	add_heads(&g, heads, LT_COUNT(heads));
	for (size_t i = 0; i < rec->n_curve; i++) {
		const struct curve_point *p = &rec->curve[i];
		double half = estimate_bounded(&p->wall_ns)
			? sentence_half(p->wall_ns.lo, p->wall_ns.hi)
			: NAN;
		grid_addf(&g, "%s%s", rec->variants[p->variant].name, p->over ? " (> CPUs)" : "");
		grid_add(&g, p->n ? format_value("ns", p->wall_ns.value.num, half).s : "n/a");
		add_estimate(&g, &p->speedup);
		grid_add(&g,
			value_known(p->efficiency.value) ? format_percent(p->efficiency.value.num).s
							 : "n/a");
		grid_add(
			&g, value_known(p->cores) ? format_ratio(p->cores.num, NAN, NAN).s : "n/a");
		grid_addf(&g, "%zu", p->n);
	}
	lt_buf_adds(out, "\n");
	grid_markdown(&g, out);
}

static void say_ledger(const struct record *rec, struct lt_buf *out)
{
	const struct time_ledger *l = rec->ledger;
	double all = l->cores * l->wall_ns, half = 0.01 * all;
	say(rec, out, "\n**Where the time went**: ", "\n\n", scale_loss);
	GRID_AUTO struct grid g = { .align = "rrllll", .cell_max = 120 };
	static const char *const heads[] = { "core time", "of the loss", "part", "what", "where",
		"threads" };
	add_heads(&g, heads, LT_COUNT(heads));
	for (size_t i = 0; i < l->n_lines; i++) {
		LT_AUTO_BUF struct lt_buf what = { 0 }, where = { 0 };
		scale_line_what(&l->lines[i], &what);
		scale_line_where(&l->lines[i], &where);
		grid_add(&g, format_beside("ns", all, l->lines[i].core_ns, half).s);
		grid_add(&g, format_percent(l->lines[i].core_ns / l->lost_ns).s);
		grid_add(&g, record_word(&record_part_words, l->lines[i].part));
		grid_add(&g, what.data ? what.data : "");
		grid_add(&g, where.data ? where.data : "");
		grid_add(&g, l->lines[i].group ? l->lines[i].group : "");
		g.failed = g.failed || what.failed || where.failed;
	}
	grid_add(&g, format_beside("ns", all, l->unexplained_ns, half).s);
	grid_add(&g, format_percent(l->unexplained_ns / l->lost_ns).s);
	static const char *const rest[] = { "", "unexplained", "", "" };
	add_heads(&g, rest, LT_COUNT(rest));
	grid_markdown(&g, out);
	say(rec, out, "\n", "\n", scale_used);
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

static void say_remedies(const struct record *rec, struct lt_buf *out)
{
	GRID_AUTO struct grid g = { .align = "llrrrl", .cell_max = 120 };
	static const char *const heads[] = { "remedy", "verdict", "x as fast", "95 % interval",
		"peak memory", "change" };
	if (!rec->n_remedies)
		return;
	say(rec, out, "\n**What helps**: ", "\n\n", scale_remedies);
	add_heads(&g, heads, LT_COUNT(heads));
	for (size_t i = 0; i < rec->n_remedies; i++) {
		const struct remedy_result *r = &rec->remedies[i];
		grid_add(&g, r->name);
		grid_addf(&g, "%s%s%s%s", scale_remedy_word(r), r->reason ? " (" : "",
			r->reason ? r->reason : "", r->reason ? ")" : "");
		add_estimate(&g, &r->ratio);
		grid_add(&g,
			value_known(r->peak) ? format_value("bytes", r->peak.num, NAN).s : "n/a");
		grid_add(&g, r->change ? r->change : "");
	}
	grid_markdown(&g, out);
}

int markdown_sweep(const struct record *rec, struct lt_buf *out, struct lt_err *err)
{
	if (rec->partial)
		say(rec, out, "", "\n\n", sentence_partial);
	if (rec->scaling->command)
		markdown_code(out, rec->scaling->command);
	say(rec, out, "\n\n**", "**\n", scale_verdict);
	say_curve(rec, out);
	say(rec, out, "\n", "\n", scale_basis);
	if (!rec->scaling->busy) {
		say(rec, out, "\n", "\n", scale_law);
		say(rec, out, "\n", "\n", scale_one_cpu);
	}
	if (rec->ledger)
		say_ledger(rec, out);
	say_causes(rec, out);
	say_remedies(rec, out);
	markdown_rest(rec, out);
	return out->failed ? lt_fail_mem(err) : 0;
}
