/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pooled scatter of logs. */
#include "stats/pool.h"

#include <math.h>

#include "stats/rmath.h"

void stats_log_sample(const double *x, size_t n, struct stats_log_sample *ret)
{
	*ret = (struct stats_log_sample){ .mean = NAN };
	double sum = 0;
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(x[i]) || !(x[i] > 0))
			continue;
		sum += log(x[i]);
		ret->n++;
	}
	if (!ret->n)
		return;
	ret->mean = sum / (double)ret->n;
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(x[i]) || !(x[i] > 0))
			continue;
		double d = log(x[i]) - ret->mean;
		ret->sum2 += d * d;
	}
}

void stats_log_pool_add(struct stats_log_pool *pool, const struct stats_log_sample *sample)
{
	if (sample->n < 2)
		return;
	pool->sum2 += sample->sum2;
	pool->df += (double)(sample->n - 1);
}

double stats_log_pool_half(const struct stats_log_pool *pool, const struct stats_log_sample *a,
	const struct stats_log_sample *b)
{
	if (!(pool->df > 0) || !a->n || (b && !b->n))
		return NAN;
	double parts = 1 / (double)a->n + (b ? 1 / (double)b->n : 0);
	return qt(0.975, pool->df, 1, 0) * sqrt(pool->sum2 / pool->df * parts);
}
