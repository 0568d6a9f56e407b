/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shift algorithm: add one rank after the other and keep, for each sum, how
 * likely it is. Only positive terms are added, so nothing cancels.
 */
#include "stats/shift.h"

#include <math.h>
#include <stdlib.h>

static size_t total(const unsigned *rank2, size_t n)
{
	size_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += rank2[i];
	return sum;
}

/* Distance of v from the mean num/den, times den: whole numbers compare exactly. */
static size_t distance(size_t v, size_t num, size_t den)
{
	return v * den > num ? v * den - num : num - v * den;
}

/* Share of p[0..sum] that is no nearer to the mean num/den than observed. */
static double far_share(const double *p, size_t sum, size_t num, size_t den, size_t observed)
{
	const size_t reach = distance(observed, num, den);
	double all = 0, far = 0;

	for (size_t v = 0; v <= sum; v++) {
		all += p[v];
		if (distance(v, num, den) >= reach)
			far += p[v];
	}
	return far < all ? far / all : 1;
}

double stats_shift_coins(const unsigned *rank2, size_t n, unsigned observed)
{
	const size_t sum = total(rank2, n);
	double *p = calloc(sum + 1, sizeof(*p));
	size_t so_far = 0;
	double ret;

	if (!p)
		return NAN;
	p[0] = 1;
	for (size_t i = 0; i < n; i++) {
		const size_t r = rank2[i];

		so_far += r;
		for (size_t v = so_far; v >= r && v > 0; v--)
			p[v] = (p[v] + p[v - r]) / 2;
		for (size_t v = 0; v < r && v <= so_far; v++)
			p[v] /= 2;
	}
	ret = far_share(p, sum, sum, 2, observed);
	free(p);
	return ret;
}

double stats_shift_choose(const unsigned *rank2, size_t n, size_t k, unsigned observed)
{
	const size_t sum = total(rank2, n);
	const size_t row = sum + 1;
	/* count[c * row + v]: in how many ways c ranks add up to v, up to a common factor. */
	double *count = calloc((k + 1) * row, sizeof(*count));
	size_t so_far = 0;
	double ret;

	if (!count)
		return NAN;
	count[0] = 1;
	for (size_t i = 0; i < n; i++) {
		const size_t r = rank2[i];

		so_far += r;
		for (size_t c = i + 1 < k ? i + 1 : k; c > 0; c--)
			for (size_t v = r; v <= so_far; v++)
				count[c * row + v] += count[(c - 1) * row + v - r];
	}
	ret = far_share(count + k * row, sum, sum * k, n, observed);
	free(count);
	return ret;
}
