/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Null distributions of the rank statistics, exact from Rmath while that is cheap.
 */
#include "stats/ranks.h"

#include <math.h>

#include "stats/rmath.h"

/* Alpha comes from 1 - level, so a tail that should equal it may miss it by a rounding. */
#define TAIL_SLACK (1 + 1e-12)

double stats_normal_upper(double upper)
{
	return qnorm(upper, 0, 1, 0, 0);
}

double stats_normal_two_sided(double z)
{
	return 2 * pnorm(fabs(z), 0, 1, 0, 0);
}

static double normal_bound(double mean, double sd, double alpha)
{
	/* P(V <= C - 1) is the normal tail up to C - 1/2. */
	const double c = floor(mean - stats_normal_upper(alpha / 2) * sd + 0.5);

	return c > 0 ? c : 0;
}

double stats_signrank_bound(size_t n, double alpha)
{
	const double size = (double)n;
	double c;

	if (n == 0)
		return 0;
	if (n > STATS_SIGNRANK_EXACT_MAX)
		return normal_bound(size * (size + 1) / 4,
			sqrt(size * (size + 1) * (2 * size + 1) / 24), alpha);
	c = qsignrank(alpha / 2, size, 1, 0);
	if (psignrank(c, size, 1, 0) <= alpha / 2 * TAIL_SLACK)
		c++;
	return c;
}

double stats_ranksum_bound(size_t n, size_t m, double alpha)
{
	const double size = (double)n, other = (double)m;
	double c;

	if (n == 0 || m == 0)
		return 0;
	if (n > STATS_RANKSUM_EXACT_MAX || m > STATS_RANKSUM_EXACT_MAX)
		return normal_bound(
			size * other / 2, sqrt(size * other * (size + other + 1) / 12), alpha);
	c = qwilcox(alpha / 2, size, other, 1, 0);
	if (pwilcox(c, size, other, 1, 0) <= alpha / 2 * TAIL_SLACK)
		c++;
	return c;
}
