/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One variant in one metric, summed up.
 */
#include "stats/summary.h"

#include "stats/desc.h"

void stats_summarize(const double *x, size_t n, double level, struct stats_summary *ret)
{
	*ret = (struct stats_summary){
		.n = n,
		.mean = stats_mean(x, n),
		.sd = stats_sd(x, n),
		.min = stats_min(x, n),
		.median = stats_median(x, n),
		.max = stats_max(x, n),
		.lag1 = stats_lag1(x, n),
	};
	stats_hl(x, n, level > 0 ? level : 0.95, &ret->interval);
}
