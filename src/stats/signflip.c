/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sign-flip randomisation test.
 */
#include "stats/signflip.h"

#include <float.h>
#include <math.h>

#include "stats/rng.h"

#define HALF_MAX (STATS_SIGNFLIP_FULL_MAX / 2)

/* The sums of d under each of the 2^n patterns. */
static void all_sums(const double *d, size_t n, double *ret)
{
	size_t count = 1;

	ret[0] = 0;
	for (size_t i = 0; i < n; i++) {
		for (size_t s = count; s-- > 0;) {
			const double sum = ret[s];

			ret[2 * s] = sum + d[i];
			ret[2 * s + 1] = sum - d[i];
		}
		count *= 2;
	}
}

static double full(const double *d, size_t n, double reach)
{
	double first[1 << HALF_MAX], second[1 << HALF_MAX];
	const size_t half = n / 2;
	const size_t n_first = (size_t)1 << half;
	const size_t n_second = (size_t)1 << (n - half);
	size_t hits = 0;

	all_sums(d, half, first);
	all_sums(d + half, n - half, second);
	for (size_t i = 0; i < n_first; i++)
		for (size_t j = 0; j < n_second; j++)
			hits += fabs(first[i] + second[j]) >= reach;
	return (double)hits / ((double)n_first * (double)n_second);
}

static double drawn(const double *d, size_t n, double reach, uint64_t seed)
{
	struct stats_rng rng;
	size_t hits = 0;

	stats_rng_seed(&rng, seed);
	for (size_t draw = 0; draw < STATS_SIGNFLIP_DRAWS; draw++) {
		uint64_t bits = 0;
		double sum = 0;

		for (size_t i = 0; i < n; i++) {
			if (i % 64 == 0)
				bits = stats_rng_u64(&rng);
			sum += bits >> (i % 64) & 1 ? d[i] : -d[i];
		}
		hits += fabs(sum) >= reach;
	}
	return (double)(1 + hits) / (1 + STATS_SIGNFLIP_DRAWS);
}

double stats_signflip_p(const double *d, size_t n, uint64_t seed)
{
	double sum = 0, size = 0;

	for (size_t i = 0; i < n; i++) {
		sum += d[i];
		size += fabs(d[i]);
	}
	if (n == 0 || !isfinite(size))
		return NAN;

	/* Sums that are equal on paper differ by rounding: count them as reaching. */
	const double reach = fabs(sum) - 4 * (double)n * DBL_EPSILON * size;

	return n <= STATS_SIGNFLIP_FULL_MAX ? full(d, n, reach) : drawn(d, n, reach, seed);
}
