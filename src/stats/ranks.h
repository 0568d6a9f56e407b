/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Null distributions of the two rank statistics: when they are taken exactly, and
 * which order statistics bound an interval.
 */
#ifndef STATS_RANKS_H
#define STATS_RANKS_H

#include <stdbool.h>
#include <stddef.h>

/* Up to these sizes exact by Rmath, whose time and memory rise steeply; normal above. */
#define STATS_SIGNRANK_EXACT_MAX 200
#define STATS_RANKSUM_EXACT_MAX  50

/* Half the two-sided alpha's quantile: P(Z > z) = upper. */
double stats_normal_upper(double upper);

/* 2 P(Z >= |z|). */
double stats_normal_two_sided(double z);

/*
 * The largest C with P(statistic < C) <= alpha / 2: the C-th value from either end of the
 * sorted Walsh averages (differences) bounds the interval. 0: there is none.
 */
double stats_signrank_bound(size_t n, double alpha);
double stats_ranksum_bound(size_t n, size_t m, double alpha);

#endif
