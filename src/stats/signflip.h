/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sign-flip randomisation test: exact by design when the order within each pair was
 * drawn at random, whatever the noise looks like.
 */
#ifndef STATS_SIGNFLIP_H
#define STATS_SIGNFLIP_H

#include <stddef.h>
#include <stdint.h>

/* Up to this many differences every pattern of signs is tried. */
#define STATS_SIGNFLIP_FULL_MAX 20

/* Above, so many random patterns. */
#define STATS_SIGNFLIP_DRAWS 9999

/*
 * Two-sided p: the share of sign patterns whose mean is at least as far from 0 as that of
 * d. Full: share of all 2^n. Drawn from seed: (1 + hits) / (1 + draws), never below 0.0001.
 * NAN for n = 0 or values that are not finite. No heap.
 */
double stats_signflip_p(const double *d, size_t n, uint64_t seed);

#endif
