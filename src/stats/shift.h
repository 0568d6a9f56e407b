/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exact null distributions of rank sums for ranks as they are, ties included: the
 * shift algorithm of Streitberg and Röhmel 1986 over doubled mid-ranks.
 */
#ifndef STATS_SHIFT_H
#define STATS_SHIFT_H

#include <stddef.h>

/*
 * Each of n ranks is taken or not by a fair coin (signed-rank): the probability that
 * the sum of those taken lies at least as far from its mean as observed does.
 * rank2 are doubled ranks and observed is a sum of some. Time n * sum. NAN without memory.
 */
double stats_shift_coins(const unsigned *rank2, size_t n, unsigned observed);

/* The same when k of the n ranks are taken, each set of k equally likely (rank-sum). */
double stats_shift_choose(const unsigned *rank2, size_t n, size_t k, unsigned observed);

#endif
