/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Putting a published claim into a record, so that every report can print its judgement. */
#include "run/published.h"

#include <math.h>

static const struct metric reported = {
	.name = "reported-value",
	.unit = "count",
	.better = METRIC_LOWER,
	.kind = METRIC_GAUGE,
	.what = "the value as published",
	.scope = "as published",
	.source = "published result",
};

static int parse(
	const char *text, enum stats_spread spread, struct stats_reported *ret, struct lt_err *err)
{
	if (!stats_reported_parse(text, ret)) {
		lt_err_set(err, -EINVAL, "LT-REPORTED", "'%.120s' is not a result", text);
		return lt_hint(
			err, "VALUE ± SPREAD, such as '2085813986 ±0.16%%' or '1.234 +- 0.005'");
	}
	ret->kind = spread;
	return 0;
}

static int add_summary(struct record *rec, unsigned variant, const struct stats_reported *r,
	unsigned n, struct lt_err *err)
{
	static const char *const what[] = {
		[STATS_SPREAD_SE] = "as published; ± is the standard error of the mean",
		[STATS_SPREAD_SD] = "as published; ± is the standard deviation of one run",
		[STATS_SPREAD_CI95] = "as published; ± is half a 95 % interval of the mean",
	};
	struct summary *s = record_add_summary(rec);
	if (!s)
		return lt_fail_mem(err);
	double spread = r->spread_is_percent ? r->value * r->spread / 100 : r->spread;
	*s = (struct summary){ .variant = variant,
		.n = n,
		.center = value_of(r->value),
		.bounded = true,
		.lo = r->value - spread,
		.hi = r->value + spread,
		.level = r->kind == STATS_SPREAD_CI95 ? 0.95 : NAN,
		.mean = r->value,
		.sd = NAN,
		.min = NAN,
		.median = NAN,
		.max = NAN,
		.what = what[r->kind] };
	return 0;
}

static enum verdict verdict_of(enum stats_verdict v)
{
	return v == STATS_LOWER     ? VERDICT_LOWER
		: v == STATS_HIGHER ? VERDICT_HIGHER
				    : VERDICT_UNDECIDED;
}

/* Runs a side for --plan, or else for the difference seen. */
static double runs_needed(const struct run_opts *opts, const struct stats_reported_verdict *v)
{
	if (!(opts->plan_effect > 0))
		return (double)v->runs_needed;
	if (!opts->n)
		return 0;
	double seen = fabs(v->diff);
	return ceil(
		(double)v->runs_needed * (seen / opts->plan_effect) * (seen / opts->plan_effect));
}

static int fill(struct record *rec, const char *const texts[2],
	const struct stats_reported claim[2], const struct run_opts *opts, struct lt_err *err)
{
	struct stats_reported_verdict v;
	if (!stats_reported_judge(&claim[0], opts->n, &claim[1], opts->n, &v)) {
		lt_err_set(err, -EINVAL, "LT-REPORTED", "the results cannot be judged");
		return lt_hint(err, "a standard deviation needs -n RUNS, at least 2");
	}
	rec->metrics = lt_arena_alloc(&rec->arena, sizeof(*rec->metrics));
	rec->variants = lt_arena_alloc(&rec->arena, 2 * sizeof(*rec->variants));
	struct comparison *c = record_add_comparison(rec);
	if (!rec->metrics || !rec->variants || !c)
		return lt_fail_mem(err);
	rec->metrics[rec->n_metrics++] = reported;
	for (unsigned i = 0; i < 2; i++) {
		rec->variants[rec->n_variants++] = (struct variant){ .name = i ? "B" : "A",
			.command = lt_arena_strdup(&rec->arena, texts[i]) };
		int r = add_summary(rec, i, &claim[i], opts->n, err);
		if (r < 0)
			return r;
	}
	*c = (struct comparison){ .a = 0,
		.b = 1,
		.primary = true,
		.n = opts->n,
		.m = opts->n,
		.ratio = value_of(1 + v.diff),
		.lo = 1 + v.lo,
		.hi = 1 + v.hi,
		.level = 0.95,
		.diff = value_of(v.diff * claim[0].value),
		.diff_lo = v.lo * claim[0].value,
		.diff_hi = v.hi * claim[0].value,
		.p = v.p,
		.p_holm = v.p,
		.verdict = verdict_of(v.verdict),
		.provable = v.provable,
		.lag1 = NAN,
		.plan_effect = opts->plan_effect > 0 ? opts->plan_effect : fabs(v.diff),
		.plan_runs = runs_needed(opts, &v),
		.method = "z",
		.what = "ratio of the published means with its 95 % interval" };
	rec->plan = (struct plan){ .verb = "reported",
		.design = "reported",
		.primary = "reported-value",
		.n = opts->n,
		.stdin_mode = "empty",
		.stdout_mode = "null",
		.stopped = "n" };
	return 0;
}

int published_judge(const char *const texts[2], enum stats_spread spread,
	const struct run_opts *opts, struct record **ret, struct lt_err *err)
{
	struct stats_reported claim[2];
	for (int i = 0; i < 2; i++) {
		int r = parse(texts[i], spread, &claim[i], err);
		if (r < 0)
			return r;
	}
	LT_AUTO_RECORD struct record *rec = record_new();
	if (!rec)
		return lt_fail_mem(err);
	int r = fill(rec, texts, claim, opts, err);
	if (r < 0)
		return r;
	*ret = LT_TAKE(rec);
	return 0;
}
