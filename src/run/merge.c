/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Building one record from several. Texts are copied: the result owns all it holds. */
#include "run/merge.h"

#include <math.h>
#include <string.h>

#include "record/program.h"
#include "run/analysis.h"

/* A copy that failed is NULL and remembered by the arena: who has copied asks it. */
static const char *copy(struct record *to, const char *text)
{
	return text ? lt_arena_strdup(&to->arena, text) : NULL;
}

static bool shared_by_all(struct record *const *recs, size_t n, const struct metric *metric)
{
	for (size_t i = 1; i < n; i++) {
		int at = record_metric(recs[i], metric->name);
		if (at < 0 || strcmp(recs[i]->metrics[at].unit, metric->unit))
			return false;
	}
	return true;
}

static int take_metrics(struct record *to, struct record *const *recs, size_t n, struct lt_err *err)
{
	const struct record *first = recs[0];
	to->metrics = lt_arena_alloc(&to->arena, (first->n_metrics + 1) * sizeof(*to->metrics));
	if (!to->metrics)
		return lt_fail_mem(err);
	for (size_t i = 0; i < first->n_metrics; i++) {
		if (!shared_by_all(recs, n, &first->metrics[i]))
			continue;
		struct metric *m = &to->metrics[to->n_metrics++];
		*m = first->metrics[i];
		m->name = copy(to, m->name);
		m->unit = copy(to, m->unit);
		m->what = copy(to, m->what);
		m->scope = copy(to, m->scope);
		m->source = copy(to, m->source);
	}
	if (to->arena.failed)
		return lt_fail_mem(err);
	return to->n_metrics ? 0
			     : lt_fail(err, -ENODATA, "LT-MERGE", "the records share no metric");
}

/* The kept trials of one variant. */
static int take_trials(struct record *to, const struct record *from, unsigned from_variant,
	unsigned variant, struct lt_err *err)
{
	size_t kept = 0;
	for (size_t i = 0; i < from->n_trials; i++) {
		const struct trial *t = &from->trials[i];
		if (t->variant != from_variant || !t->kept)
			continue;
		kept++;
		struct trial *own = record_add_trial(to);
		if (!own)
			return lt_fail_mem(err);
		struct value *readings = own->readings;
		*own = *t;
		own->readings = readings;
		own->variant = variant;
		own->block = own->order = (unsigned)to->n_trials - 1;
		own->outcome.left_name = copy(to, t->outcome.left_name);
		own->outcome.talk = copy(to, t->outcome.talk);
		for (size_t m = 0; m < to->n_metrics; m++) {
			int at = record_metric(from, to->metrics[m].name);
			readings[m] = t->readings[at];
			readings[m].reason = copy(to, readings[m].reason);
			readings[m].hint = copy(to, readings[m].hint);
		}
	}
	if (to->arena.failed)
		return lt_fail_mem(err);
	return kept ? 0
		    : lt_fail(err, -ENODATA, "LT-MERGE", "'%.200s' holds no run that counts",
			      to->variants[variant].name);
}

/* Named after its file, and after itself where the file holds several. */
static int take_variant(struct record *to, const struct record *from, unsigned v, const char *file,
	struct lt_err *err)
{
	size_t others = 0;
	for (size_t i = 0; i < from->n_variants; i++)
		others += i != v && !from->variants[i].aa;
	const char *name = others
		? lt_arena_printf(&to->arena, "%s: %s", file, from->variants[v].name)
		: copy(to, file);
	unsigned at = (unsigned)to->n_variants;
	if (name && record_variant(to, name) >= 0)
		name = lt_arena_printf(&to->arena, "%s (%u)", name, at + 1);
	to->variants[at] =
		(struct variant){ .name = name, .command = copy(to, from->variants[v].command) };
	if (to->arena.failed)
		return lt_fail_mem(err);
	to->n_variants++;
	int r = take_trials(to, from, v, at, err);
	return r < 0 ? r : record_copy_parts(to, at, from, v, err);
}

/* Runs under other conditions are no fair comparison, however many there are. */
static int note_conditions(
	struct record *to, struct record *const *recs, size_t n, struct lt_err *err)
{
	const struct record *first = recs[0];
	const char *what = NULL, *one = NULL, *other = NULL;
	for (size_t i = 1; i < n && !what; i++) {
		const struct {
			const char *what, *one, *other;
		} conditions[] = {
			{ "stdout", first->plan.stdout_mode, recs[i]->plan.stdout_mode },
			{ "stdin", first->plan.stdin_mode, recs[i]->plan.stdin_mode },
			{ "preparation", first->plan.prepare, recs[i]->plan.prepare },
			{ "CPUs", first->plan.pin, recs[i]->plan.pin },
			{ "region", first->plan.region, recs[i]->plan.region },
			{ "machine", first->machine.cpu, recs[i]->machine.cpu },
			{ "kernel", first->machine.kernel, recs[i]->machine.kernel },
		};
		for (size_t k = 0; k < LT_COUNT(conditions) && !what; k++) {
			one = conditions[k].one ? conditions[k].one : "none";
			other = conditions[k].other ? conditions[k].other : "none";
			what = strcmp(one, other) ? conditions[k].what : NULL;
		}
	}
	if (!what)
		return 0;
	char *text = lt_arena_printf(&to->arena, "%s %s and %s", what, one, other);
	if (!text)
		return lt_fail_mem(err);
	return analysis_found(to, "conditions-differ", SEVERITY_WARNING, -1, 0, 0, text, err);
}

static int take_machine(struct record *to, const struct record *from, struct lt_err *err)
{
	to->machine = (struct machine){ .cpu = copy(to, from->machine.cpu),
		.arch = copy(to, from->machine.arch),
		.kernel = copy(to, from->machine.kernel),
		.virt = copy(to, from->machine.virt),
		.cpus_online = from->machine.cpus_online,
		.cpus_allowed = copy(to, from->machine.cpus_allowed),
		.load_before = -1,
		.load_after = -1 };
	return to->arena.failed ? lt_fail_mem(err) : 0;
}

static int take_plan(struct record *to, const struct record *from, const struct run_opts *opts,
	struct lt_err *err)
{
	const char *primary = opts->primary ? opts->primary : from->plan.primary;
	if (!primary || record_metric(to, primary) < 0)
		primary = record_metric(to, "wall") >= 0 ? "wall" : to->metrics[0].name;
	if (opts->primary && strcmp(primary, opts->primary))
		return lt_fail(err, -EINVAL, "LT-METRIC", "the records share no metric '%.80s'",
			opts->primary);
	to->plan = (struct plan){ .verb = "compare",
		.design = "files",
		.primary = copy(to, primary),
		.same = opts->same,
		.stdin_mode = copy(to, from->plan.stdin_mode),
		.stdout_mode = copy(to, from->plan.stdout_mode),
		.region = copy(to, from->plan.region),
		.stopped = "n" };
	return to->arena.failed ? lt_fail_mem(err) : 0;
}

static int fill(struct record *to, struct record *const *recs, const char *const *names, size_t n,
	const struct run_opts *opts, struct lt_err *err)
{
	int r = take_metrics(to, recs, n, err);
	if (r >= 0)
		r = take_plan(to, recs[0], opts, err);
	if (r >= 0)
		r = take_machine(to, recs[0], err);
	if (r < 0)
		return r;
	size_t total = 0;
	for (size_t i = 0; i < n; i++)
		total += recs[i]->n_variants;
	to->variants = lt_arena_alloc(&to->arena, (total + 1) * sizeof(*to->variants));
	if (!to->variants)
		return lt_fail_mem(err);
	for (size_t i = 0; i < n && r >= 0; i++)
		for (unsigned v = 0; v < recs[i]->n_variants && r >= 0; v++)
			if (!recs[i]->variants[v].aa)
				r = take_variant(to, recs[i], v, names[i], err);
	if (r >= 0)
		r = note_conditions(to, recs, n, err);
	if (r < 0)
		return r;
	r = analysis_summaries(to, err);
	if (r >= 0)
		r = analysis_comparisons(to, opts, err);
	return r >= 0 ? analysis_gates(to, opts, err) : r;
}

int merge_records(struct record *const *recs, const char *const *names, size_t n,
	const struct run_opts *opts, struct record **ret, struct lt_err *err)
{
	LT_AUTO_RECORD struct record *to = record_new();
	if (!to)
		return lt_fail_mem(err);
	int r = fill(to, recs, names, n, opts, err);
	if (r < 0)
		return r;
	*ret = LT_TAKE(to);
	return 0;
}
