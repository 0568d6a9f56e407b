/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorted copies and mid-ranks.
 */
#include "stats/sort.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *pa, const void *pb)
{
	const double a = *(const double *)pa;
	const double b = *(const double *)pb;

	return (a > b) - (a < b);
}

void stats_sort(double *x, size_t n)
{
	if (n > 1)
		qsort(x, n, sizeof(*x), ascending);
}

double *stats_sorted_copy(const double *x, size_t n)
{
	double *copy;

	if (n == 0 || n > SIZE_MAX / sizeof(*x))
		return NULL;
	copy = malloc(n * sizeof(*x));
	if (!copy)
		return NULL;
	memcpy(copy, x, n * sizeof(*x));
	stats_sort(copy, n);
	return copy;
}

/* How many of sorted are below v (or_equal: or equal to it). */
static size_t count_below(const double *sorted, size_t n, double v, bool or_equal)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (sorted[mid] < v || (or_equal && sorted[mid] <= v))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

bool stats_rank2(const double *x, const double *sorted, size_t n, unsigned *ret_rank2)
{
	bool ties = false;

	for (size_t i = 0; i < n; i++) {
		const size_t below = count_below(sorted, n, x[i], false);
		const size_t at_most = count_below(sorted, n, x[i], true);

		/* Ranks below+1 .. at_most, twice their mean. */
		ret_rank2[i] = (unsigned)(below + 1 + at_most);
		ties = ties || at_most > below + 1;
	}
	return ties;
}
