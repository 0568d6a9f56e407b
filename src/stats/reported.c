/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Judging a published claim by Welch's test.
 */
#include "stats/reported.h"

#include <math.h>

#include "stats/ranks.h"
#include "stats/rmath.h"

#define ALPHA 0.05
#define POWER 0.90

/* The standard error of the mean, in the unit of the value; NAN if it cannot be known. */
static double standard_error(const struct stats_reported *r, size_t n)
{
	const double spread = r->spread_is_percent ? r->value * r->spread / 100 : r->spread;

	if (n == 1)
		return NAN;
	switch (r->kind) {
	case STATS_SPREAD_SE:
		return spread;
	case STATS_SPREAD_SD:
		return n ? spread / sqrt((double)n) : (double)NAN;
	case STATS_SPREAD_CI95:
		return spread / qt(ALPHA / 2, n ? (double)(n - 1) : INFINITY, 0, 0);
	}
	return NAN;
}

static double welch_df(double var_a, size_t n_a, double var_b, size_t n_b)
{
	const double var = var_a + var_b;

	if (n_a == 0 || n_b == 0 || !(var > 0))
		return INFINITY;
	/* Shares first: the squares of variances could overflow. */
	return 1 /
		((var_a / var) * (var_a / var) / (double)(n_a - 1) +
			(var_b / var) * (var_b / var) / (double)(n_b - 1));
}

/* Runs a side at which the difference seen would be provable. */
static size_t runs_needed(const struct stats_reported_verdict *v, double var_run, double z)
{
	const double n = z * z * var_run / (v->diff * v->diff);

	return n > 0 && n < 1e15 ? (size_t)llround(fmax(2, n)) : 0;
}

bool stats_reported_judge(const struct stats_reported *a, size_t n_a,
	const struct stats_reported *b, size_t n_b, struct stats_reported_verdict *ret)
{
	/* Relative to a, as the result is. */
	const double se_a = standard_error(a, n_a) / a->value;
	const double se_b = standard_error(b, n_b) / a->value;
	const double z = stats_normal_upper(ALPHA / 2) + stats_normal_upper(1 - POWER);
	struct stats_reported_verdict v = { .verdict = STATS_UNDECIDED };

	v.diff = (b->value - a->value) / a->value;
	v.se = hypot(se_a, se_b);
	if (!isfinite(v.diff) || !isfinite(v.se))
		return false;
	v.df = welch_df(se_a * se_a, n_a, se_b * se_b, n_b);
	v.statistic = v.se > 0 || v.diff < 0 || v.diff > 0 ? v.diff / v.se : 0;
	v.p = 2 * pt(fabs(v.statistic), v.df, 0, 0);

	const double half = qt(ALPHA / 2, v.df, 0, 0) * v.se;

	v.lo = v.diff - half;
	v.hi = v.diff + half;
	v.provable = z * v.se;
	v.runs_needed = runs_needed(&v, se_a * se_a * (double)n_a + se_b * se_b * (double)n_b, z);
	if (n_a == 0 || n_b == 0)
		v.runs_needed = 0;
	if (v.lo > 0)
		v.verdict = STATS_HIGHER;
	else if (v.hi < 0)
		v.verdict = STATS_LOWER;
	*ret = v;
	return true;
}
