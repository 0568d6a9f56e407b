/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Order statistics of all pairwise sums of sorted values, without making the sums:
 * Walsh averages (x_i + x_j) / 2 with i <= j, and sums u_i + v_j.
 */
#ifndef STATS_SUMS_H
#define STATS_SUMS_H

#include <stdbool.h>
#include <stddef.h>

/* Both arrays ascending and finite, at least one value each. */
struct stats_sums {
	const double *u;
	size_t n;
	const double *v;
	size_t m;
	bool walsh; /* v is u; halves of the sums with i <= j only */
};

/* How many sums there are. */
double stats_sums_count(const struct stats_sums *s);

/*
 * The k-th smallest, k = 1 .. count; the rounded sum itself, to the last bit. Each
 * step costs n + m; 10 to 20 steps are usual, some 200 the most.
 */
double stats_sums_select(const struct stats_sums *s, double k);

/* The middle one, or the mean of the two in the middle. */
double stats_sums_median(const struct stats_sums *s);

#endif
