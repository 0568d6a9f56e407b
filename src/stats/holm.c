/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Holm's correction.
 */
#include "stats/holm.h"

#include <math.h>
#include <stdbool.h>

/* Is p[i] sorted before p[j]? Equal ones by place, so that ranks differ. */
static bool before(const double *p, size_t i, size_t j)
{
	return p[i] < p[j] || (!(p[j] < p[i]) && i < j);
}

/* p[i] times the number of tests from it on in sorted order. */
static double weighted(const double *p, size_t n, size_t i)
{
	size_t from = 1;

	for (size_t j = 0; j < n; j++)
		from += !isnan(p[j]) && before(p, i, j);
	return fmin(1, p[i] * (double)from);
}

void stats_holm(const double *p, size_t n, double *ret_adjusted)
{
	for (size_t i = 0; i < n; i++)
		ret_adjusted[i] = isnan(p[i]) ? (double)NAN : weighted(p, n, i);

	/* Never below an earlier one. A value raised already gives the same maximum. */
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (!isnan(p[i]) && !isnan(p[j]) && before(p, j, i))
				ret_adjusted[i] = fmax(ret_adjusted[i], ret_adjusted[j]);
}
