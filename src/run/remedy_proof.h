/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What pairs of runs prove about a remedy. Pure. */
#ifndef RUN_REMEDY_PROOF_H
#define RUN_REMEDY_PROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A gain below this is not worth changing anything for. */
#define REMEDY_PROOF_GAIN 1.02

/* The chance that a claim is wrong which is taken. */
#define REMEDY_PROOF_ALPHA 0.05

/* One candidate against the default. */
struct remedy_proof {
	size_t n;      /* pairs */
	double ratio;  /* time without / time with: above 1 is faster */
	double lo, hi; /* NAN: too few pairs */
	double p;      /* exact permutation test over the pairs; NAN: none */
	double p_holm; /* corrected for the number of candidates; of the control: p */
	bool helps, hurts;
};

/* Times of the default and of one candidate, n pairs, in the same unit. */
void remedy_proof_pairs(const double *without, const double *with, size_t n, uint64_t seed,
	struct remedy_proof *ret);

/* Judges the candidates together, after remedy_proof_pairs on each: against the default, and
 * (`again`) against the control, which is the default under another name. A claim must hold
 * against both, so that it is not made because the default alone had bad luck: candidates[i].p
 * becomes the larger of the two. A control that shows a gain of its own over the default raises
 * the bar for all. */
void remedy_proof_judge(struct remedy_proof *candidates, const struct remedy_proof *again, size_t n,
	struct remedy_proof *control);

#endif
