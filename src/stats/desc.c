/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Describe one sample. Sums are taken about the mean, so that large values with a
 * small spread, such as time stamps, lose nothing.
 */
#include "stats/desc.h"

#include <math.h>
#include <stdlib.h>

#include "stats/sort.h"

bool stats_all_finite(const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isfinite(x[i]))
			return false;
	return true;
}

double stats_mean(const double *x, size_t n)
{
	double mean = 0;

	if (n == 0)
		return NAN;
	/* Divided first: the sum of huge values would overflow. */
	for (size_t i = 0; i < n; i++)
		mean += x[i] / (double)n;

	double rest = 0;

	for (size_t i = 0; i < n; i++)
		rest += (x[i] - mean) / (double)n;
	return mean + rest;
}

double stats_sd(const double *x, size_t n)
{
	const double mean = stats_mean(x, n);
	double squares = 0;

	if (n < 2)
		return NAN;
	for (size_t i = 0; i < n; i++)
		squares += (x[i] - mean) * (x[i] - mean);
	return sqrt(squares / (double)(n - 1));
}

double stats_min(const double *x, size_t n)
{
	double min = n ? x[0] : (double)NAN;

	for (size_t i = 1; i < n; i++)
		min = x[i] < min ? x[i] : min;
	return min;
}

double stats_max(const double *x, size_t n)
{
	double max = n ? x[0] : (double)NAN;

	for (size_t i = 1; i < n; i++)
		max = x[i] > max ? x[i] : max;
	return max;
}

double stats_median(const double *x, size_t n)
{
	return stats_quantile(x, n, 0.5);
}

double stats_quantile(const double *x, size_t n, double q)
{
	double *sorted;
	double ret;

	if (n == 0 || !(q >= 0 && q <= 1))
		return NAN;
	sorted = stats_sorted_copy(x, n);
	if (!sorted)
		return NAN;

	const double at = q * (double)(n - 1);
	const size_t i = (size_t)at;
	const double share = at - (double)i;

	ret = sorted[i];
	if (share > 0)
		ret = (1 - share) * sorted[i] + share * sorted[i + 1];
	free(sorted);
	return ret;
}

double stats_lag1(const double *x, size_t n)
{
	const double mean = stats_mean(x, n);
	double squares = 0, products = 0;

	if (n < 3)
		return NAN;
	for (size_t i = 0; i < n; i++) {
		squares += (x[i] - mean) * (x[i] - mean);
		if (i > 0)
			products += (x[i] - mean) * (x[i - 1] - mean);
	}
	return squares > 0 ? products / squares : (double)NAN;
}
