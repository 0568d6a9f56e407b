/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts about an experiment that its reader must know, as ids and numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/analysis.h"
#include "run/trial.h"
#include "stats/desc.h"

enum {
	RUNS_MIN = 20, /* fewer show no order among themselves */
};

int analysis_found(struct record *rec, const char *id, enum severity severity, int variant,
	double a, double b, const char *name, struct lt_err *err)
{
	struct finding *f = record_add_finding(rec);
	if (!f)
		return lt_fail_mem(err);
	f->id = id;
	f->severity = severity;
	f->variant = variant;
	f->num[0] = a;
	f->num[1] = b;
	f->name = name;
	return 0;
}

struct tally {
	unsigned trials, failed, core, left_trials, left_max, daemon, group, closed, unmatched;
	unsigned reads_stdin;
	double flood; /* most bytes drained */
	const char *left_name;
};

static void count(struct tally *c, const struct trial *t, bool matching, const char *success)
{
	const struct outcome *o = &t->outcome;
	c->trials++;
	c->failed += !t->kept && !t->warmup && !trial_succeeded(o, success) &&
		o->kind != OUTCOME_CANCELLED && o->kind != OUTCOME_WINDOW &&
		!(o->notes & NOTE_GIVEN_UP);
	c->core += (o->notes & NOTE_CORE) != 0;
	c->daemon += (o->notes & NOTE_DAEMON) != 0;
	c->group += (o->notes & NOTE_NEW_GROUP) != 0;
	c->closed += (o->notes & NOTE_CLOSED_OUTPUT) != 0;
	c->reads_stdin += (o->notes & NOTE_READS_STDIN) != 0;
	c->unmatched += matching && t->kept && !t->evidence && !(t->work > 0);
	if (o->out_bytes > c->flood)
		c->flood = o->out_bytes;
	if (o->left > 0) {
		c->left_trials++;
		if (o->left > c->left_max) {
			c->left_max = o->left;
			c->left_name = o->left_name;
		}
	}
}

static const double flood_bytes = 1e9;

int analysis_outcomes(struct record *rec, const struct run_opts *opts, int v, struct lt_err *err)
{
	struct tally c = { 0 };
	for (size_t i = 0; i < rec->n_trials; i++)
		if ((int)rec->trials[i].variant == v)
			count(&c, &rec->trials[i], opts->work_from != NULL, opts->success);
	int wchar = record_metric(rec, "write-chars");
	const struct summary *wrote =
		wchar >= 0 ? record_summary(rec, (unsigned)v, (unsigned)wchar, false) : NULL;
	if (wrote && wrote->n > 0 && wrote->center.num > c.flood)
		c.flood = wrote->center.num;
	const struct {
		const char *id;
		enum severity severity;
		bool holds;
		double a, b;
		const char *name;
	} facts[] = {
		{ "failed-runs", SEVERITY_ERROR, c.failed > 0, c.failed, c.trials, NULL },
		{ "core-dump", SEVERITY_WARNING, c.core > 0, c.core, 0, NULL },
		{ "daemon", SEVERITY_WARNING, c.daemon > 0, c.daemon, c.left_max, c.left_name },
		{ "left-children", SEVERITY_WARNING, c.left_trials > 0 && c.daemon == 0,
			c.left_trials, c.left_max, c.left_name },
		{ "cpu-incomplete", SEVERITY_WARNING,
			c.left_trials > 0 && record_metric(rec, "cpu") >= 0, c.left_max, 0, NULL },
		{ "new-group", SEVERITY_INFO, c.group > 0, c.group, 0, NULL },
		{ "closed-output", SEVERITY_INFO, c.closed > 0, c.closed, 0, NULL },
		{ "reads-stdin", SEVERITY_WARNING, c.reads_stdin > 0, c.reads_stdin, 0, NULL },
		{ "output-flood", SEVERITY_INFO, c.flood > flood_bytes, c.flood, 0, NULL },
		{ "work-missing", SEVERITY_WARNING, c.unmatched > 0, c.unmatched, 0,
			opts->work_from },
	};
	for (size_t i = 0; i < LT_COUNT(facts); i++) {
		const char *name =
			facts[i].name ? lt_arena_strdup(&rec->arena, facts[i].name) : NULL;
		int r = facts[i].holds ? analysis_found(rec, facts[i].id, facts[i].severity, v,
						 facts[i].a, facts[i].b, name, err)
				       : 0;
		if (r < 0)
			return r;
	}
	return 0;
}

/* The centre of a metric, or NAN. */
static double center(const struct record *rec, int v, const char *metric)
{
	int m = record_metric(rec, metric);
	const struct summary *s =
		m >= 0 ? record_summary(rec, (unsigned)v, (unsigned)m, false) : NULL;
	return s && s->n > 0 ? s->center.num : NAN;
}

static int about_noise(struct record *rec, int v, struct lt_err *err)
{
	double wall = center(rec, v, "wall"), cpu = center(rec, v, "cpu");
	double wait = center(rec, v, "wait"), steal = center(rec, v, "steal");
	double cpus = rec->machine.cpus_online;
	int r = 0;
	if (cpu / wall < 0.1 && wall > 50e6)
		r = analysis_found(
			rec, "mostly-waiting", SEVERITY_INFO, v, cpu / wall, 0, NULL, err);
	if (r >= 0 && wait / wall > 0.02)
		r = analysis_found(
			rec, "waited-for-cpu", SEVERITY_WARNING, v, wait / wall, 0, NULL, err);
	if (r >= 0 && steal / (wall * cpus) > 0.02)
		r = analysis_found(
			rec, "steal", SEVERITY_WARNING, v, steal / (wall * cpus), 0, NULL, err);
	return r;
}

/* One program alone: is there a trend, and is the interval as narrow as asked? */
static int about_alone(struct record *rec, const struct run_opts *opts, int v, struct lt_err *err)
{
	int primary = analysis_primary(rec), r = 0;
	const struct summary *s =
		primary < 0 ? NULL : record_summary(rec, (unsigned)v, (unsigned)primary, false);
	if (!s || !s->bounded)
		return 0;
	LT_AUTO_FREE double *x = malloc((rec->n_trials + 1) * sizeof(*x));
	if (!x)
		return lt_fail_mem(err);
	size_t n = record_values(rec, (unsigned)v, (unsigned)primary, false, x);
	if (n >= RUNS_MIN) {
		double first = stats_median(x, n / 2), last = stats_median(x + n / 2, n - n / 2);
		if (fabs(last - first) > 2 * (s->hi - s->lo))
			r = analysis_found(
				rec, "drift", SEVERITY_WARNING, v, last / first - 1, 0, NULL, err);
	}
	if (r >= 0 && opts->design == RUN_PRECISION && s->center.num > 0) {
		double half = fmax(s->hi - s->center.num, s->center.num - s->lo) / s->center.num;
		if (half > opts->precision)
			r = analysis_found(rec, "not-precise", SEVERITY_INFO, v, half,
				opts->precision, NULL, err);
	}
	return r;
}

/* A program whose output goes nowhere may do less, and does not show that it does. */
static int about_stdout(struct record *rec, const struct run_opts *opts, struct lt_err *err)
{
	if (opts->stdout_mode != RUN_STDOUT_NULL || opts->pty || opts->attach)
		return 0;
	return analysis_found(rec, "stdout-null", SEVERITY_INFO, -1, 0, 0, NULL, err);
}

/* The program against itself. One false alarm in a hundred, not in twenty: being called unfit
 * is no small thing. */
static int about_aa(struct record *rec, const struct comparison *c, double same, struct lt_err *err)
{
	if (c->p < 0.01) {
		struct finding *f = record_add_finding(rec);
		if (!f)
			return lt_fail_mem(err);
		*f = (struct finding){ .id = "aa-unfit",
			.severity = SEVERITY_ERROR,
			.variant = -1,
			.num = { c->ratio.num, c->lo, c->hi },
			.share = NAN };
		return 0;
	}
	if (c->provable > same)
		return analysis_found(
			rec, "aa-blunt", SEVERITY_WARNING, -1, c->provable, same, NULL, err);
	return analysis_found(rec, "aa-fit", SEVERITY_INFO, -1, c->provable, 0, NULL, err);
}

static int about_comparison(struct record *rec, const struct comparison *c, struct lt_err *err)
{
	int r = 0, b = (int)c->b;
	bool differs = c->verdict == VERDICT_LOWER || c->verdict == VERDICT_HIGHER;
	if (differs && fabs(c->ratio.num - 1) < 0.01)
		r = analysis_found(rec, "layout-not-excluded", SEVERITY_INFO, b,
			fabs(c->ratio.num - 1), 0, NULL, err);
	double limit = 2 / sqrt((double)c->n);
	if (r >= 0 && c->n >= RUNS_MIN && c->lag1 > limit)
		r = analysis_found(
			rec, "autocorrelation", SEVERITY_WARNING, b, c->lag1, limit, NULL, err);
	if (r >= 0 && c->verdict == VERDICT_TOO_FEW && c->interleaved)
		/* The least n for which even n of n the same way are rare enough: 2 / 2^n. */
		r = analysis_found(rec, "few-runs", SEVERITY_INFO, b, (double)c->n,
			ceil(1 - log2(1 - c->level)), NULL, err);
	return r;
}

int analysis_findings(struct record *rec, const struct run_opts *opts, struct lt_err *err)
{
	double cpus = rec->machine.cpus_online, load = rec->machine.load_before;
	double same = opts->same > 0 ? opts->same : 0.01;
	bool alone = opts->design != RUN_SEQUENCE && rec->n_variants == 1;
	int r = about_stdout(rec, opts, err);
	if (r >= 0 && load >= 0 && load > 0.5 * cpus)
		r = analysis_found(
			rec, "busy-machine", SEVERITY_WARNING, -1, load, cpus, NULL, err);
	for (unsigned v = 0; v < rec->n_variants && r >= 0; v++) {
		if (rec->variants[v].aa)
			continue;
		r = analysis_outcomes(rec, opts, (int)v, err);
		if (r >= 0)
			r = about_noise(rec, (int)v, err);
		if (r >= 0 && alone)
			r = about_alone(rec, opts, (int)v, err);
	}
	for (size_t i = 0; i < rec->n_comparisons && r >= 0; i++) {
		const struct comparison *c = &rec->comparisons[i];
		if (c->primary)
			r = c->aa ? about_aa(rec, c, same, err) : about_comparison(rec, c, err);
	}
	return r;
}
