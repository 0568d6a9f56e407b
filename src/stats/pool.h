/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Few values at each of several points whose logs scatter alike: the scatter is pooled over
 * the points, so that two or three values a point give an interval.
 */
#ifndef STATS_POOL_H
#define STATS_POOL_H

#include <stddef.h>

/* One point: values > 0, as logs. */
struct stats_log_sample {
	size_t n;
	double mean; /* of the logs; NAN for none */
	double sum2; /* squared distances from it */
};

struct stats_log_pool {
	double sum2, df;
};

/* Values that are not finite and above 0 are left out. */
void stats_log_sample(const double *x, size_t n, struct stats_log_sample *ret);

void stats_log_pool_add(struct stats_log_pool *pool, const struct stats_log_sample *sample);

/* Half the width of the 95 % t interval of a's mean, or of the difference of a's and b's; b
 * may be NULL. NAN without a degree of freedom or a value. */
double stats_log_pool_half(const struct stats_log_pool *pool, const struct stats_log_sample *a,
	const struct stats_log_sample *b);

#endif
