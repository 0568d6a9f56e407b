/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wilcoxon's signed-rank test, by whichever null distribution is exact and cheap.
 */
#include "stats/signrank.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

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
	unsigned *rank2;
	double positive2;
	double squares;
};

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
	double *size = n ? malloc(n * sizeof(*size)) : NULL;
	bool *positive = n ? malloc(n * sizeof(*positive)) : NULL;
	struct ranked r = { 0 };
	double p = NAN;

	if (n == 0)
		return 1;
	if (size && positive) {
		bool finite = true;

		for (size_t i = 0; i < n; i++) {
			finite = finite && isfinite(d[i]);
			if (d[i] < 0 || d[i] > 0) {
				size[r.n] = fabs(d[i]);
				positive[r.n++] = d[i] > 0;
			}
		}

		double *sorted = stats_sorted_copy(size, finite ? r.n : 0);

		r.rank2 = malloc((r.n + 1) * sizeof(*r.rank2));
		if (finite && r.n == 0) {
			p = 1;
		} else if (sorted && r.rank2) {
			r.ties = stats_rank2(size, sorted, r.n, r.rank2);
			for (size_t i = 0; i < r.n; i++) {
				const double rank = r.rank2[i] / 2.0;

				r.squares += rank * rank;
				r.positive2 += positive[i] ? r.rank2[i] : 0;
			}
			p = p_of(&r);
		}
		free(sorted);
		free(r.rank2);
	}
	free(size);
	free(positive);
	return p;
}
