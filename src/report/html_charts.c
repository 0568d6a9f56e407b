/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the record to what the charts are drawn from: the same numbers, in seconds. */
#include <math.h>
#include <string.h>

#include "base/jsonw.h"
#include "record/words.h"
#include "report/html.h"
#include "report/scale_sentences.h"

static double seconds(double ns)
{
	return ns / 1e9;
}

static void put_estimate(struct lt_jsonw *w, const char *key, const struct estimate *e)
{
	bool known = value_known(e->value), bounded = estimate_bounded(e);
	lt_jsonw_num(w, key, known ? e->value.num : (double)NAN); /* null */
	lt_jsonw_num(w, "lo", bounded ? e->lo : (double)NAN);
	lt_jsonw_num(w, "hi", bounded ? e->hi : (double)NAN);
}

/* The levels of all factors but threads: what points of one curve have in common. */
static void put_curve_name(
	const struct record *rec, const struct curve_point *p, struct lt_jsonw *w)
{
	LT_AUTO_BUF struct lt_buf name = { 0 };
	int threads = record_factor(rec, "threads");
	for (size_t i = 0; i < rec->n_factors; i++)
		if ((int)i != threads)
			lt_buf_addf(&name, "%s%s=%s", name.len ? ", " : "", rec->factors[i].name,
				rec->variants[p->variant].levels[i]);
	lt_jsonw_str(w, "of", name.data ? name.data : "");
	w->out->failed = w->out->failed || name.failed;
}

/* Points with threads; of remedies the best one's alone. */
static void put_curve(const struct record *rec, const char *best, struct lt_jsonw *w)
{
	lt_jsonw_open(w, "curve", '[', false);
	for (size_t i = 0; i < rec->n_curve; i++) {
		const struct curve_point *p = &rec->curve[i];
		if (!p->threads || (p->remedy && (!best || strcmp(p->remedy, best) != 0)))
			continue;
		lt_jsonw_open(w, NULL, '{', true);
		put_curve_name(rec, p, w);
		lt_jsonw_str(w, "remedy", p->remedy);
		lt_jsonw_num(w, "threads", p->threads);
		lt_jsonw_bool(w, "over", p->over);
		put_estimate(w, "speedup", &p->speedup);
		lt_jsonw_close(w);
	}
	lt_jsonw_close(w);
}

static void put_line(const struct ledger_line *line, struct lt_jsonw *w)
{
	LT_AUTO_BUF struct lt_buf what = { 0 }, where = { 0 };
	scale_line_what(line, &what);
	scale_line_where(line, &where);
	if (where.len)
		lt_buf_addf(&what, ", %s", where.data);
	lt_jsonw_open(w, NULL, '{', true);
	lt_jsonw_str(w, "part", record_word(&record_part_words, line->part));
	lt_jsonw_str(w, "what", what.data ? what.data : "");
	lt_jsonw_num(w, "s", seconds(line->core_ns));
	lt_jsonw_close(w);
	w->out->failed = w->out->failed || what.failed || where.failed;
}

static void put_ledger(const struct time_ledger *l, struct lt_jsonw *w)
{
	lt_jsonw_open(w, "ledger", '{', false);
	lt_jsonw_num(w, "threads", l->threads);
	lt_jsonw_num(w, "all", seconds(l->cores * l->wall_ns));
	lt_jsonw_num(w, "useful", seconds(l->useful_ns));
	lt_jsonw_num(w, "user", seconds(l->user_ns));
	lt_jsonw_num(w, "system", seconds(l->system_ns));
	lt_jsonw_num(w, "idle", seconds(l->idle_ns));
	lt_jsonw_num(w, "unexplained", seconds(l->unexplained_ns));
	lt_jsonw_open(w, "lines", '[', false);
	for (size_t i = 0; i < l->n_lines; i++)
		put_line(&l->lines[i], w);
	lt_jsonw_close(w);
	lt_jsonw_open(w, "used", '[', false);
	for (size_t i = 0; i < l->n_used; i++) {
		lt_jsonw_open(w, NULL, '{', true);
		lt_jsonw_num(w, "cores", l->used[i].cores);
		lt_jsonw_num(w, "s", seconds(l->used[i].ns));
		lt_jsonw_close(w);
	}
	lt_jsonw_close(w);
	lt_jsonw_close(w);
}

static void put_remedies(const struct record *rec, struct lt_jsonw *w)
{
	lt_jsonw_open(w, "remedies", '[', false);
	for (size_t i = 0; i < rec->n_remedies; i++) {
		const struct remedy_result *r = &rec->remedies[i];
		if (!value_known(r->ratio.value))
			continue;
		lt_jsonw_open(w, NULL, '{', true);
		lt_jsonw_str(w, "name", r->name);
		lt_jsonw_str(w, "verdict", scale_remedy_word(r));
		lt_jsonw_bool(w, "best", r->best);
		put_estimate(w, "ratio", &r->ratio);
		lt_jsonw_close(w);
	}
	lt_jsonw_close(w);
}

void html_charts(const struct record *rec, struct lt_buf *out)
{
	LT_AUTO_BUF struct lt_buf json = { 0 };
	struct lt_jsonw w = { .out = &json };
	const char *best = NULL;
	for (size_t i = 0; i < rec->n_remedies; i++)
		if (rec->remedies[i].best)
			best = rec->remedies[i].name;
	lt_jsonw_open(&w, NULL, '{', false);
	lt_jsonw_num(&w, "cpus", rec->scaling->cpus);
	put_curve(rec, best, &w);
	if (rec->ledger)
		put_ledger(rec->ledger, &w);
	put_remedies(rec, &w);
	lt_jsonw_close(&w);
	/* Nothing in there may end the element that it stands in. */
	for (const char *s = json.data ? json.data : ""; *s; s++) {
		if (*s == '<')
			lt_buf_adds(out, "\\u003c");
		else
			lt_buf_add(out, s, 1);
	}
	out->failed = out->failed || json.failed;
}
