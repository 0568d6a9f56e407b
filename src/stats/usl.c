/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fitting the universal scalability law by weighted linear least squares. */
#include "stats/usl.h"

#include <math.h>
#include <string.h>

#include "stats/rmath.h"

enum {
	TERMS = 3
};

struct fit {
	double coef[TERMS];
	double cov[TERMS][TERMS]; /* per unit of residual variance */
	double sum2;              /* of relative residuals */
};

/* Inverse of a symmetric, positive definite matrix of `p` rows by Cholesky; false when it
 * is none. */
static bool invert(double a[TERMS][TERMS], size_t p, double ret[TERMS][TERMS])
{
	double l[TERMS][TERMS] = { { 0 } };
	for (size_t i = 0; i < p; i++) {
		for (size_t j = 0; j <= i; j++) {
			double sum = a[i][j];
			for (size_t k = 0; k < j; k++)
				sum -= l[i][k] * l[j][k];
			if (i != j)
				l[i][j] = sum / l[j][j];
			else if (sum > 1e-12 * a[i][i])
				l[i][i] = sqrt(sum);
			else
				return false;
		}
	}
	for (size_t c = 0; c < p; c++) {
		double y[TERMS] = { 0 };
		for (size_t i = 0; i < p; i++) {
			y[i] = i == c;
			for (size_t k = 0; k < i; k++)
				y[i] -= l[i][k] * y[k];
			y[i] /= l[i][i];
		}
		for (size_t i = p; i-- > 0;) {
			for (size_t k = i + 1; k < p; k++)
				y[i] -= l[k][i] * ret[k][c];
			ret[i][c] = y[i] / l[i][i];
		}
	}
	return true;
}

static void terms_of(double n, double ret[TERMS])
{
	ret[0] = 1;
	ret[1] = n - 1;
	ret[2] = n * (n - 1);
}

/* y = n / x against the first p terms, each measurement in units of its own y. */
static bool solve(const double *n, const double *x, size_t count, size_t p, struct fit *f)
{
	double a[TERMS][TERMS] = { { 0 } }, b[TERMS] = { 0 };
	*f = (struct fit){ 0 };
	for (size_t i = 0; i < count; i++) {
		double t[TERMS], y = n[i] / x[i];
		terms_of(n[i], t);
		for (size_t j = 0; j < p; j++) {
			b[j] += t[j] / y;
			for (size_t k = 0; k < p; k++)
				a[j][k] += t[j] * t[k] / (y * y);
		}
	}
	if (!invert(a, p, f->cov))
		return false;
	for (size_t j = 0; j < p; j++)
		for (size_t k = 0; k < p; k++)
			f->coef[j] += f->cov[j][k] * b[k];
	for (size_t i = 0; i < count; i++) {
		double t[TERMS], y = n[i] / x[i], e = 1;
		terms_of(n[i], t);
		for (size_t j = 0; j < p; j++)
			e -= f->coef[j] * t[j] / y;
		f->sum2 += e * e;
	}
	return f->coef[0] > 0;
}

/* Half width of the interval of coef[j] / coef[0]. */
static double half_width(const struct fit *f, size_t j, size_t count, size_t p)
{
	if (count <= p)
		return NAN;
	double df = (double)(count - p), a = f->coef[0], ratio = f->coef[j] / a;
	double var = f->cov[j][j] - 2 * ratio * f->cov[0][j] + ratio * ratio * f->cov[0][0];
	return qt(0.975, df, 1, 0) * sqrt(fmax(var, 0) * f->sum2 / df) / a;
}

static size_t count_distinct(const double *n, size_t count)
{
	size_t distinct = 0;
	for (size_t i = 0; i < count; i++) {
		bool seen = false;
		for (size_t k = 0; k < i && !seen; k++)
			seen = n[k] == n[i];
		distinct += !seen;
	}
	return distinct;
}

static void find_peak(struct stats_usl *u)
{
	u->peak = INFINITY;
	u->most = u->sigma > 0 ? 1 / u->sigma : INFINITY;
	if (u->kappa > 0) {
		u->peak = u->sigma < 1 ? fmax(1, sqrt((1 - u->sigma) / u->kappa)) : 1;
		u->most = stats_usl_at(u, u->peak) / u->lambda;
	} else if (u->sigma >= 1) {
		u->peak = u->most = 1;
	}
}

bool stats_usl_fit(const double *n, const double *x, size_t count, struct stats_usl *ret)
{
	*ret = (struct stats_usl){ NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0 };
	for (size_t i = 0; i < count; i++)
		if (!isfinite(n[i]) || !isfinite(x[i]) || !(n[i] >= 1) || !(x[i] > 0))
			return false;
	size_t points = count_distinct(n, count), p = TERMS;
	struct fit f;
	ret->points = points;
	if (points < STATS_USL_POINTS_MIN || !solve(n, x, count, p, &f))
		return false;
	if (f.coef[2] < 0 && !solve(n, x, count, --p, &f))
		return false;
	struct stats_usl u = { .lambda = 1 / f.coef[0],
		.sigma = f.coef[1] / f.coef[0],
		.kappa = f.coef[2] / f.coef[0],
		.points = points };
	double sigma = half_width(&f, 1, count, p), kappa = half_width(&f, 2, count, p);
	u.sigma_lo = u.sigma - sigma;
	u.sigma_hi = u.sigma + sigma;
	u.kappa_lo = p == TERMS ? fmax(0, u.kappa - kappa) : NAN;
	u.kappa_hi = p == TERMS ? u.kappa + kappa : NAN;
	find_peak(&u);
	*ret = u;
	return true;
}

double stats_usl_at(const struct stats_usl *law, double n)
{
	return law->lambda * n / (1 + law->sigma * (n - 1) + law->kappa * n * (n - 1));
}

double stats_karp_flatt(double speedup, double t)
{
	if (!(t > 1) || !(speedup > 0))
		return NAN;
	return (1 / speedup - 1 / t) / (1 - 1 / t);
}
