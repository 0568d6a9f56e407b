/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Laws of scaling: how the work done per second grows with the number of those who do it.
 */
#ifndef STATS_USL_H
#define STATS_USL_H

#include <stdbool.h>
#include <stddef.h>

/* Fewer distinct n than these say nothing about three parameters. */
#define STATS_USL_POINTS_MIN 4

/* NAN: not known. */
struct stats_usl {
	double lambda;                                 /* work per second of one */
	double sigma, kappa;                           /* contention, coherency */
	double sigma_lo, sigma_hi, kappa_lo, kappa_hi; /* 95 %; NAN without a degree of freedom */
	double peak;   /* n at which x is largest; INFINITY: it grows for ever */
	double most;   /* x(peak) / lambda, or the limit for growing n; INFINITY without one */
	size_t points; /* distinct n; also without a fit */
};

/*
 * The universal scalability law (Gunther 2007), x = lambda n / (1 + sigma (n - 1) +
 * kappa n (n - 1)), from `count` measurements x[i] > 0 of n[i] >= 1: least squares of
 * relative errors, which are linear in n / x. kappa is never below 0; sigma is not held at
 * 1, as in a program that gets slower with its second thread it is above, and may be below
 * 0 where threads bring more than themselves. Intervals by the delta method.
 * False, and all NAN, for fewer than STATS_USL_POINTS_MIN distinct n, for values that are
 * not finite and positive, or where no such curve exists.
 */
bool stats_usl_fit(const double *n, const double *x, size_t count, struct stats_usl *ret);

/* What the law says for n. */
double stats_usl_at(const struct stats_usl *law, double n);

/*
 * The serial share that explains a speed-up of `speedup` with t > 1 (Karp and Flatt 1990):
 * (1 / speedup - 1 / t) / (1 - 1 / t). Above 1 for a slow-down, below 0 when faster than t.
 * NAN for t <= 1 or a speed-up not above 0.
 */
double stats_karp_flatt(double speedup, double t);

#endif
