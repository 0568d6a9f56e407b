/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Describe one sample: centre, spread, extremes, and whether neighbours in time
 * resemble each other.
 */
#ifndef STATS_DESC_H
#define STATS_DESC_H

#include <stdbool.h>
#include <stddef.h>

bool stats_all_finite(const double *x, size_t n);

/*
 * x holds n finite values in the order measured and is not changed; results are in its
 * unit. What is not defined for n is NAN: everything for 0, stats_sd for 1, stats_lag1
 * for 2 and for values that are all equal.
 */
double stats_mean(const double *x, size_t n);

/* Standard deviation of one value, with n - 1. */
double stats_sd(const double *x, size_t n);

double stats_min(const double *x, size_t n);
double stats_max(const double *x, size_t n);

/* Heap: one copy of x; NAN also when memory is short. */
double stats_median(const double *x, size_t n);

/* The value below which a share q of 0..1 lies; type 7 of Hyndman and Fan 1996, as in R. */
double stats_quantile(const double *x, size_t n, double q);

/* Autocorrelation at lag 1, -1..1. Above 2 / sqrt(n), neighbours are not independent. */
double stats_lag1(const double *x, size_t n);

#endif
