/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorted copies and mid-ranks: what every rank method starts from.
 */
#ifndef STATS_SORT_H
#define STATS_SORT_H

#include <stdbool.h>
#include <stddef.h>

/* The caller frees it. NULL when memory is short or n is 0. x holds no NAN. */
double *stats_sorted_copy(const double *x, size_t n);

/* Sort in place, ascending. */
void stats_sort(double *x, size_t n);

/*
 * Doubled mid-ranks of x, whole numbers: 2 for the smallest of distinct values, 3 for
 * each of the two smallest if these are equal. True if any two values are equal.
 * sorted is stats_sorted_copy(x, n); ret_rank2 has room for n.
 */
bool stats_rank2(const double *x, const double *sorted, size_t n, unsigned *ret_rank2);

#endif
