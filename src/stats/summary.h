/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One variant in one metric, summed up.
 */
#ifndef STATS_SUMMARY_H
#define STATS_SUMMARY_H

#include <stddef.h>

#include "stats/hl.h"

/* In the unit of the data; NAN where n is too small. */
struct stats_summary {
	size_t n;
	double mean;
	double sd; /* of one run, not of the mean */
	double min, median, max;
	double lag1;
	struct stats_interval interval; /* Hodges-Lehmann centre, signed-rank limits */
};

/* x: n finite values in the order measured; level 0 = 0.95. */
void stats_summarize(const double *x, size_t n, double level, struct stats_summary *ret);

#endif
