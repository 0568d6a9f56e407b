/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Comparing variants, metric by metric. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/analysis.h"
#include "stats/desc.h"
#include "stats/holm.h"
#include "stats/plan.h"

/* A sequence looks at the data from this many pairs on; before that, stopping did not
 * depend on them, and the test for a fixed number is honest. */
enum {
	SEQUENCE_START = 10
};

static size_t count_variants(const struct record *rec)
{
	size_t n = 0;
	for (size_t i = 0; i < rec->n_variants; i++)
		n += !rec->variants[i].aa;
	return n;
}

static bool is_evidence(const struct record *rec, unsigned metric)
{
	for (size_t i = 0; i < rec->n_trials; i++)
		if (rec->trials[i].readings[metric].state != VALUE_UNAVAILABLE)
			return rec->trials[i].evidence;
	return false;
}

static enum stats_design design_of(
	const struct record *rec, const struct run_opts *opts, bool aa, bool evidence, size_t n)
{
	if (evidence || !strcmp(rec->plan.design, "files"))
		return STATS_UNPAIRED;
	if (opts->design == RUN_SEQUENCE && !aa && n >= SEQUENCE_START)
		return STATS_SEQUENCE;
	return STATS_PAIRED;
}

struct pairs {
	double *x, *y;
	size_t n, m;
};

static void free_pairs(struct pairs *p)
{
	free(p->x);
	free(p->y);
}

static int alloc_pairs(struct pairs *p, const struct record *rec, struct lt_err *err)
{
	p->x = malloc((rec->n_trials + 1) * sizeof(*p->x));
	p->y = malloc((rec->n_trials + 1) * sizeof(*p->y));
	return p->x && p->y ? 0 : lt_fail_mem(err);
}

static enum stats_design take_pairs(const struct record *rec, const struct run_opts *opts,
	unsigned a, unsigned b, unsigned metric, struct pairs *p)
{
	bool aa = rec->variants[b].aa, evidence = is_evidence(rec, metric);
	enum stats_design design = design_of(rec, opts, aa, evidence, SEQUENCE_START);
	if (design == STATS_UNPAIRED) {
		p->n = record_values(rec, a, metric, false, p->x);
		p->m = record_values(rec, b, metric, false, p->y);
		return design;
	}
	p->n = p->m = record_pairs(rec, a, b, metric, p->x, p->y);
	return design_of(rec, opts, aa, evidence, p->n);
}

static void compare(const struct record *rec, const struct run_opts *opts, enum stats_design design,
	bool aa, const struct pairs *p, struct stats_comparison *ret)
{
	size_t others = count_variants(rec) - 1;
	struct stats_compare_opts how = {
		.design = design,
		.level = 0.95,
		.same = opts->same,
		.same_given = opts->same_given,
		.n_tests = aa || others < 1 ? 1 : others,
	};
	stats_compare(p->x, p->n, p->y, p->m, &how, ret);
}

int analysis_now(const struct record *rec, const struct run_opts *opts, unsigned a, unsigned b,
	struct stats_comparison *ret, struct lt_err *err)
{
	LT_AUTO(free_pairs) struct pairs p = { 0 };
	int primary = analysis_primary(rec);
	int r = alloc_pairs(&p, rec, err);
	if (r < 0)
		return r;
	if (primary < 0)
		return lt_fail(err, -ENODATA, "LT-PRIMARY", "no metric to compare by");
	enum stats_design design = take_pairs(rec, opts, a, b, (unsigned)primary, &p);
	compare(rec, opts, design, rec->variants[b].aa, &p, ret);
	return 0;
}

static enum verdict verdict_of(enum stats_verdict v)
{
	switch (v) {
	case STATS_LOWER:
		return VERDICT_LOWER;
	case STATS_HIGHER:
		return VERDICT_HIGHER;
	case STATS_SAME:
		return VERDICT_SAME;
	case STATS_TOO_FEW:
		return VERDICT_TOO_FEW;
	case STATS_UNDECIDED:
		break;
	}
	return VERDICT_UNDECIDED;
}

static const char *method_name(enum stats_method m)
{
	switch (m) {
	case STATS_BY_SIGNRANK:
		return "signed-rank";
	case STATS_BY_SEQUENCE:
		return "confidence-sequence";
	case STATS_BY_RANKSUM:
		return "rank-sum";
	case STATS_BY_NOTHING:
		break;
	}
	return "none";
}

static const char *what_of(const struct stats_comparison *c, bool files, struct lt_arena *arena)
{
	double level = 100 * c->level;
	if (!c->bounded)
		return "Hodges-Lehmann ratio; too few values for an interval";
	switch (c->method) {
	case STATS_BY_SEQUENCE:
		return lt_arena_printf(arena,
			"Hodges-Lehmann ratio of pairs with a %.4g %% confidence sequence", level);
	case STATS_BY_SIGNRANK:
		return lt_arena_printf(arena,
			"Hodges-Lehmann ratio of pairs with its %.4g %% signed-rank interval",
			level);
	case STATS_BY_RANKSUM:
		return lt_arena_printf(arena,
			"Hodges-Lehmann shift with its %.4g %% rank-sum interval%s", level,
			files ? "; not interleaved" : "");
	case STATS_BY_NOTHING:
		break;
	}
	return "nothing to compare";
}

/* How many pairs (or runs a side) would prove opts->plan_effect. */
static double plan_runs(const struct run_opts *opts, const struct stats_comparison *c)
{
	if (!(opts->plan_effect > 0))
		return 0;
	double effect = log1p(opts->plan_effect);
	size_t n = c->method == STATS_BY_RANKSUM ? stats_plan_per_side(effect, c->sd_log, NULL)
						 : stats_plan_pairs(effect, c->sd_log, NULL);
	return n ? (double)n : NAN;
}

static int add(struct record *rec, const struct run_opts *opts, unsigned a, unsigned b,
	unsigned metric, struct pairs *p, struct lt_err *err)
{
	enum stats_design design = take_pairs(rec, opts, a, b, metric, p);
	struct stats_comparison c;
	compare(rec, opts, design, rec->variants[b].aa, p, &c);
	struct comparison *out = record_add_comparison(rec);
	if (!out)
		return lt_fail_mem(err);
	*out = (struct comparison){
		.a = a,
		.b = b,
		.metric = metric,
		.primary = (int)metric == analysis_primary(rec),
		.aa = rec->variants[b].aa,
		.interleaved = strcmp(rec->plan.design, "files") != 0,
		.n = c.n,
		.m = c.m,
		.ratio = isnan(c.ratio)
			? value_missing(c.n ? "the first is zero" : "no values", NULL)
			: value_of(c.ratio),
		.lo = c.lo,
		.hi = c.hi,
		.level = c.level,
		.diff = isnan(c.diff) ? value_missing("no values", NULL) : value_of(c.diff),
		.diff_lo = c.diff_lo,
		.diff_hi = c.diff_hi,
		.p = c.p,
		.p_holm = c.p,
		.verdict = verdict_of(c.verdict),
		.provable = c.provable,
		.lag1 = c.lag1,
		.plan_effect = opts->plan_effect,
		.plan_runs = plan_runs(opts, &c),
		.method = method_name(c.method),
		.what = what_of(&c, !strcmp(rec->plan.design, "files"), &rec->arena),
	};
	return out->what ? 0 : lt_fail_mem(err);
}

/* The secondary metrics are one family: a difference counts when its adjusted p does. */
static int adjust(struct record *rec, struct lt_err *err)
{
	size_t n = rec->n_comparisons;
	LT_AUTO_FREE double *p = malloc((n + 1) * sizeof(*p));
	LT_AUTO_FREE double *adjusted = malloc((n + 1) * sizeof(*adjusted));
	if (!p || !adjusted)
		return lt_fail_mem(err);
	for (size_t i = 0; i < n; i++) {
		const struct comparison *c = &rec->comparisons[i];
		/* Counts by an instrument repeat exactly: their few runs set p, not chance. */
		bool apart = c->primary || c->aa || is_evidence(rec, c->metric);
		p[i] = apart ? NAN : c->p;
	}
	stats_holm(p, n, adjusted);
	for (size_t i = 0; i < n; i++) {
		struct comparison *c = &rec->comparisons[i];
		if (isnan(p[i]))
			continue;
		c->p_holm = adjusted[i];
		bool differs = c->verdict == VERDICT_LOWER || c->verdict == VERDICT_HIGHER;
		if (differs && !(adjusted[i] <= 0.05))
			c->verdict = VERDICT_UNDECIDED;
	}
	return 0;
}

int analysis_comparisons(struct record *rec, const struct run_opts *opts, struct lt_err *err)
{
	LT_AUTO(free_pairs) struct pairs p = { 0 };
	int r = alloc_pairs(&p, rec, err);
	unsigned base = 0;
	for (unsigned v = 1; v < rec->n_variants && r >= 0; v++) {
		if (rec->variants[v].aa && !rec->variants[v - 1].aa) {
			base = v; /* the A/A check has a base of its own */
			continue;
		}
		for (unsigned m = 0; m < rec->n_metrics && r >= 0; m++)
			if (!rec->metrics[m].sampled)
				r = add(rec, opts, base, v, m, &p, err);
	}
	return r < 0 ? r : adjust(rec, err);
}
