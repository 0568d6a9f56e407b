/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hodges-Lehmann estimates: where a sample lies, and how far two samples lie
 * apart, each with the interval that belongs to the matching rank test.
 */
#ifndef STATS_HL_H
#define STATS_HL_H

#include <stdbool.h>
#include <stddef.h>

/* An estimate with its two-sided interval, in the unit of the data. */
struct stats_interval {
	double center;
	double lo, hi; /* NAN unless bounded */
	double level;  /* as asked, such as 0.95; while exact, the true one is never lower */
	bool bounded;  /* false: too few values for this level */
};

/*
 * Pseudo-median of x: the median of all (x_i + x_j) / 2 with i <= j, and the
 * limits that Wilcoxon's signed-rank test does not reject.
 * Assumes values independent and symmetric about their centre.
 * x holds n finite values in any order and is not changed; 0 < level < 1, or 0 for the
 * centre alone.
 * Exact up to n = 200, beyond that normal with continuity correction. At 95 % it
 * takes 6 values to be bounded. Ties make the interval wider than it needs to be.
 * Order statistics are exact to the last bit. Time n log n, heap one copy of x.
 * Errors: center NAN, not bounded, when n is 0, a value is not finite, or memory
 * is short.
 * Source: Hodges and Lehmann 1963; Hollander, Wolfe and Chicken, Nonparametric
 * Statistical Methods, 3rd ed., 3.2 and 3.3.
 */
void stats_hl(const double *x, size_t n, double level, struct stats_interval *ret);

/* The same for n_levels levels at once, at less cost; ret has room for them. */
void stats_hl_levels(const double *x, size_t n, const double *levels, size_t n_levels,
	struct stats_interval *ret);

/*
 * Shift from x to y: the median of all y_j - x_i, and the limits that the rank-sum
 * test does not reject. Assumes that the two distributions differ by a shift only.
 * Exact while both sizes are at most 50, otherwise normal. Errors as above, also
 * when m is 0 or a difference overflows.
 * Source: Hollander, Wolfe and Chicken, 4.2 and 4.3.
 */
void stats_hl_shift(const double *x, size_t n, const double *y, size_t m, double level,
	struct stats_interval *ret);

/* The same for n_levels levels at once. */
void stats_hl_shift_levels(const double *x, size_t n, const double *y, size_t m,
	const double *levels, size_t n_levels, struct stats_interval *ret);

#endif
