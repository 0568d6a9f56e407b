/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Judge a published claim: two results printed as "value ± spread" by somebody
 * else's tool, without the runs behind them.
 */
#ifndef STATS_REPORTED_H
#define STATS_REPORTED_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/compare.h"

/* What the number behind ± is; tools differ, and few of them say so. */
enum stats_spread {
	STATS_SPREAD_SE,   /* standard error of the mean: perf stat -r */
	STATS_SPREAD_SD,   /* standard deviation of one run: hyperfine, poop, pyperf */
	STATS_SPREAD_CI95, /* half of a 95 % interval of the mean */
};

struct stats_reported {
	double value;  /* > 0 */
	double spread; /* >= 0, in the unit of value or in per cent of it */
	bool spread_is_percent;
	enum stats_spread kind; /* not in the text: the reader must say */
};

struct stats_reported_verdict {
	enum stats_verdict verdict; /* LOWER, HIGHER or UNDECIDED */
	double diff;                /* (b - a) / a; 0.01 is 1 % */
	double se;                  /* its standard error, same unit */
	double lo, hi;              /* 95 % interval, same unit */
	double statistic;           /* diff / se */
	double df;                  /* Welch's; INFINITY when the runs are not known */
	double p;                   /* two-sided */
	double provable;            /* effect that was provable at 90 % power, same unit */
	size_t runs_needed; /* a side, to show an effect as large as the one seen; 0: not known */
};

/*
 * Read "VALUE ± SPREAD", "VALUE +- SPREAD%", "VALUE +/- SPREAD", the spread in
 * parentheses or not, thousands separated by commas or not, and the unit or event name
 * behind value or spread (a line of perf stat as it stands). Decimal point only,
 * whatever the locale. kind is set to STATS_SPREAD_SE.
 * False, and *ret untouched, for anything else: a value <= 0, a spread < 0, numbers
 * that are not finite, two different units.
 */
bool stats_reported_parse(const char *s, struct stats_reported *ret);

/*
 * Welch's test of b against a from n_a and n_b runs; 0 runs: not known, normal is
 * assumed and SD cannot be used. False, and *ret untouched, when there is nothing to judge by:
 * SD without runs, or 1 run. No spread at all on both sides gives p 0 or 1.
 * Says nothing about drift: whether the runs were interleaved is not in the numbers.
 */
bool stats_reported_judge(const struct stats_reported *a, size_t n_a,
	const struct stats_reported *b, size_t n_b, struct stats_reported_verdict *ret);

#endif
