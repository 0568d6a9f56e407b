/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known about the size of an effect: limits, p and spread, by the method that
 * fits how the values were obtained. Inside of compare.h, which translates it.
 */
#ifndef STATS_EFFECT_H
#define STATS_EFFECT_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/hl.h"

struct stats_effect_opts {
	double alpha;
	bool sequence;     /* limits of a confidence sequence, otherwise of the rank test */
	size_t planned;    /* of the sequence */
	bool verdict_only; /* leave out what no verdict needs: p, and a sequence's centre */
	bool limits_only;  /* leave out p and reach */
};

/* In the unit of the data; NAN for what is not known. */
struct stats_effect {
	struct stats_interval in; /* at 1 - alpha */
	double reach;             /* how far from 0 the effect may be, by two one-sided tests */
	double half_width;
	double sd; /* of one difference; of two samples pooled */
	double p;
	double lag1; /* of differences */
	bool usable; /* false: not finite, or no memory */
};

/* From n >= 1 differences of pairs, in the order measured. */
void stats_effect_paired(
	const double *d, size_t n, const struct stats_effect_opts *opts, struct stats_effect *ret);

/* From two samples of at least one value; the effect is the shift from x to y. */
void stats_effect_unpaired(const double *x, size_t n, const double *y, size_t m,
	const struct stats_effect_opts *opts, struct stats_effect *ret);

#endif
