/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Holm's correction: many metrics at once without a false "differs" among them
 * more often than promised.
 */
#ifndef STATS_HOLM_H
#define STATS_HOLM_H

#include <stddef.h>

/*
 * ret_adjusted[i] is p[i] adjusted, in 0..1; compare it with alpha itself. Order of the p is
 * kept. NAN means not available: it stays NAN and does not count as a test.
 * The arrays must not overlap. Time n^2: meant for metrics, not for genes.
 * Source: Holm 1979, Scand. J. Statist. 6, 65-70.
 */
void stats_holm(const double *p, size_t n, double *ret_adjusted);

#endif
