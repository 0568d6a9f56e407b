/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words for sweeps. */
#include "report/scale_sentences.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/own.h"
#include "record/words.h"
#include "report/format.h"
#include "report/page.h"
#include "report/sentences.h"

static const struct curve_point *point_at(const struct record *rec, int variant)
{
	return variant < 0 ? NULL : record_point(rec, (unsigned)variant);
}

static void add_ratio(const struct estimate *e, struct lt_buf *out)
{
	lt_buf_addf(out, "%s x", format_ratio(e->value.num, e->lo, e->hi).s);
}

static void add_interval(const struct estimate *e, struct lt_buf *out)
{
	if (estimate_bounded(e))
		lt_buf_addf(out, " (%s)", format_ratio_range(e->value.num, e->lo, e->hi).s);
}

static const char *threads_noun(unsigned n)
{
	return n == 1 ? "thread" : "threads";
}

static const char *cpus_text(double cpus, char *text, size_t size)
{
	snprintf(text, size, "%.3g CPU%s", cpus, cpus == 1 ? "" : "s");
	return text;
}

/* "2 threads are 1.31 x as fast as one (1.28 .. 1.33)" */
static void add_speed(const struct record *rec, const struct curve_point *p, struct lt_buf *out)
{
	const struct curve_point *base = point_at(rec, rec->scaling->baseline);
	bool weak = rec->scaling->mode == SCALE_WEAK || value_known(p->rate.value);
	lt_buf_addf(out, "%u %s %s ", p->threads, threads_noun(p->threads), weak ? "get" : "are");
	add_ratio(&p->speedup, out);
	lt_buf_adds(out, weak ? " as much done as " : " as fast as ");
	if (!base || base->threads == 1)
		lt_buf_adds(out, "one");
	else
		lt_buf_addf(out, "%u", base->threads);
	add_interval(&p->speedup, out);
}

static void verdict_on_factor(const struct record *rec, struct lt_buf *out)
{
	const struct curve_point *best = NULL;
	for (size_t i = 0; i < rec->n_curve; i++) {
		const struct curve_point *p = &rec->curve[i];
		if (!p->remedy && value_known(p->wall_ns.value) &&
			(!best || p->wall_ns.value.num < best->wall_ns.value.num))
			best = p;
	}
	if (!best) {
		lt_buf_adds(out, "no run counts, so nothing can be said");
		return;
	}
	int wall = record_metric(rec, "wall");
	const struct comparison *c =
		wall < 0 ? NULL : record_comparison(rec, best->variant, (unsigned)wall);
	const char *name = rec->variants[best->variant].name;
	if (best->variant == 0 || !c)
		lt_buf_addf(out, "fastest: %s, the first level", name);
	else if (c->verdict == VERDICT_LOWER)
		lt_buf_addf(out, "fastest: %s, %s x the time of the first level (%s), proved", name,
			format_ratio(c->ratio.num, c->lo, c->hi).s,
			format_ratio_range(c->ratio.num, c->lo, c->hi).s);
	else
		lt_buf_addf(out,
			"fastest by its mean: %s, but no difference to the first level is proved",
			name);
}

void scale_verdict(const struct record *rec, struct lt_buf *out)
{
	const struct scaling *s = rec->scaling;
	const struct curve_point *p = point_at(rec, s->focus);
	char cpus[32];
	if (record_factor(rec, "threads") < 0) {
		verdict_on_factor(rec, out);
		return;
	}
	if (s->busy) {
		lt_buf_addf(out,
			"undecided: the machine is busy, it gave %.2g of %s for computing, so that "
			"threads did not really run together; try again when it is quiet, or judge "
			"all the same with --even-busy",
			s->check.given, cpus_text(s->check.asked, cpus, sizeof(cpus)));
		return;
	}
	if (!p || !value_known(p->speedup.value) || s->focus == s->baseline) {
		lt_buf_adds(out,
			s->baseline < 0 ? "no run succeeded, so nothing can be said"
					: "undecided: there is but one point to go by");
		return;
	}
	static const char *const words[] = {
		[SCALE_UNDECIDED] = "may scale, a longer --budget would tell: ",
		[SCALE_SCALES] = "scales: ",
		[SCALE_LIMITED] = "scales in part: ",
		[SCALE_FLAT] = "does not scale: ",
		[SCALE_SLOWER] = "gets slower with threads: ",
	};
	lt_buf_adds(out, words[s->verdict]);
	add_speed(rec, p, out);
	double cores = fmin(p->threads, s->cpus);
	if (s->verdict != SCALE_SLOWER)
		lt_buf_addf(out, ", %s of what %s can give",
			format_percent(p->efficiency.value.num).s,
			cpus_text(cores, cpus, sizeof(cpus)));
}

void scale_basis(const struct record *rec, struct lt_buf *out)
{
	const struct scaling *s = rec->scaling;
	bool bounded = false;
	size_t rounds = 0;
	for (size_t i = 0; i < rec->n_curve; i++) {
		bounded = bounded || estimate_bounded(&rec->curve[i].wall_ns);
		if (rec->curve[i].n > rounds)
			rounds = rec->curve[i].n;
	}
	lt_buf_addf(out, "%zu %s in random order, seed %llu", rounds,
		rounds == 1 ? "round" : "rounds", (unsigned long long)rec->plan.seed);
	if (s->mode != SCALE_UNKNOWN && s->mode_why)
		lt_buf_addf(out, "; %s, by %s",
			s->mode == SCALE_STRONG ? "the same work for any number of threads (strong)"
						: "each thread brings its own work (weak)",
			s->mode_why);
	if (s->mode == SCALE_UNKNOWN && s->baseline >= 0 && s->focus != s->baseline)
		lt_buf_addf(out,
			"; whether more threads share the work or bring more of it is not clear "
			"from %s: --strong or --weak says so",
			s->mode_why ? s->mode_why : "its numbers");
	if (bounded)
		lt_buf_adds(out, "; in brackets: 95 % t interval, scatter pooled over the points");
	if (s->check.failed)
		lt_buf_addf(out, "; the machine was busy at %u of %u looks", s->check.failed,
			s->check.checks);
}

void scale_factor(const struct factor *f, struct lt_buf *out)
{
	if (f->how != FACTOR_ENVIRONMENT)
		return;
	const char *names = f->variables ? f->variables : "variables";
	size_t shown = 0, more = 0;
	for (const char *c = names; *c; c++) {
		bool parting = *c == ',';
		more += parting && shown > 0;
		if (parting && !shown)
			shown = (size_t)(c - names);
	}
	lt_buf_addf(out, "the command has no {%s}: %.*s", f->name,
		(int)(shown ? shown : strlen(names)), names);
	if (more || shown)
		lt_buf_addf(out, " and %zu more variable%s", more + 1, more ? "s" : "");
	lt_buf_adds(out, " carried it");
	if (f->pinned)
		lt_buf_adds(out, ", and the number of CPUs that it may use");
}

static void add_serial(const struct scaling *s, struct lt_buf *out)
{
	double serial = s->serial.value.num;
	if (serial > 1) {
		lt_buf_adds(out, "each further thread costs more than it brings");
		return;
	}
	if (serial <= 0) {
		lt_buf_adds(out, "no serial share is to be seen");
		return;
	}
	lt_buf_addf(out, "as if %s of it were serial (Karp and Flatt", format_percent(serial).s);
	if (isfinite(s->serial.lo) && isfinite(s->serial.hi))
		lt_buf_addf(out, ", %s .. %s", format_percent(fmax(0, s->serial.lo)).s,
			format_percent(s->serial.hi).s);
	lt_buf_adds(out, ")");
	if (serial >= 0.02)
		lt_buf_addf(
			out, ": then no number of threads would give more than %.2g x", 1 / serial);
}

void scale_law(const struct record *rec, struct lt_buf *out)
{
	const struct scaling *s = rec->scaling;
	if (s->law == SCALE_LAW_KARP_FLATT) {
		add_serial(s, out);
		return;
	}
	if (s->law == SCALE_LAW_NONE) {
		lt_buf_addf(
			out, "no law fitted: %s", s->law_why ? s->law_why : "reason not recorded");
		return;
	}
	lt_buf_addf(out, "universal scalability law: contention %s",
		format_ratio(s->sigma.value.num, s->sigma.lo, s->sigma.hi).s);
	add_interval(&s->sigma, out);
	lt_buf_addf(out, ", coherency %s",
		format_ratio(s->kappa.value.num, s->kappa.lo, s->kappa.hi).s);
	add_interval(&s->kappa, out);
	if (value_known(s->best_cpus))
		lt_buf_addf(out, "; best at %.0f threads", s->best_cpus.num);
	if (value_known(s->most))
		lt_buf_addf(out, "; never more than %.3g x", s->most.num);
}

void scale_one_cpu(const struct record *rec, struct lt_buf *out)
{
	const struct one_cpu *one = &rec->scaling->one_cpu;
	const struct curve_point *p = point_at(rec, rec->scaling->focus);
	if (one->variant < 0 || !p)
		return;
	if (!value_known(one->ratio.value)) {
		lt_buf_addf(out, "on one CPU the same %u thread%s: %s", p->threads,
			format_plural(p->threads, "thread", 6),
			one->ratio.value.reason ? one->ratio.value.reason : "n/a");
		return;
	}
	lt_buf_addf(out, "on one CPU the same %u thread%s take%s ", p->threads,
		format_plural(p->threads, "thread", 6), p->threads == 1 ? "s" : "");
	add_ratio(&one->ratio, out);
	lt_buf_adds(out, " the time");
	add_interval(&one->ratio, out);
	if (one->ratio.value.num < 0.8)
		lt_buf_adds(out, ": they are in each other's way");
	else if (one->ratio.value.num < 1.2)
		lt_buf_adds(out, ": the other CPUs bring nothing");
}

struct format scale_time(const struct time_ledger *l, double ns)
{
	static const struct {
		double up_to, div;
		const char *unit;
		int decimals;
	} scales[] = { { 1e8, 1e6, "ms", 1 }, { 1e10, 1e6, "ms", 0 }, { 1e12, 1e9, "s", 1 },
		{ INFINITY, 1e9, "s", 0 } };
	double all = l->cores * l->wall_ns;
	size_t i = 0;
	while (all >= scales[i].up_to && i + 1 < LT_COUNT(scales))
		i++;
	double x = ns / scales[i].div;
	double step = pow(10, -scales[i].decimals);
	if (fabs(x) < step / 2)
		x = 0;
	struct format f = { "" };
	snprintf(f.s, sizeof(f.s), "%.*f" PAGE_TIE "%s", scales[i].decimals, x, scales[i].unit);
	return f;
}

void scale_loss(const struct record *rec, struct lt_buf *out)
{
	const struct time_ledger *l = rec->ledger;
	double all = l->cores * l->wall_ns;
	lt_buf_addf(out, "at %u %s %s of %s core time were lost", l->threads,
		threads_noun(l->threads), scale_time(l, l->lost_ns).s, scale_time(l, all).s);
	if (!(fabs(l->lost_ns) > 0.01 * all))
		return;
	lt_buf_addf(out, ": %s more user CPU, %s more system CPU, %s idle cores",
		scale_time(l, l->user_ns).s, scale_time(l, l->system_ns).s,
		scale_time(l, l->idle_ns).s);
}

void scale_used(const struct record *rec, struct lt_buf *out)
{
	const struct time_ledger *l = rec->ledger;
	double all = 0;
	for (size_t i = 0; i < l->n_used; i++)
		all += l->used[i].ns;
	if (!(all > 0))
		return;
	lt_buf_adds(out, "cores in use:");
	for (size_t i = 0; i < l->n_used; i++)
		if (l->used[i].ns >= 0.0005 * all || l->used[i].cores <= l->cores)
			lt_buf_addf(out, "%s %u for %s", i ? "," : "", l->used[i].cores,
				format_percent(l->used[i].ns / all).s);
	lt_buf_adds(out, " of the time");
}

static const struct {
	const char *op, *what;
} ops[] = {
	{ "user", "computing" },
	{ "lock", "waiting for a lock" },
	{ "barrier", "waiting at a barrier" },
	{ "condition", "waiting for a condition" },
	{ "join", "waiting for threads to end" },
	{ "wake", "waking others" },
	{ "yield", "giving the CPU away" },
	{ "runqueue", "waiting for a CPU" },
	{ "read", "waiting for input" },
	{ "write", "waiting to write" },
	{ "poll", "waiting for events" },
	{ "sleep", "sleeping" },
	{ "child", "waiting for a child" },
	{ "disk", "waiting for the disk" },
	{ "page-fault", "page faults" },
	{ "memory-map", "changing the memory map" },
	{ "clone", "starting, ending threads" },
	{ "signal", "waiting for a signal" },
	{ "kernel", "in the kernel" },
	{ "alone", "one thread running alone" },
	{ "saved", "less than with one thread" },
};

void scale_line_what(const struct ledger_line *line, struct lt_buf *out)
{
	const char *op = line->op ? line->op : "?";
	if (line->part == LEDGER_IDLE && (!strcmp(op, "page-fault") || !strcmp(op, "memory-map"))) {
		lt_buf_adds(out, "waiting for the memory map");
		return;
	}
	for (size_t i = 0; i < LT_COUNT(ops); i++)
		if (!strcmp(ops[i].op, op)) {
			lt_buf_adds(out, ops[i].what);
			return;
		}
	lt_buf_addf(out, "in %s", op);
}

static void add_code(const char *function, const char *object, const char *file, unsigned line,
	struct lt_buf *out)
{
	const char *base = file && strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
	if (function)
		lt_buf_adds(out, function);
	if (base && line)
		lt_buf_addf(
			out, "%s%s:%u%s", function ? " (" : "", base, line, function ? ")" : "");
	else if (object)
		lt_buf_addf(out, "%s%s%s", function ? " (" : "", object, function ? ")" : "");
}

void scale_line_where(const struct ledger_line *line, struct lt_buf *out)
{
	add_code(line->function, line->object, line->file, line->line, out);
}

bool scale_is_cause(const struct finding *f)
{
	return f->confidence != CONFIDENCE_FACT || isfinite(f->share);
}

void scale_cause(const struct record *rec, const struct finding *f, struct lt_buf *out)
{
	lt_buf_addf(out, "%s", f->id);
	if (isfinite(f->share))
		lt_buf_addf(out, ", %s of the loss", format_percent(f->share).s);
	if (f->confidence != CONFIDENCE_FACT)
		lt_buf_addf(out, ", confidence %s",
			record_word(&record_confidence_words, f->confidence));
	lt_buf_adds(out, ": ");
	struct finding of_focus = *f; /* which variant goes without saying */
	of_focus.variant = -1;
	sentence_finding(rec, &of_focus, out);
}

void scale_place(const struct finding_place *p, struct lt_buf *out)
{
	size_t before = out->len;
	add_code(p->function, p->object, p->file, p->line, out);
	if (p->data)
		lt_buf_addf(out, "%s%s", out->len > before ? ", " : "", p->data);
	if (isfinite(p->offset))
		lt_buf_addf(out, "%s%s%.0f",
			p->data                     ? "+"
				: out->len > before ? ", "
						    : "",
			p->data ? "" : "offset ", p->offset);
	if (p->thread)
		lt_buf_addf(out, "%s%s", out->len > before ? ", in " : "", p->thread);
}

bool scale_is_control(const struct remedy_result *r)
{
	return !strcmp(r->name, "null");
}

const char *scale_remedy_word(const struct remedy_result *r)
{
	if (scale_is_control(r) && r->verdict == REMEDY_NO_HELP)
		return "control";
	switch (r->verdict) {
	case REMEDY_NOT_TRIED:
		return "not tried";
	case REMEDY_IGNORED:
		return "ignored";
	case REMEDY_BROKEN:
		return "broke it";
	case REMEDY_DROPPED:
		return "dropped";
	case REMEDY_NO_HELP:
		return "no help";
	case REMEDY_WORSE:
		return "slower";
	case REMEDY_HELPS:
		return "helps";
	}
	return "?";
}

void scale_remedies(const struct record *rec, struct lt_buf *out)
{
	const struct remedy_result *best = NULL, *hope = NULL;
	size_t tried = 0, left = 0;
	const char *why = NULL;
	for (size_t i = 0; i < rec->n_remedies; i++) {
		const struct remedy_result *r = &rec->remedies[i];
		if (r->verdict == REMEDY_NOT_TRIED && !scale_is_control(r)) {
			left++;
			why = r->reason;
		}
		tried += r->verdict != REMEDY_NOT_TRIED && !scale_is_control(r);
		if (r->best)
			best = r;
		if (r->verdict == REMEDY_DROPPED && value_known(r->ratio.value) &&
			r->ratio.value.num > (hope ? hope->ratio.value.num : 1.5))
			hope = r;
	}
	if (best) {
		lt_buf_addf(out, "%s helps: ", best->name);
		add_ratio(&best->ratio, out);
		lt_buf_adds(out, " as fast");
		add_interval(&best->ratio, out);
		if (isfinite(best->p_holm))
			lt_buf_addf(out, ", %s, %zu pairs", format_p(best->p_holm).s, best->n);
		return;
	}
	if (hope) {
		lt_buf_addf(out, "nothing is proved; %s was ", hope->name);
		add_ratio(&hope->ratio, out);
		lt_buf_adds(out, " as fast when it was run once");
	} else if (tried)
		lt_buf_addf(out, "no remedy helps: %zu tried", tried);
	else if (left)
		lt_buf_addf(out, "not known: of the %zu that may help none was tried%s%s", left,
			why ? ": " : "", why ? why : "");
	else
		lt_buf_adds(out,
			"nothing that can be changed in how it is started; the usual change in the "
			"program is above");
}
