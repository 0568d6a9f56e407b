/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asymptotic confidence sequence: Robbins' normal mixture with the sample SD, a little
 * widened, put in for the true one.
 */
#include "stats/confseq.h"

#include <math.h>

/* The mixture's tuning squared: narrowest about t = planned. */
static double rho2(double alpha, size_t planned)
{
	const double a = -2 * log(alpha);

	return (a + log(a) + 1) / (double)planned;
}

/* For what is not known of the SD after t values. */
static double widened(double sd, size_t t)
{
	return sd * sqrt((double)(t - 1) / (double)(t - 3));
}

double stats_confseq_half_width(size_t t, double sd, double alpha, size_t planned)
{
	const double n = (double)t;
	const double r2 = rho2(alpha, planned);

	if (t < STATS_CONFSEQ_START)
		return INFINITY;
	return widened(sd, t) *
		sqrt(2 * (n * r2 + 1) / (n * n * r2) * log(sqrt(n * r2 + 1) / alpha));
}

double stats_confseq_p(size_t t, double mean, double sd, double alpha, size_t planned)
{
	const double n = (double)t;
	const double r2 = rho2(alpha, planned);

	if (t < STATS_CONFSEQ_START)
		return 1;
	if (!(sd > 0))
		return mean < 0 || mean > 0 ? 0 : 1;

	/* half_width(t, sd, p, ...) = |mean| solved for p. */
	const double z = mean / widened(sd, t);

	return fmin(1, sqrt(n * r2 + 1) * exp(-z * z * n * n * r2 / (2 * (n * r2 + 1))));
}
