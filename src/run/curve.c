/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Points of the curve: speed-up and efficiency with intervals. Run times of one point scatter
 * in proportion, and much alike at all points of one program, so the spread of their logs is
 * pooled: a few rounds give honest intervals. */
#include "run/curve.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/own.h"
#include "base/str.h"
#include "stats/desc.h"
#include "stats/pool.h"

unsigned curve_threads(const struct record *rec, unsigned variant)
{
	int f = record_factor(rec, "threads");
	const char **levels = rec->variants[variant].levels;
	return f < 0 || !levels ? 0 : (unsigned)strtoul(levels[f], NULL, 10);
}

/* The same levels, threads apart? */
static bool same_levels(const struct record *rec, unsigned a, unsigned b)
{
	const struct variant *va = &rec->variants[a], *vb = &rec->variants[b];
	int f = record_factor(rec, "threads");
	if (!va->levels || !vb->levels)
		return false;
	for (size_t i = 0; i < rec->n_factors; i++)
		if ((int)i != f && strcmp(va->levels[i], vb->levels[i]) != 0)
			return false;
	return true;
}

bool curve_alike(const struct record *rec, unsigned a, unsigned b)
{
	return same_levels(rec, a, b) &&
		lt_same_text(rec->variants[a].remedy, rec->variants[b].remedy);
}

/* Everything that the runs of one variant say, in logs. */
struct sample {
	struct stats_log_sample wall, rate;
	double work; /* units of a run, on average; 0 = not stated */
	double cpu_ns, user_ns, system_ns, cores, peak_bytes; /* medians; NAN unknown */
};

static double median_of(const struct record *rec, unsigned variant, const char *metric, double *x)
{
	int m = record_metric(rec, metric);
	size_t n = m < 0 ? 0 : record_curve_values(rec, variant, (unsigned)m, false, x);
	return n ? stats_median(x, n) : NAN;
}

static void take_sample(const struct record *rec, unsigned variant, double *x, struct sample *ret)
{
	int wall = record_metric(rec, "wall");
	size_t n = wall < 0 ? 0 : record_curve_values(rec, variant, (unsigned)wall, false, x);
	*ret = (struct sample){ .cpu_ns = NAN };
	stats_log_sample(x, n, &ret->wall);
	n = wall < 0 ? 0 : record_curve_values(rec, variant, (unsigned)wall, true, x);
	for (size_t i = 0; i < n; i++)
		x[i] = 1e9 / x[i]; /* ns per unit to units per second */
	stats_log_sample(x, n, &ret->rate);
	if (n)
		ret->work = exp(ret->rate.mean) * exp(ret->wall.mean) / 1e9;
	ret->cpu_ns = median_of(rec, variant, "cpu", x);
	ret->user_ns = median_of(rec, variant, "user", x);
	ret->system_ns = median_of(rec, variant, "sys", x);
	ret->cores = median_of(rec, variant, "cores", x);
	ret->peak_bytes = median_of(rec, variant, "peak-rss", x);
}

struct samples {
	struct sample *list;                    /* one per variant */
	struct stats_log_pool wall[2], rate[2]; /* without and with a remedy */
};

static void free_samples(struct samples *s)
{
	free(s->list);
}

/* The pools leave out points with more threads than CPUs: their scatter is their own. */
static int take_samples(const struct record *rec, struct samples *ret, struct lt_err *err)
{
	LT_AUTO_FREE double *x = malloc((rec->n_trials + 1) * sizeof(*x));
	ret->list = calloc(rec->n_variants + 1, sizeof(*ret->list));
	if (!x || !ret->list)
		return lt_fail_mem(err);
	for (unsigned v = 0; v < rec->n_variants; v++) {
		take_sample(rec, v, x, &ret->list[v]);
		if (!rec->variants[v].levels || curve_threads(rec, v) > ceil(rec->scaling->cpus))
			continue;
		bool remedy = rec->variants[v].remedy;
		stats_log_pool_add(&ret->wall[remedy], &ret->list[v].wall);
		stats_log_pool_add(&ret->rate[remedy], &ret->list[v].rate);
	}
	return 0;
}

static struct value known(double num, const char *reason)
{
	return isfinite(num) ? value_of(num) : value_missing(reason, NULL);
}

/* exp(center ± half). */
static struct estimate estimate_exp(double center, double half)
{
	return (struct estimate){ value_of(exp(center)), exp(center - half), exp(center + half) };
}

static struct estimate times(struct estimate e, double by)
{
	if (value_known(e.value)) {
		e.value.num *= by;
		e.lo *= by;
		e.hi *= by;
	}
	return e;
}

/* The variant that `v` is to be compared with: the fewest threads with all else the same, or, if
 * the remedy was not run with so few, without it. */
static int base_of(const struct record *rec, const struct samples *s, unsigned v)
{
	int best = -1;
	bool best_alike = false;
	for (unsigned i = 0; i < rec->n_variants; i++) {
		bool alike = curve_alike(rec, v, i);
		if ((int)i == rec->scaling->one_cpu.variant || !s->list[i].wall.n ||
			!same_levels(rec, v, i) || (!alike && rec->variants[i].remedy))
			continue;
		unsigned threads = curve_threads(rec, i);
		unsigned least = best < 0 ? UINT_MAX : curve_threads(rec, (unsigned)best);
		if (threads > least || (threads == least && (best_alike || !alike)))
			continue;
		best = (int)i;
		best_alike = alike;
	}
	return best;
}

/* Faster by how much, counting the work done. */
static struct estimate speedup(
	const struct record *rec, const struct samples *s, unsigned base, unsigned v)
{
	const struct sample *a = &s->list[base], *b = &s->list[v];
	double ta = curve_threads(rec, base), tb = curve_threads(rec, v);
	bool remedy = rec->variants[v].remedy;
	if (base == v)
		return (struct estimate){ value_of(1), NAN, NAN };
	if (a->rate.n && b->rate.n)
		return estimate_exp(b->rate.mean - a->rate.mean,
			stats_log_pool_half(&s->rate[remedy], &a->rate, &b->rate));
	struct estimate e = estimate_exp(a->wall.mean - b->wall.mean,
		stats_log_pool_half(&s->wall[remedy], &a->wall, &b->wall));
	return rec->scaling->mode == SCALE_WEAK && ta > 0 ? times(e, tb / ta) : e;
}

static void fill_point(
	const struct record *rec, const struct samples *s, unsigned v, struct curve_point *p)
{
	const struct sample *own = &s->list[v];
	bool remedy = rec->variants[v].remedy;
	unsigned threads = curve_threads(rec, v);
	double cpus = rec->scaling->cpus;
	static const char none[] = "no run counts here";
	*p = (struct curve_point){ .variant = v,
		.threads = threads,
		.remedy = rec->variants[v].remedy,
		.over = threads > ceil(cpus),
		.n = own->wall.n,
		.work = curve_work(rec, v),
		.wall_ns = estimate_missing(none, NULL),
		.rate = estimate_missing("units of work are not stated", "--work N"),
		.speedup = estimate_missing(threads ? none : "threads are no factor", NULL),
		.efficiency = estimate_missing(threads ? none : "threads are no factor", NULL),
		.user_ns = known(own->user_ns, none),
		.system_ns = known(own->system_ns, none),
		.cores = known(own->cores, none),
		.peak_bytes = known(own->peak_bytes, none) };
	if (!own->wall.n)
		return;
	p->wall_ns = estimate_exp(
		own->wall.mean, stats_log_pool_half(&s->wall[remedy], &own->wall, NULL));
	if (own->rate.n)
		p->rate = estimate_exp(
			own->rate.mean, stats_log_pool_half(&s->rate[remedy], &own->rate, NULL));
	int base = base_of(rec, s, v);
	if (!threads || base < 0)
		return;
	unsigned least = curve_threads(rec, (unsigned)base);
	p->speedup = speedup(rec, s, (unsigned)base, v);
	/* Against more than one thread, that many are worth as many. */
	p->efficiency = times(p->speedup, fmin(least, cpus) / fmin(threads, cpus));
}

/* Nothing but that it takes longer than leat waited for. */
static double given_up_ns(const struct record *rec, unsigned v)
{
	int wall = record_metric(rec, "wall");
	double most = 0;
	for (size_t i = 0; wall >= 0 && i < rec->n_trials; i++) {
		const struct trial *t = &rec->trials[i];
		if (t->variant == v && t->outcome.notes & NOTE_GIVEN_UP &&
			value_known(t->readings[wall]))
			most = fmax(most, t->readings[wall].num);
	}
	return most;
}

static int points_from(struct record *rec, const struct samples *s, struct lt_err *err)
{
	rec->n_curve = 0;
	for (unsigned v = 0; v < rec->n_variants; v++) {
		if (!rec->variants[v].levels || (int)v == rec->scaling->one_cpu.variant)
			continue;
		/* A remedy that was only looked at, or broke the program, is no curve. */
		if (rec->variants[v].remedy && !s->list[v].wall.n)
			continue;
		struct curve_point *p = record_add_curve(rec);
		if (!p)
			return lt_fail_mem(err);
		fill_point(rec, s, v, p);
		if (!p->n && !p->remedy)
			p->given_up_ns = given_up_ns(rec, v);
	}
	return 0;
}

int curve_points(struct record *rec, struct lt_err *err)
{
	LT_AUTO(free_samples) struct samples s = { 0 };
	int r = take_samples(rec, &s, err);
	return r < 0 ? r : points_from(rec, &s, err);
}

struct estimate curve_ratio(const struct record *rec, unsigned a, unsigned b)
{
	LT_AUTO(free_samples) struct samples s = { 0 };
	if (take_samples(rec, &s, NULL) < 0 || !s.list[a].wall.n || !s.list[b].wall.n)
		return estimate_missing("there are no runs of both", NULL);
	return estimate_exp(s.list[b].wall.mean - s.list[a].wall.mean,
		stats_log_pool_half(&s.wall[0], &s.list[a].wall, &s.list[b].wall));
}
