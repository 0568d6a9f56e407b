/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The split of the loss. Its lines are in lines.c. */
#include "ledger/time.h"

#include <math.h>
#include <stdlib.h>

#include "base/own.h"
#include "ledger/lines.h"
#include "stats/desc.h"

/* Means over the kept runs, so that the parts add up. */
struct costs {
	double wall, user, system; /* NAN: not known */
};

static double mean_of(const struct record *rec, unsigned variant, const char *metric, double *x)
{
	int m = record_metric(rec, metric);
	size_t n = m < 0 ? 0 : record_curve_values(rec, variant, (unsigned)m, false, x);
	return n ? stats_mean(x, n) : NAN;
}

static int take_costs(
	const struct record *rec, unsigned variant, struct costs *ret, struct lt_err *err)
{
	LT_AUTO_FREE double *x = malloc((rec->n_trials + 1) * sizeof(*x));
	if (!x)
		return lt_fail_mem(err);
	ret->wall = mean_of(rec, variant, "wall", x);
	ret->system = mean_of(rec, variant, "sys", x);
	/* The sum is exact; of descendants that nobody waited for it knows more. */
	ret->user = mean_of(rec, variant, "cpu", x) - ret->system;
	return 0;
}

/* The histogram is that of a run under observation: brought to the length of the others. */
static int take_used(
	struct record *rec, struct time_ledger *l, const struct evidence *at, struct lt_err *err)
{
	if (!at || !at->n_cores || !(at->elapsed_ns > 0))
		return 0;
	l->used = lt_arena_alloc(&rec->arena, at->n_cores * sizeof(*l->used));
	if (!l->used)
		return lt_fail_mem(err);
	for (size_t i = 0; i < at->n_cores; i++)
		l->used[i] = (struct cores_used){ (unsigned)i,
			at->cores[i].ns * l->wall_ns / at->elapsed_ns };
	l->n_used = at->n_cores;
	l->used_tier = at->sources[EVIDENCE_CORES].how;
	return 0;
}

int ledger_time(struct record *rec, const struct evidence *at, const struct evidence *base,
	struct lt_err *err)
{
	const struct scaling *s = rec->scaling;
	rec->ledger = NULL;
	if (!s || s->baseline < 0 || s->focus < 0 || s->focus == s->baseline)
		return 0;
	const struct curve_point *p = record_point(rec, (unsigned)s->focus);
	struct costs one, many;
	int r = take_costs(rec, (unsigned)s->baseline, &one, err);
	if (r >= 0)
		r = take_costs(rec, (unsigned)s->focus, &many, err);
	if (r < 0)
		return r;
	if (!p || !isfinite(one.user + many.user + many.wall))
		return 0;
	struct time_ledger *l = lt_arena_alloc(&rec->arena, sizeof(*l));
	if (!l)
		return lt_fail_mem(err);
	*l = (struct time_ledger){ .variant = p->variant,
		.threads = p->threads,
		.cores = fmin(p->threads, s->cpus),
		.wall_ns = many.wall,
		.useful_ns = p->work * (one.user + one.system),
		.user_ns = many.user - p->work * one.user,
		.system_ns = many.system - p->work * one.system };
	l->lost_ns = l->cores * l->wall_ns - l->useful_ns;
	l->idle_ns = l->cores * l->wall_ns - many.user - many.system;
	r = take_used(rec, l, at, err);
	if (r >= 0)
		r = ledger_lines(
			rec, l, &(struct ledger_cpu){ many.user, many.system }, at, base, err);
	if (r >= 0)
		rec->ledger = l;
	return r;
}
