/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wilcoxon's rank-sum test, by whichever null distribution is exact and cheap.
 */
#include "stats/ranksum.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "stats/desc.h"
#include "stats/ranks.h"
#include "stats/rmath.h"
#include "stats/shift.h"
#include "stats/sort.h"

/* Up to n + m = 50 the shift algorithm takes some milliseconds at most. */
#define TIED_EXACT_MAX 50

static double p_of(const unsigned *rank2, bool ties, size_t n, size_t m)
{
	const double all = (double)(n + m);
	const double dn = (double)n, dm = (double)m;
	double sum2 = 0, squares = 0;

	for (size_t i = 0; i < n + m; i++) {
		const double rank = rank2[i] / 2.0;

		sum2 += i < n ? rank2[i] : 0;
		squares += (rank - (all + 1) / 2) * (rank - (all + 1) / 2);
	}
	if (!(squares > 0))
		return 1;

	/* Mann and Whitney's count: how many pairs have x above y. */
	const double w = sum2 / 2 - dn * (dn + 1) / 2;

	if (!ties && n <= STATS_RANKSUM_EXACT_MAX && m <= STATS_RANKSUM_EXACT_MAX)
		return fmin(1, 2 * pwilcox(fmin(w, dn * dm - w), dn, dm, 1, 0));
	if (ties && n + m <= TIED_EXACT_MAX)
		return stats_shift_choose(rank2, n + m, n, (unsigned)sum2);

	/* Drawing n of the ranks without putting back; ties are in the squares. */
	const double variance = dn * dm / (all * (all - 1)) * squares;
	const double off = fmax(0, fabs(w - dn * dm / 2) - 0.5);

	return stats_normal_two_sided(off / sqrt(variance));
}

double stats_ranksum_p(const double *x, size_t n, const double *y, size_t m)
{
	double *all, *sorted;
	unsigned *rank2;
	double p = NAN;

	if (n == 0 || m == 0 || !stats_all_finite(x, n) || !stats_all_finite(y, m))
		return NAN;
	all = malloc((n + m) * sizeof(*all));
	rank2 = malloc((n + m) * sizeof(*rank2));
	if (all && rank2) {
		memcpy(all, x, n * sizeof(*x));
		memcpy(all + n, y, m * sizeof(*y));
		sorted = stats_sorted_copy(all, n + m);
		if (sorted)
			p = p_of(rank2, stats_rank2(all, sorted, n + m, rank2), n, m);
		free(sorted);
	}
	free(all);
	free(rank2);
	return p;
}
