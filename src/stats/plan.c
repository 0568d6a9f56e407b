/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Planning by the normal formula.
 */
#include "stats/plan.h"

#include <math.h>

#include "stats/ranks.h"

/* Pitman's efficiency of the rank tests against t for normal data: 3 / pi. */
#define RANK_EFFICIENCY 0.955

#define MAX_RUNS 1e15

static const struct stats_plan_opts defaults;

static double alpha_of(const struct stats_plan_opts *opts)
{
	return opts->alpha > 0 ? opts->alpha : 0.05;
}

/* Sum of the two normal quantiles, 3.24 by default. */
static double z_sum(const struct stats_plan_opts *opts)
{
	const double power = opts->power > 0 ? opts->power : 0.90;

	return stats_normal_upper(alpha_of(opts) / 2) + stats_normal_upper(1 - power);
}

static double efficiency(const struct stats_plan_opts *opts)
{
	return opts->test == STATS_PLAN_RANK ? RANK_EFFICIENCY : 1;
}

/* The runs of t to the nearest; those of a rank test from these, rounded up. */
static size_t runs(
	double factor, double effect, double sd, size_t least, const struct stats_plan_opts *opts)
{
	const double ratio = z_sum(opts) * sd / effect;
	const double n = ceil(round(factor * ratio * ratio) / efficiency(opts));

	if (!(effect > 0 && sd > 0) || !isfinite(effect) || !(n < MAX_RUNS))
		return 0;
	return n > (double)least ? (size_t)n : least;
}

/* The fewest values with which the rank test can reach alpha; t needs 2. */
static size_t least(const struct stats_plan_opts *opts, double (*bound)(size_t, double))
{
	size_t n = 2;

	if (opts->test != STATS_PLAN_RANK)
		return n;
	while (n < 60 && bound(n, alpha_of(opts)) < 1)
		n++;
	return n;
}

static double both_sides_bound(size_t n, double alpha)
{
	return stats_ranksum_bound(n, n, alpha);
}

size_t stats_plan_pairs(double effect, double sd, const struct stats_plan_opts *opts)
{
	const struct stats_plan_opts *o = opts ? opts : &defaults;

	return runs(1, effect, sd, least(o, stats_signrank_bound), o);
}

size_t stats_plan_per_side(double effect, double sd, const struct stats_plan_opts *opts)
{
	const struct stats_plan_opts *o = opts ? opts : &defaults;

	return runs(2, effect, sd, least(o, both_sides_bound), o);
}
