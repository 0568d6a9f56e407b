/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wilcoxon's rank-sum test (Mann-Whitney): does one of two independent samples lie
 * higher than the other?
 */
#ifndef STATS_RANKSUM_H
#define STATS_RANKSUM_H

#include <stddef.h>

/*
 * Two-sided p of n and m finite values, sizes equal or not. 1 if all values are equal.
 * Exact by Rmath for distinct values and sizes up to 50; with ties exact for the
 * mid-ranks as they are while n + m <= 50; beyond that normal with tie and
 * continuity correction.
 * Heap: a few times n + m; NAN when memory is short, a value is not finite, or n or m is 0.
 * Source: Hollander, Wolfe and Chicken, 4.1; exact with ties: Streitberg and Röhmel 1986.
 */
double stats_ranksum_p(const double *x, size_t n, const double *y, size_t m);

#endif
