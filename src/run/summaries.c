/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Summing up each metric of each variant. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/analysis.h"
#include "stats/summary.h"

int analysis_primary(const struct record *rec)
{
	int m = rec->plan.primary ? record_metric(rec, rec->plan.primary) : -1;
	return m >= 0 ? m : (rec->n_metrics > 0 ? 0 : -1);
}

/* Why a metric has no value for a variant: what its first trial says. */
static struct value why_missing(const struct record *rec, unsigned variant, unsigned metric)
{
	for (size_t i = 0; i < rec->n_trials; i++) {
		const struct trial *t = &rec->trials[i];
		const struct value *v = &t->readings[metric];
		if (t->variant == variant && v->state == VALUE_UNAVAILABLE && v->reason)
			return *v;
	}
	return value_missing("no run gave a value", NULL);
}

/* The state that is furthest from measured among the values used. */
static enum value_state worst_state(const struct record *rec, unsigned variant, unsigned metric)
{
	enum value_state state = VALUE_MEASURED;
	for (size_t i = 0; i < rec->n_trials; i++) {
		const struct trial *t = &rec->trials[i];
		if (t->variant == variant && t->kept && t->readings[metric].state > state)
			state = t->readings[metric].state;
	}
	return state;
}

static int summarize(struct record *rec, unsigned variant, unsigned metric, bool per_work,
	double *room, struct lt_err *err)
{
	size_t n = record_values(rec, variant, metric, per_work, room);
	if (per_work && n == 0)
		return 0;
	struct summary *s = record_add_summary(rec);
	if (!s)
		return lt_fail_mem(err);
	struct stats_summary sum;
	stats_summarize(room, n, 0.95, &sum);
	*s = (struct summary){
		.variant = variant,
		.metric = metric,
		.per_work = per_work,
		.n = n,
		.center = { .state = worst_state(rec, variant, metric),
			.num = sum.interval.center },
		.bounded = sum.interval.bounded,
		.lo = sum.interval.lo,
		.hi = sum.interval.hi,
		.level = 0.95,
		.mean = sum.mean,
		.sd = sum.sd,
		.min = sum.min,
		.median = sum.median,
		.max = sum.max,
		.what = sum.interval.bounded
			? "Hodges-Lehmann centre with its 95 % signed-rank interval"
			: "Hodges-Lehmann centre; too few runs for a 95 % interval",
	};
	if (n == 0) {
		s->center = why_missing(rec, variant, metric);
		s->what = "not available";
	}
	return 0;
}

int analysis_summaries(struct record *rec, struct lt_err *err)
{
	LT_AUTO_FREE double *room = malloc((rec->n_trials + 1) * sizeof(*room));
	if (!room)
		return lt_fail_mem(err);
	for (unsigned v = 0; v < rec->n_variants; v++) {
		for (unsigned m = 0; m < rec->n_metrics; m++) {
			int r = summarize(rec, v, m, false, room, err);
			if (r >= 0 && rec->metrics[m].kind == METRIC_COUNTER)
				r = summarize(rec, v, m, true, room, err);
			if (r < 0)
				return r;
		}
	}
	return 0;
}
