/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of a sweep, whoever prints them. */
#include "report/scale_grids.h"

#include <math.h>

#include "record/words.h"
#include "report/format.h"
#include "report/scale_sentences.h"
#include "report/sentences.h"

static void add_estimate(struct grid *g, const struct estimate *e)
{
	bool known = value_known(e->value);
	grid_add(g, known ? format_ratio(e->value.num, e->lo, e->hi).s : "n/a");
	grid_add(g, estimate_bounded(e) ? format_ratio_range(e->value.num, e->lo, e->hi).s : "");
}

void scale_add_wall(struct grid *g, const struct curve_point *p, const char *none)
{
	const struct estimate *e = &p->wall_ns;
	double half = estimate_bounded(e) ? sentence_half(e->lo, e->hi) : NAN;
	if (p->given_up_ns > 0)
		grid_addf(g, "> %s", format_value("ns", p->given_up_ns, NAN).s);
	else
		grid_add(g, p->n ? format_value("ns", e->value.num, half).s : none);
}

void scale_grid_curve(const struct record *rec, struct grid *g)
{
	g->align = "lrrrrrr";
	g->cell_max = 80;
	grid_row(g, "point", "wall", "speed-up", "95 % interval", "efficiency", "cores used",
		"runs");
	for (size_t i = 0; i < rec->n_curve; i++) {
		const struct curve_point *p = &rec->curve[i];
		grid_addf(g, "%s%s", rec->variants[p->variant].name, p->over ? " (> CPUs)" : "");
		scale_add_wall(g, p, "n/a");
		add_estimate(g, &p->speedup);
		grid_add(g,
			value_known(p->efficiency.value) ? format_percent(p->efficiency.value.num).s
							 : "n/a");
		grid_add(g, value_known(p->cores) ? format_ratio(p->cores.num, NAN, NAN).s : "n/a");
		grid_addf(g, "%zu", p->n);
	}
}

void scale_grid_ledger(const struct record *rec, struct grid *g)
{
	const struct time_ledger *l = rec->ledger;
	g->align = "rrllll";
	g->cell_max = 120;
	grid_row(g, "core time", "of the loss", "part", "what", "where", "threads");
	for (size_t i = 0; i < l->n_lines; i++) {
		LT_AUTO_BUF struct lt_buf what = { 0 }, where = { 0 };
		scale_line_what(&l->lines[i], &what);
		scale_line_where(&l->lines[i], &where);
		grid_add(g, scale_time(l, l->lines[i].core_ns).s);
		grid_add(g, format_percent(l->lines[i].core_ns / l->lost_ns).s);
		grid_add(g, record_word(&record_part_words, l->lines[i].part));
		grid_add(g, what.data ? what.data : "");
		grid_add(g, where.data ? where.data : "");
		grid_add(g, l->lines[i].group ? l->lines[i].group : "");
		g->failed = g->failed || what.failed || where.failed;
	}
	grid_add(g, scale_time(l, l->unexplained_ns).s);
	grid_add(g, format_percent(l->unexplained_ns / l->lost_ns).s);
	grid_row(g, "", "unexplained", "", "");
}

void scale_grid_remedies(const struct record *rec, struct grid *g)
{
	g->align = "llrrrl";
	g->cell_max = 120;
	grid_row(g, "remedy", "verdict", "x as fast", "95 % interval", "peak memory", "change");
	for (size_t i = 0; i < rec->n_remedies; i++) {
		const struct remedy_result *r = &rec->remedies[i];
		grid_add(g, r->name);
		grid_addf(g, "%s%s%s%s", scale_remedy_word(r), r->reason ? " (" : "",
			r->reason ? r->reason : "", r->reason ? ")" : "");
		add_estimate(g, &r->ratio);
		grid_add(g,
			value_known(r->peak) ? format_value("bytes", r->peak.num, NAN).s : "n/a");
		grid_add(g, r->change ? r->change : "");
	}
}
