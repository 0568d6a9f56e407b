/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The comparison of two variants in one metric: ratio, interval, verdict and the
 * smallest effect that could have been proved. The only one there is: commands and
 * the simulation that checks its error rates both call it.
 */
#ifndef STATS_COMPARE_H
#define STATS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

/* How the values were obtained; it decides which test is honest. */
enum stats_design {
	STATS_PAIRED,   /* a[i] and b[i] ran side by side in random order; n fixed beforehand */
	STATS_SEQUENCE, /* the same, but looked at after every pair to decide when to stop */
	STATS_UNPAIRED, /* two sets of runs taken apart: drift between them is not seen */
};

enum stats_verdict {
	STATS_TOO_FEW,   /* no interval: fewer values than the level needs, or not finite */
	STATS_UNDECIDED, /* neither a difference nor sameness shown */
	STATS_LOWER,     /* b is lower than a */
	STATS_HIGHER,    /* b is higher than a */
	STATS_SAME,      /* the difference is shown to be within the margin */
};

enum stats_method {
	STATS_BY_NOTHING,  /* no usable data */
	STATS_BY_SIGNRANK, /* signed-rank interval and p */
	STATS_BY_SEQUENCE, /* confidence sequence and anytime-valid p */
	STATS_BY_RANKSUM,  /* rank-sum interval and p */
};

/* Zeros are the defaults. */
struct stats_compare_opts {
	enum stats_design design;
	double level;    /* 0 = 0.95 */
	double same;     /* margin of sameness as a relative effect; 0 = 0.01 */
	bool same_given; /* the user named it: within the margin beats "differs" */
	size_t planned;  /* pairs at which the sequence is sharpest, not its end; 0 = 60 */
	size_t n_tests;  /* variants against one baseline: alpha is shared; 0 = 1 */
};

/* Whatever is not known is NAN, never 0. Ratios are b over a. */
struct stats_comparison {
	enum stats_verdict verdict;
	enum stats_method method;
	bool logs;        /* on log ratios; false: on differences, as a value was <= 0 */
	bool bounded;     /* lo, hi, diff_lo and diff_hi are numbers */
	bool exact_equal; /* no value differs from its partner (unpaired: from any) */
	size_t n, m;      /* values of a, of b */
	double level;     /* of the intervals, after sharing alpha over n_tests */
	double ratio, lo, hi;
	double diff, diff_lo, diff_hi; /* b - a, in the unit of the data */
	double base;                   /* centre of a, in the unit of the data */
	double p;           /* two-sided, this comparison's own: significant if < 1 - level */
	double provable;    /* relative effect that this n shows with 90 % power */
	double same_within; /* smallest margin for which "same" is shown */
	double sd_log;      /* SD of log ratios; unpaired: of logs, pooled; !logs: relative */
	double lag1;        /* autocorrelation of pair differences; unpaired: NAN */
};

/*
 * Compare b with a. opts may be NULL. Paired designs need n == m.
 *
 * All values above 0: on log ratios, ratio = exp(Hodges-Lehmann centre). Otherwise (counts
 * with zeros) on differences; ratio, lo and hi are then 1 + difference / base if base > 0,
 * else NAN. diff is the Hodges-Lehmann centre of the differences in both cases.
 *
 * STATS_PAIRED: signed-rank. STATS_UNPAIRED: rank-sum. STATS_SEQUENCE: limits and p of
 * a confidence sequence about the mean (confseq.h), from 10 pairs on; where skewed noise
 * parts mean and Hodges-Lehmann centre, ratio and diff are kept within their limits.
 *
 * Verdict: TOO_FEW without an interval (95 %: 6 pairs, 10 in a sequence, 4 + 4 unpaired).
 * Interval excludes no difference: LOWER or HIGHER, or SAME if same_given and
 * same_within <= same. It does not: SAME if same_within <= same, else UNDECIDED.
 * "Same" is two one-sided tests: the interval at 1 - 2 alpha (in a sequence 1 - alpha)
 * lies within 1/(1 + same) .. 1 + same, ends included.
 * The interval decides, p informs: with many ties or zeros the interval is the more careful
 * of the two, so that p can be below 1 - level while it still holds no difference.
 *
 * Errors: STATS_BY_NOTHING, TOO_FEW and NAN everywhere for n or m 0, n != m when paired,
 * a value that is not finite, or no memory.
 */
void stats_compare(const double *a, size_t n, const double *b, size_t m,
	const struct stats_compare_opts *opts, struct stats_comparison *ret);

/*
 * The verdict alone, always the one stats_compare() gives; for a sequence in a fraction of
 * the time, so that looking after every pair costs next to nothing.
 */
enum stats_verdict stats_compare_verdict(const double *a, size_t n, const double *b, size_t m,
	const struct stats_compare_opts *opts);

/* A sequence has decided: one of LOWER, HIGHER, SAME. False for the other designs. */
bool stats_compare_should_stop(const struct stats_comparison *c);

#endif
