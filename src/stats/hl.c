/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hodges-Lehmann estimates with their rank intervals.
 */
#include "stats/hl.h"

#include <math.h>
#include <stdlib.h>

#include "stats/desc.h"
#include "stats/ranks.h"
#include "stats/sort.h"
#include "stats/sums.h"

static const struct stats_interval nothing = { .center = NAN, .lo = NAN, .hi = NAN };

/* The bound-th sum from either end, if there is such a bound. */
static void limit(const struct stats_sums *sums, double bound, struct stats_interval *ret)
{
	if (bound < 1)
		return;
	ret->lo = stats_sums_select(sums, bound);
	ret->hi = stats_sums_select(sums, stats_sums_count(sums) + 1 - bound);
	ret->bounded = true;
}

void stats_hl_levels(const double *x, size_t n, const double *levels, size_t n_levels,
	struct stats_interval *ret)
{
	double *sorted;

	for (size_t i = 0; i < n_levels; i++) {
		ret[i] = nothing;
		ret[i].level = levels[i];
	}
	if (n == 0 || !stats_all_finite(x, n))
		return;
	sorted = stats_sorted_copy(x, n);
	if (!sorted)
		return;

	const struct stats_sums walsh = { sorted, n, sorted, n, true };
	const double center = stats_sums_median(&walsh);

	for (size_t i = 0; i < n_levels; i++) {
		ret[i].center = center;
		if (levels[i] > 0)
			limit(&walsh, stats_signrank_bound(n, 1 - levels[i]), &ret[i]);
	}
	free(sorted);
}

void stats_hl(const double *x, size_t n, double level, struct stats_interval *ret)
{
	stats_hl_levels(x, n, &level, 1, ret);
}

/* Negative and in the opposite order, so that sorted stays sorted. */
static void mirror(double *x, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		const double t = x[i];

		x[i] = x[n - 1 - i];
		x[n - 1 - i] = t;
	}
	for (size_t i = 0; i < n; i++)
		x[i] = -x[i];
}

void stats_hl_shift_levels(const double *x, size_t n, const double *y, size_t m,
	const double *levels, size_t n_levels, struct stats_interval *ret)
{
	double *minus_x, *sorted_y;

	for (size_t i = 0; i < n_levels; i++) {
		ret[i] = nothing;
		ret[i].level = levels[i];
	}
	if (n == 0 || m == 0 || !stats_all_finite(x, n) || !stats_all_finite(y, m))
		return;
	minus_x = stats_sorted_copy(x, n);
	sorted_y = stats_sorted_copy(y, m);
	if (minus_x && sorted_y) {
		mirror(minus_x, n);

		const struct stats_sums shifts = { minus_x, n, sorted_y, m, false };
		const bool fits = isfinite(minus_x[0] + sorted_y[0]) &&
			isfinite(minus_x[n - 1] + sorted_y[m - 1]);
		const double center = fits ? stats_sums_median(&shifts) : (double)NAN;

		for (size_t i = 0; i < n_levels; i++) {
			ret[i].center = center;
			if (fits && levels[i] > 0)
				limit(&shifts, stats_ranksum_bound(n, m, 1 - levels[i]), &ret[i]);
		}
	}
	free(minus_x);
	free(sorted_y);
}

void stats_hl_shift(const double *x, size_t n, const double *y, size_t m, double level,
	struct stats_interval *ret)
{
	stats_hl_shift_levels(x, n, y, m, &level, 1, ret);
}
