/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Planning: how many runs an effect takes to be shown.
 */
#ifndef STATS_PLAN_H
#define STATS_PLAN_H

#include <stddef.h>

enum stats_plan_test {
	STATS_PLAN_RANK, /* signed-rank or rank-sum: 1/0.955 times the runs of t */
	STATS_PLAN_T,    /* t test */
};

/* Zeros are the defaults. */
struct stats_plan_opts {
	enum stats_plan_test test;
	double alpha; /* two-sided; 0 = 0.05 */
	double power; /* 0 = 0.90 */
};

/*
 * Effects and SDs are of logs, so for small ones relative: 0.0037 is 0.37 %. opts may be
 * NULL. Normal formula, so below 20 runs some 2 to 4 short for t. Noise is taken as
 * normal: with spikes rank tests need fewer, t tests more.
 *
 * Pairs to show effect with log ratios of SD sd: ((z + z') sd / effect)^2, to the nearest
 * run (rank: divided by 0.955 and rounded up) but no fewer than the test can decide with.
 * 0 if effect or sd is not above 0 or not finite, or the number does not fit.
 */
size_t stats_plan_pairs(double effect, double sd, const struct stats_plan_opts *opts);

/* Runs on each side without pairing, sd that of one side: 2 ((z + z') sd / effect)^2. */
size_t stats_plan_per_side(double effect, double sd, const struct stats_plan_opts *opts);

#endif
