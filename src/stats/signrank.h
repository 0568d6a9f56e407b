/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wilcoxon's signed-rank test: do paired differences lie about 0?
 */
#ifndef STATS_SIGNRANK_H
#define STATS_SIGNRANK_H

#include <stddef.h>

/*
 * Two-sided p of n finite differences d, any order, not changed.
 * Zeros are dropped, as Wilcoxon did; 1 if nothing is left. Exact by Rmath for up to
 * 200 distinct sizes; with equal sizes exact for the mid-ranks as they are, up to 100;
 * beyond that normal with tie and continuity correction.
 * Heap: a few times n; NAN when memory is short or a value is not finite.
 * Source: Hollander, Wolfe and Chicken, 3.1; exact with ties: Streitberg and Röhmel
 * 1986 (shift algorithm).
 */
double stats_signrank_p(const double *d, size_t n);

#endif
