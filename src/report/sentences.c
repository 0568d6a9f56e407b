/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words for outcomes, ends, verdicts and gates. */
#include "report/sentences.h"

#include <math.h>
#include <signal.h>
#include <string.h>

#include "base/own.h"
#include "record/words.h"
#include "report/format.h"

double sentence_half(double lo, double hi)
{
	return (hi - lo) / 2;
}

const char *sentence_run(const struct record *rec, double n)
{
	bool attached = rec->plan.verb && !strcmp(rec->plan.verb, "attach");
	return attached ? (n == 1 ? "window" : "windows") : (n == 1 ? "run" : "runs");
}

bool sentence_is_old(const struct record *rec)
{
	const char *design = rec->plan.design ? rec->plan.design : "";
	return !strcmp(design, "files") || !strcmp(design, "reported");
}

const char *sentence_unit(const struct record *rec, double n)
{
	const char *verb = rec->plan.verb ? rec->plan.verb : "";
	if (!strcmp(verb, "compare") && !sentence_is_old(rec))
		return n == 1 ? "pair" : "pairs";
	return sentence_run(rec, n);
}

static void add_signal(struct lt_buf *out, int sig)
{
	const char *name = sigabbrev_np(sig);
	lt_buf_addf(out, "signal %d", sig);
	if (name)
		lt_buf_addf(out, " (SIG%s)", name);
}

bool sentence_is_failure(const struct outcome *o)
{
	return !(o->notes & NOTE_GIVEN_UP) && o->kind != OUTCOME_WINDOW &&
		(o->kind != OUTCOME_EXIT || o->code != 0);
}

void sentence_outcome(const struct record *rec, const struct outcome *o, struct lt_buf *out)
{
	switch (o->kind) {
	case OUTCOME_EXIT:
		lt_buf_addf(out, "exit code %d", o->code);
		break;
	case OUTCOME_SIGNAL:
		add_signal(out, o->code);
		if (o->notes & NOTE_CORE)
			lt_buf_adds(out, ", core dumped");
		break;
	case OUTCOME_TIMEOUT:
		lt_buf_adds(out, "timed out");
		if (rec->plan.timeout_ns > 0)
			lt_buf_addf(
				out, " after %s", format_value("ns", rec->plan.timeout_ns, NAN).s);
		lt_buf_adds(out, o->notes & NOTE_ASLEEP ? ", it was asleep" : ", it was running");
		break;
	case OUTCOME_CANCELLED:
		lt_buf_adds(out, "cancelled");
		break;
	case OUTCOME_NOT_STARTED:
		lt_buf_addf(out, "could not be started: %s", strerror(o->code));
		break;
	case OUTCOME_WINDOW:
		lt_buf_adds(out, "still running");
		break;
	}
	if (o->talk && *o->talk)
		lt_buf_addf(out, "; its last words: %s", o->talk);
}

/* The half width of the primary metric as a share: what "precise" was about. */
static double primary_share(const struct record *rec)
{
	int metric = rec->plan.primary ? record_metric(rec, rec->plan.primary) : -1;
	const struct summary *s = metric >= 0 && rec->n_variants
		? record_summary(rec, 0, (unsigned)metric, false)
		: NULL;
	if (!s || !s->bounded || !(s->center.num > 0))
		return NAN;
	return sentence_half(s->lo, s->hi) / s->center.num;
}

static void stop_n(const struct record *rec, struct lt_buf *out)
{
	(void)rec;
	lt_buf_adds(out, "as many as asked for");
}

static void stop_precise(const struct record *rec, struct lt_buf *out)
{
	double share = primary_share(rec);
	lt_buf_addf(out, "stopped: %s known", rec->plan.primary ? rec->plan.primary : "it is");
	if (isfinite(share))
		lt_buf_addf(out, " to ±%s", format_percent(share).s);
	else
		lt_buf_adds(out, " well enough");
}

static void stop_budget(const struct record *rec, struct lt_buf *out)
{
	lt_buf_addf(out, "stopped: the time of %s is used up",
		format_value("ns", rec->plan.budget_ns, NAN).s);
}

static void stop_cap(const struct record *rec, struct lt_buf *out)
{
	lt_buf_addf(out, "stopped: no more than %s %s", format_count(rec->plan.n_max).s,
		sentence_unit(rec, rec->plan.n_max));
}

static void stop_decided(const struct record *rec, struct lt_buf *out)
{
	(void)rec;
	lt_buf_adds(out, "stopped: decided");
}

static void stop_signal(const struct record *rec, struct lt_buf *out)
{
	lt_buf_adds(out, "stopped by ");
	add_signal(out, rec->plan.stop_signal);
}

static void stop_failure(const struct record *rec, struct lt_buf *out)
{
	(void)rec;
	lt_buf_adds(out, "stopped at a failed run");
}

static const struct {
	const char *why;
	void (*say)(const struct record *rec, struct lt_buf *out);
} stops[] = {
	{ "n", stop_n },
	{ "precise", stop_precise },
	{ "budget", stop_budget },
	{ "cap", stop_cap },
	{ "decided", stop_decided },
	{ "signal", stop_signal },
	{ "failure", stop_failure },
};

void sentence_stop(const struct record *rec, struct lt_buf *out)
{
	const char *why = rec->plan.stopped;
	for (size_t i = 0; why && i < LT_COUNT(stops); i++)
		if (!strcmp(stops[i].why, why)) {
			stops[i].say(rec, out);
			return;
		}
	if (why)
		lt_buf_addf(out, "stopped: %s", why);
}

void sentence_partial(const struct record *rec, struct lt_buf *out)
{
	const char *why = rec->plan.stopped ? rec->plan.stopped : "";
	lt_buf_adds(out, "PARTIAL: ");
	if (!strcmp(why, "signal") || !strcmp(why, "failure"))
		sentence_stop(rec, out);
	else
		lt_buf_adds(out, "ended");
	lt_buf_adds(out, " before the plan was done");
	if (rec->n_trials)
		lt_buf_adds(out, "; this is what was measured until then");
}

void sentence_metric(const struct metric *metric, struct lt_buf *out)
{
	bool time = !strcmp(metric->unit, "ns") && !strstr(metric->name, "time");
	lt_buf_addf(out, "%s%s", metric->name, time ? " time" : "");
}

static void add_ratio(const struct record *rec, const struct comparison *c, struct lt_buf *out)
{
	if (c->ratio.state == VALUE_UNAVAILABLE) {
		lt_buf_addf(out, "ratio n/a (%s)", c->ratio.reason ? c->ratio.reason : "not known");
		return;
	}
	double ratio = c->ratio.num;
	bool bounded = record_ratio_bounded(c);
	double lo = bounded ? c->lo : NAN, hi = bounded ? c->hi : NAN;
	lt_buf_addf(out, "%s x the ", format_ratio(ratio, lo, hi).s);
	sentence_metric(&rec->metrics[c->metric], out);
	if (bounded)
		lt_buf_addf(out, " (%s)", format_ratio_range(ratio, lo, hi).s);
	if (ratio == 1)
		lt_buf_adds(out, ", equal");
	else
		lt_buf_addf(out, ", %s %s", format_percent(fabs(ratio - 1)).s,
			ratio < 1 ? "less" : "more");
}

void sentence_verdict(const struct record *rec, const struct comparison *c, struct lt_buf *out)
{
	const struct metric *metric = &rec->metrics[c->metric];
	const char *a = rec->variants[c->a].name, *b = rec->variants[c->b].name;
	const char *word = record_verdict_word(metric, c->verdict);
	switch (c->verdict) {
	case VERDICT_LOWER:
	case VERDICT_HIGHER: {
		bool time = strcmp(word, "less") != 0 && strcmp(word, "more") != 0;
		if (time)
			lt_buf_addf(out, "%s is %s than %s: ", b, word, a);
		else
			lt_buf_addf(out, "%s has %s %s than %s: ", b, word, metric->name, a);
		break;
	}
	case VERDICT_SAME:
		lt_buf_addf(out, "%s and %s are the same within ±%s: ", b, a,
			format_percent(rec->plan.same).s);
		break;
	case VERDICT_TOO_FEW:
		lt_buf_addf(out, "too few %s for a verdict on %s and %s: %zu; so far ",
			sentence_unit(rec, 2), b, a, c->n);
		break;
	case VERDICT_UNDECIDED:
		lt_buf_addf(out, "undecided, no difference between %s and %s is proved: ", b, a);
		break;
	}
	add_ratio(rec, c, out);
	if (c->diff.state == VALUE_UNAVAILABLE)
		return;
	double half = record_diff_bounded(c) ? sentence_half(c->diff_lo, c->diff_hi) : NAN;
	lt_buf_addf(out, ", %s", format_change(metric->unit, c->diff.num, half).s);
	if (record_diff_bounded(c))
		lt_buf_addf(out, " (%s)",
			format_range(metric->unit, c->diff.num, half, c->diff_lo, c->diff_hi).s);
}

void sentence_basis(const struct record *rec, const struct comparison *c, struct lt_buf *out)
{
	const char *design = rec->plan.design ? rec->plan.design : "";
	if (c->what && (record_ratio_bounded(c) || record_diff_bounded(c)))
		lt_buf_addf(out, "in brackets: %s; ", c->what);
	if (!strcmp(design, "reported"))
		lt_buf_addf(out, "judged from reported figures of %zu and %zu runs", c->n, c->m);
	else if (!c->interleaved)
		lt_buf_addf(out,
			"%s%zu runs against %zu of another time, and what changed between them is "
			"in the result",
			c->what && strstr(c->what, "not interleaved") ? "" : "not interleaved: ",
			c->m, c->n);
	else
		lt_buf_addf(out, "%zu %s in random order, seed %llu", c->n,
			c->n == 1 ? "pair" : "pairs", (unsigned long long)rec->plan.seed);
	if (isfinite(c->p))
		lt_buf_addf(out, "; %s", format_p(c->p).s);
}

void sentence_provable(const struct comparison *c, struct lt_buf *out)
{
	const char *unit = c->interleaved ? "pairs" : "runs a side";
	bool shown = c->verdict == VERDICT_LOWER || c->verdict == VERDICT_HIGHER;
	if (isfinite(c->provable) && c->provable > 0) {
		if (shown)
			lt_buf_addf(out, "Smallest difference provable with as many %s: %s.", unit,
				format_percent(c->provable).s);
		else
			lt_buf_addf(out,
				"A difference of %s or more would have been seen with 90 %% "
				"chance.",
				format_percent(c->provable).s);
	}
	if (c->plan_effect > 0 && c->plan_runs > 0)
		lt_buf_addf(out, "%sTo prove %s takes about %s %s.", out->len ? " " : "",
			format_percent(c->plan_effect).s, format_count(ceil(c->plan_runs)).s, unit);
}

void sentence_gate(const struct record *rec, const struct gate *g, struct lt_buf *out)
{
	lt_buf_addf(out, "gate %s", g->text && *g->text ? g->text : rec->metrics[g->metric].name);
	if (rec->n_variants > 2)
		lt_buf_addf(out, " for %s", rec->variants[g->b].name);
	lt_buf_adds(out,
		g->violated          ? ": violated"
			: g->decided ? ": passed"
				     : ": not proved either way, so it does not fail");
	const struct comparison *c = record_comparison(rec, g->b, g->metric);
	if (!c || c->ratio.state == VALUE_UNAVAILABLE)
		return;
	bool bounded = record_ratio_bounded(c);
	double lo = bounded ? c->lo : NAN, hi = bounded ? c->hi : NAN, ratio = c->ratio.num;
	lt_buf_addf(out, "; %s x", format_ratio(ratio, lo, hi).s);
	if (bounded)
		lt_buf_addf(out, " (%s)", format_ratio_range(ratio, lo, hi).s);
}
