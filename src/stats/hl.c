/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hodges-Lehmann estimates with their rank intervals.
 */
#include "stats/hl.h"

#include <math.h>
#include <stdlib.h>

#include "stats/ranks.h"
#include "stats/sort.h"
#include "stats/sums.h"

static bool all_finite(const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isfinite(x[i]))
			return false;
	return true;
}

/* Centre and, if bound > 0, the bound-th sum from either end. */
static void fill(const struct stats_sums *sums, double bound, struct stats_interval *ret)
{
	ret->center = stats_sums_median(sums);
	if (bound < 1)
		return;
	ret->lo = stats_sums_select(sums, bound);
	ret->hi = stats_sums_select(sums, stats_sums_count(sums) + 1 - bound);
	ret->bounded = true;
}

void stats_hl(const double *x, size_t n, double level, struct stats_interval *ret)
{
	double *sorted;

	*ret = (struct stats_interval){ .center = NAN, .lo = NAN, .hi = NAN, .level = level };
	if (n == 0 || !all_finite(x, n))
		return;
	sorted = stats_sorted_copy(x, n);
	if (!sorted)
		return;

	const struct stats_sums walsh = { sorted, n, sorted, n, true };

	fill(&walsh, level > 0 ? stats_signrank_bound(n, 1 - level) : 0, ret);
	free(sorted);
}

void stats_hl_shift(const double *x, size_t n, const double *y, size_t m, double level,
	struct stats_interval *ret)
{
	double *minus_x, *sorted_y;

	*ret = (struct stats_interval){ .center = NAN, .lo = NAN, .hi = NAN, .level = level };
	if (n == 0 || m == 0 || !all_finite(x, n) || !all_finite(y, m))
		return;
	minus_x = stats_sorted_copy(x, n);
	sorted_y = stats_sorted_copy(y, m);
	if (minus_x && sorted_y) {
		for (size_t i = 0; i < n / 2; i++) {
			const double t = minus_x[i];

			minus_x[i] = minus_x[n - 1 - i];
			minus_x[n - 1 - i] = t;
		}
		for (size_t i = 0; i < n; i++)
			minus_x[i] = -minus_x[i];

		const struct stats_sums shifts = { minus_x, n, sorted_y, m, false };

		if (isfinite(minus_x[0] + sorted_y[0]) &&
			isfinite(minus_x[n - 1] + sorted_y[m - 1]))
			fill(&shifts, level > 0 ? stats_ranksum_bound(n, m, 1 - level) : 0, ret);
	}
	free(minus_x);
	free(sorted_y);
}
