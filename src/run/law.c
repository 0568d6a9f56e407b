/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the curve as a whole says: is the work shared or does it grow, which law does it
 * follow, and does it scale. */
#include <math.h>
#include <stdlib.h>

#include "base/own.h"
#include "run/curve.h"
#include "stats/desc.h"
#include "stats/usl.h"

/* How far work or CPU time may be from "the same" and from "as many times as threads", on
 * the way from one to the other. */
static const double near_same = 0.35, near_threads = 0.65, far_over = 1.6;
static const double scales_at = 0.9, flat_over = 1.1, slower_under = 0.95;

/* An efficiency from here on is too good to be called a loss while its interval allows that it
 * scales. */
static const double near_at = 0.8;

static double center(const struct record *rec, int variant, const char *metric)
{
	int m = record_metric(rec, metric);
	LT_AUTO_FREE double *x = malloc((rec->n_trials + 1) * sizeof(*x));
	if (m < 0 || variant < 0 || !x)
		return NAN;
	size_t n = record_curve_values(rec, (unsigned)variant, (unsigned)m, false, x);
	return n ? stats_median(x, n) : NAN;
}

static double mean_work(const struct record *rec, int variant)
{
	double sum = 0, n = 0;
	for (size_t i = 0; i < rec->n_trials && variant >= 0; i++) {
		const struct trial *t = &rec->trials[i];
		if (t->variant != (unsigned)variant || !record_in_curve(rec, t) || !(t->work > 0))
			continue;
		sum += t->work;
		n++;
	}
	return n > 0 ? sum / n : NAN;
}

/* Of something that is 1 in strong and `times` in weak scaling. */
static enum scale_mode mode_by(double ratio, double times)
{
	if (!isfinite(ratio) || !(times > 1))
		return SCALE_UNKNOWN;
	if (ratio <= 1 + near_same * (times - 1))
		return SCALE_STRONG;
	if (ratio >= 1 + near_threads * (times - 1) && ratio <= 1 + far_over * (times - 1))
		return SCALE_WEAK;
	return SCALE_UNKNOWN;
}

static void recognise(struct record *rec)
{
	struct scaling *s = rec->scaling;
	s->mode = SCALE_UNKNOWN;
	if (s->baseline < 0 || s->focus < 0 || s->baseline == s->focus) {
		s->mode_why = "there is but one thread count to go by";
		return;
	}
	double times = (double)curve_threads(rec, (unsigned)s->focus) /
		curve_threads(rec, (unsigned)s->baseline);
	double work = mean_work(rec, s->focus) / mean_work(rec, s->baseline);
	double cpu = center(rec, s->baseline, "cpu");
	double all = center(rec, s->focus, "cpu") / cpu;
	double alone = center(rec, s->one_cpu.variant, "cpu") / cpu;
	if (isfinite(work)) {
		s->mode = mode_by(work, times);
		s->mode_why = "units of work";
	} else if (isfinite(alone)) { /* on one CPU they cannot hinder each other */
		s->mode = mode_by(fmin(alone, all), times); /* noise makes either longer */
		s->mode_why = "CPU time of the same threads on one CPU";
	} else {
		s->mode = mode_by(all, times);
		s->mode = s->mode == SCALE_STRONG ? s->mode : SCALE_UNKNOWN;
		s->mode_why = "total CPU time";
	}
}

double curve_work(const struct record *rec, unsigned variant)
{
	const struct scaling *s = rec->scaling;
	double work = mean_work(rec, (int)variant) / mean_work(rec, s->baseline);
	if (isfinite(work))
		return work;
	if (s->mode != SCALE_WEAK || s->baseline < 0)
		return 1;
	return (double)curve_threads(rec, variant) / curve_threads(rec, (unsigned)s->baseline);
}

static struct value finite_or(double num, const char *reason)
{
	return isfinite(num) ? value_of(num) : value_missing(reason, NULL);
}

static void no_law(struct scaling *s, const char *why)
{
	s->law = SCALE_LAW_NONE;
	s->law_why = why;
	s->sigma = s->kappa = estimate_missing(why, NULL);
	s->serial = estimate_missing(why, NULL);
	s->lambda = s->best_cpus = s->most = value_missing(why, NULL);
}

/* Every kept run of the first other levels, at no more threads than CPUs: threads, and work
 * per second. Returns how many. */
static size_t law_data(const struct record *rec, double *n, double *x)
{
	const struct scaling *s = rec->scaling;
	int wall = record_metric(rec, "wall");
	size_t count = 0;
	for (size_t i = 0; i < rec->n_curve && wall >= 0; i++) {
		const struct curve_point *p = &rec->curve[i];
		if (p->remedy || p->over || !p->threads ||
			!curve_alike(rec, p->variant, (unsigned)s->baseline))
			continue;
		double work = s->mode == SCALE_WEAK ? p->threads : 1;
		for (size_t k = 0; k < rec->n_trials; k++) {
			const struct trial *t = &rec->trials[k];
			const struct value *v = &t->readings[wall];
			if (!record_in_curve(rec, t) || t->variant != p->variant ||
				!value_known(*v))
				continue;
			n[count] = p->threads;
			x[count++] = (t->work > 0 ? t->work : work) * 1e9 / v->num;
		}
	}
	return count;
}

static void take_usl(struct scaling *s, const struct stats_usl *u)
{
	static const char no_end[] = "by the law it grows for ever";
	s->law = SCALE_LAW_USL;
	s->law_why = NULL;
	s->law_points = u->points;
	s->sigma = (struct estimate){ value_of(u->sigma), u->sigma_lo, u->sigma_hi };
	s->kappa = (struct estimate){ value_of(u->kappa), u->kappa_lo, u->kappa_hi };
	s->lambda = value_of(u->lambda);
	s->best_cpus = finite_or(u->peak, no_end);
	s->most = finite_or(u->most, no_end);
	s->serial = estimate_missing("the universal scalability law was fitted", NULL);
}

/* The serial share that one thread and the focus tell. */
static void take_karp_flatt(const struct record *rec, struct scaling *s)
{
	const struct curve_point *p = s->focus < 0 ? NULL : record_point(rec, (unsigned)s->focus);
	double least = curve_threads(rec, (unsigned)s->baseline);
	if (!p || p->over || p->threads <= 1 || least != 1 || !value_known(p->speedup.value))
		return;
	double t = p->threads;
	s->law = SCALE_LAW_KARP_FLATT;
	s->law_points = 2;
	s->serial = (struct estimate){ value_of(stats_karp_flatt(p->speedup.value.num, t)),
		stats_karp_flatt(p->speedup.hi, t), stats_karp_flatt(p->speedup.lo, t) };
}

static int fit(struct record *rec, struct lt_err *err)
{
	struct scaling *s = rec->scaling;
	if (record_factor(rec, "threads") < 0 || s->baseline < 0) {
		no_law(s,
			record_factor(rec, "threads") < 0 ? "threads are no factor"
							  : "no run counts");
		return 0;
	}
	LT_AUTO_FREE double *n = malloc((rec->n_trials + 1) * sizeof(*n));
	LT_AUTO_FREE double *x = malloc((rec->n_trials + 1) * sizeof(*x));
	if (!n || !x)
		return lt_fail_mem(err);
	struct stats_usl u;
	if (stats_usl_fit(n, x, law_data(rec, n, x), &u)) {
		take_usl(s, &u);
		return 0;
	}
	no_law(s,
		u.points >= STATS_USL_POINTS_MIN
			? "no universal scalability law goes through these points"
			: "the universal scalability law takes four thread counts up to the CPUs");
	take_karp_flatt(rec, s);
	return 0;
}

static enum scale_verdict verdict_of(const struct record *rec)
{
	const struct scaling *s = rec->scaling;
	const struct curve_point *p = s->focus < 0 || s->focus == s->baseline
		? NULL
		: record_point(rec, (unsigned)s->focus);
	if (s->busy || !p || !value_known(p->efficiency.value))
		return SCALE_UNDECIDED;
	if (p->efficiency.value.num >= scales_at)
		return SCALE_SCALES;
	if (p->efficiency.value.num >= near_at && estimate_bounded(&p->efficiency) &&
		p->efficiency.hi >= scales_at)
		return SCALE_UNDECIDED;
	if (p->speedup.value.num > flat_over)
		return SCALE_LIMITED;
	return p->speedup.value.num < slower_under ? SCALE_SLOWER : SCALE_FLAT;
}

/* Time on one CPU against time on all. */
static void judge_one_cpu(struct record *rec)
{
	struct scaling *s = rec->scaling;
	int v = s->one_cpu.variant;
	if (v < 0 || s->focus < 0)
		return;
	double wall = center(rec, v, "wall") / center(rec, s->focus, "wall");
	double cpu = center(rec, v, "cpu") / center(rec, s->focus, "cpu");
	if (!isfinite(wall)) /* why not is known already */
		return;
	s->one_cpu.ratio = curve_ratio(rec, (unsigned)s->focus, (unsigned)v);
	s->one_cpu.cpu = finite_or(cpu, "CPU time was not measured");
}

int curve_judge(struct record *rec, enum scale_mode forced, struct lt_err *err)
{
	struct scaling *s = rec->scaling;
	if (forced == SCALE_UNKNOWN) {
		recognise(rec);
	} else {
		s->mode = forced;
		s->mode_why = "as asked";
	}
	int r = curve_points(rec, err);
	if (r < 0)
		return r;
	judge_one_cpu(rec);
	s->verdict = verdict_of(rec);
	return fit(rec, err);
}
