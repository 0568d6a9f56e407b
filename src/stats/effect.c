/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Effects by rank tests and by confidence sequences.
 */
#include "stats/effect.h"

#include <math.h>

#include "stats/confseq.h"
#include "stats/desc.h"
#include "stats/ranksum.h"
#include "stats/signrank.h"

static const struct stats_effect nothing = {
	.in = { .center = NAN, .lo = NAN, .hi = NAN },
	.reach = NAN,
	.half_width = NAN,
	.sd = NAN,
	.p = NAN,
	.lag1 = NAN,
};

/* The end of an interval that is farther from 0. */
static double farther(const struct stats_interval *in)
{
	return in->bounded ? fmax(fabs(in->lo), fabs(in->hi)) : (double)NAN;
}

/* The levels of the interval and of the two one-sided tests, and how many are wanted. */
struct levels {
	double at[2];
	size_t n;
};

static struct levels levels_of(const struct stats_effect_opts *opts)
{
	return (struct levels){ { 1 - opts->alpha, 1 - 2 * opts->alpha },
		opts->limits_only ? 1 : 2 };
}

/* What the rank methods share, from the intervals at these levels. */
static void take(const struct stats_interval *in, size_t n, struct stats_effect *ret)
{
	ret->in = in[0];
	ret->usable = isfinite(in[0].center);
	ret->half_width = (in[0].hi - in[0].lo) / 2;
	if (n > 1)
		ret->reach = farther(&in[1]);
}

static void by_signrank(
	const double *d, size_t n, const struct stats_effect_opts *opts, struct stats_effect *ret)
{
	const struct levels levels = levels_of(opts);
	struct stats_interval in[2];

	stats_hl_levels(d, n, levels.at, levels.n, in);
	take(in, levels.n, ret);
	if (!opts->verdict_only && !opts->limits_only)
		ret->p = stats_signrank_p(d, n);
}

static void by_sequence(
	const double *d, size_t n, const struct stats_effect_opts *opts, struct stats_effect *ret)
{
	const double mean = stats_mean(d, n);
	const double hw = stats_confseq_half_width(n, ret->sd, opts->alpha, opts->planned);

	if (!opts->verdict_only)
		stats_hl(d, n, 0, &ret->in);
	ret->in.level = 1 - opts->alpha;
	ret->usable = isfinite(opts->verdict_only ? mean : ret->in.center);
	if (n < STATS_CONFSEQ_START || !isfinite(hw))
		return;
	ret->in.lo = mean - hw;
	ret->in.hi = mean + hw;
	ret->in.center = fmax(ret->in.lo, fmin(ret->in.center, ret->in.hi));
	ret->in.bounded = true;
	ret->reach = farther(&ret->in);
	ret->half_width = hw;
	ret->p = stats_confseq_p(n, mean, ret->sd, opts->alpha, opts->planned);
}

void stats_effect_paired(
	const double *d, size_t n, const struct stats_effect_opts *opts, struct stats_effect *ret)
{
	*ret = nothing;
	ret->sd = stats_sd(d, n);
	ret->lag1 = stats_lag1(d, n);
	if (opts->sequence)
		by_sequence(d, n, opts, ret);
	else
		by_signrank(d, n, opts, ret);
}

/* Sum of squares about the mean. */
static double squares(const double *x, size_t n)
{
	const double sd = n > 1 ? stats_sd(x, n) : 0;

	return (double)(n - 1) * sd * sd;
}

void stats_effect_unpaired(const double *x, size_t n, const double *y, size_t m,
	const struct stats_effect_opts *opts, struct stats_effect *ret)
{
	const struct levels levels = levels_of(opts);
	struct stats_interval in[2];

	*ret = nothing;
	if (n + m > 2)
		ret->sd = sqrt((squares(x, n) + squares(y, m)) / (double)(n + m - 2));
	stats_hl_shift_levels(x, n, y, m, levels.at, levels.n, in);
	take(in, levels.n, ret);
	if (!opts->verdict_only && !opts->limits_only)
		ret->p = stats_ranksum_p(x, n, y, m);
}
