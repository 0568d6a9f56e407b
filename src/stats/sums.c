/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Order statistics of pairwise sums: a bracket (lo, hi] is narrowed by counting the
 * sums up to a value between, which two pointers do in one walk over the arrays.
 */
#include "stats/sums.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "stats/sort.h"

/* So few sums left in the bracket are gathered and sorted. */
#define GATHER_MAX 32

/* Half of a + b rounded once, whether the sum overflows or is subnormal. */
static double half_sum(double a, double b)
{
	const double sum = a + b;

	return isfinite(sum) ? sum / 2 : a / 2 + b / 2;
}

/* Never falls when i or j rises: rounding keeps order, so counting by walking is right. */
static double sum_at(const struct stats_sums *s, size_t i, size_t j)
{
	return s->walsh ? half_sum(s->u[i], s->v[j]) : s->u[i] + s->v[j];
}

double stats_sums_count(const struct stats_sums *s)
{
	const double n = (double)s->n;

	return s->walsh ? n * (n + 1) / 2 : n * (double)s->m;
}

/* How many sums are <= t. */
static double count_at_most(const struct stats_sums *s, double t)
{
	size_t j = s->m;
	uint64_t count = 0;

	for (size_t i = 0; i < s->n; i++) {
		const size_t first = s->walsh ? i : 0;

		while (j > first && sum_at(s, i, j - 1) > t)
			j--;
		if (j <= first)
			break;
		count += j - first;
	}
	return (double)count;
}

/* The sums in (lo, hi] into ret, which has room for them; how many. */
static size_t gather(const struct stats_sums *s, double lo, double hi, double *ret)
{
	size_t j = s->m;
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		const size_t first = s->walsh ? i : 0;

		while (j > first && sum_at(s, i, j - 1) > hi)
			j--;
		if (j <= first)
			break;
		for (size_t c = j; c > first; c--) {
			const double sum = sum_at(s, i, c - 1);

			if (!(sum > lo))
				break;
			ret[n++] = sum;
		}
	}
	return n;
}

/* Doubles as integers in the same order, neighbours one apart; -0 sits just below 0. */
static uint64_t key_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double key_value(uint64_t key)
{
	const uint64_t bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

double stats_sums_select(const struct stats_sums *s, double k)
{
	/* Invariant: count_at_most(lo) = below < k <= at_most = count_at_most(hi). */
	double hi = sum_at(s, s->n - 1, s->m - 1);
	double lo = key_value(key_of(sum_at(s, 0, 0)) - 1);
	double below = count_at_most(s, lo);
	double at_most = stats_sums_count(s);

	if (below >= k) /* -0 and 0 among the smallest: they are equal */
		return sum_at(s, 0, 0);
	for (unsigned step = 0; at_most - below > GATHER_MAX && key_of(hi) - key_of(lo) > 1;
		step++) {
		double mid = NAN;

		/*
		 * By turns: where a straight line says, which is near for smooth data; the
		 * middle of the range; the middle of the doubles between, which
		 * ends after 64 turns whatever the data are.
		 */
		if (step % 3 == 0)
			mid = lo + (hi - lo) * ((k - below) / (at_most - below));
		else if (step % 3 == 1)
			mid = half_sum(lo, hi);
		if (!(mid > lo && mid < hi))
			mid = key_value(key_of(lo) + (key_of(hi) - key_of(lo)) / 2);

		const double count = count_at_most(s, mid);

		if (count >= k) {
			hi = mid;
			at_most = count;
		} else {
			lo = mid;
			below = count;
		}
	}
	/* One double left in the bracket: all sums in it are that one. */
	if (at_most - below > GATHER_MAX)
		return hi;

	double few[GATHER_MAX];
	const size_t n = gather(s, lo, hi, few);

	stats_sort(few, n);
	return few[(size_t)(k - below) - 1];
}

/* The smallest sum above t; there is one. */
static double next_above(const struct stats_sums *s, double t)
{
	double next = INFINITY;
	size_t j = s->m;

	for (size_t i = 0; i < s->n; i++) {
		const size_t first = s->walsh ? i : 0;

		while (j > first && sum_at(s, i, j - 1) > t)
			j--;

		const size_t above = j > first ? j : first;

		if (above < s->m)
			next = fmin(next, sum_at(s, i, above));
	}
	return next;
}

double stats_sums_median(const struct stats_sums *s)
{
	const double count = stats_sums_count(s);
	const double k = floor((count + 1) / 2);
	const double lower = stats_sums_select(s, k);

	if (fmod(count, 2) > 0 || count_at_most(s, lower) > k)
		return lower;
	return half_sum(lower, next_above(s, lower));
}
