/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wilcoxon's signed-rank test, by whichever null distribution is exact and cheap.
 */
#include "stats/signrank.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "stats/desc.h"
#include "stats/ranks.h"
#include "stats/rmath.h"
#include "stats/shift.h"
#include "stats/sort.h"

/* Up to here the shift algorithm stays below a millisecond or so. */
#define TIED_EXACT_MAX 100

/* Doubled rank sum of the positive differences, and the sum of squares of all ranks. */
struct ranked {
	size_t n;
	bool ties;
	const unsigned *rank2;
	double positive2;
	double squares;
};

/* Pairs that are equal say nothing: they get no rank. */
static bool differs(double d)
{
	return d < 0 || d > 0;
}

static double p_of(const struct ranked *r)
{
	const double n = (double)r->n;
	const double total = n * (n + 1) / 2;
	const double v = r->positive2 / 2;
	double off;

	if (!r->ties && r->n <= STATS_SIGNRANK_EXACT_MAX)
		return fmin(1, 2 * psignrank(fmin(v, total - v), n, 1, 0));
	if (r->ties && r->n <= TIED_EXACT_MAX)
		return stats_shift_coins(r->rank2, r->n, (unsigned)r->positive2);
	/* The variance of a coin per rank is the squares over 4, whatever is tied. */
	off = fmax(0, fabs(v - total / 2) - 0.5);
	return stats_normal_two_sided(off / sqrt(r->squares / 4));
}

double stats_signrank_p(const double *d, size_t n)
{
	double *size = malloc((n + 1) * sizeof(*size)), *sorted = NULL;
	unsigned *rank2 = malloc((n + 1) * sizeof(*rank2));
	struct ranked r = { .rank2 = rank2 };
	double p = NAN;

	if (size && rank2 && stats_all_finite(d, n)) {
		for (size_t i = 0; i < n; i++)
			if (differs(d[i]))
				size[r.n++] = fabs(d[i]);
		sorted = stats_sorted_copy(size, r.n);
		p = r.n == 0 ? 1 : (double)NAN;
	}
	if (sorted) {
		r.ties = stats_rank2(size, sorted, r.n, rank2);
		for (size_t i = 0, k = 0; i < n; i++) {
			if (!differs(d[i]))
				continue;
			r.squares += rank2[k] / 2.0 * (rank2[k] / 2.0);
			r.positive2 += d[i] > 0 ? rank2[k] : 0;
			k++;
		}
		p = p_of(&r);
	}
	free(sorted);
	free(rank2);
	free(size);
	return p;
}
