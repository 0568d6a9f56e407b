/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Building one record from several. Texts are copied: the result owns all it holds. */
#include "run/merge.h"

#include <math.h>
#include <string.h>

#include "run/analysis.h"

static const char *copy(struct record *to, const char *text)
{
	return text ? lt_arena_strdup(&to->arena, text) : NULL;
}

static bool shared_by_all(struct record *const *recs, size_t n, const char *metric)
{
	for (size_t i = 1; i < n; i++)
		if (record_metric(recs[i], metric) < 0)
			return false;
	return true;
}

static int take_metrics(struct record *to, struct record *const *recs, size_t n, struct lt_err *err)
{
	const struct record *first = recs[0];
	to->metrics = lt_arena_alloc(&to->arena, (first->n_metrics + 1) * sizeof(*to->metrics));
	if (!to->metrics)
		return lt_fail_mem(err);
	for (size_t i = 0; i < first->n_metrics; i++) {
		if (!shared_by_all(recs, n, first->metrics[i].name))
			continue;
		struct metric *m = &to->metrics[to->n_metrics++];
		*m = first->metrics[i];
		m->name = copy(to, m->name);
		m->unit = copy(to, m->unit);
		m->what = copy(to, m->what);
		m->scope = copy(to, m->scope);
		m->source = copy(to, m->source);
	}
	return to->n_metrics ? 0
			     : lt_fail(err, -ENODATA, "LT-MERGE", "the records share no metric");
}

static int take_trials(struct record *to, const struct record *from, unsigned variant,
	const char *name, struct lt_err *err)
{
	size_t kept = 0;
	for (size_t i = 0; i < from->n_trials; i++) {
		const struct trial *t = &from->trials[i];
		if (t->variant != 0 || !t->kept)
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
	return kept ? 0
		    : lt_fail(err, -ENODATA, "LT-MERGE", "'%.200s' holds no run that counts", name);
}

static void take_machine(struct record *to, const struct record *from)
{
	to->machine = (struct machine){ .cpu = copy(to, from->machine.cpu),
		.arch = copy(to, from->machine.arch),
		.kernel = copy(to, from->machine.kernel),
		.virt = copy(to, from->machine.virt),
		.cpus_online = from->machine.cpus_online,
		.cpus_allowed = copy(to, from->machine.cpus_allowed),
		.load_before = -1,
		.load_after = -1 };
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
		.stopped = "n" };
	return 0;
}

static int fill(struct record *to, struct record *const *recs, const char *const *names, size_t n,
	const struct run_opts *opts, struct lt_err *err)
{
	int r = take_metrics(to, recs, n, err);
	if (r >= 0)
		r = take_plan(to, recs[0], opts, err);
	if (r < 0)
		return r;
	take_machine(to, recs[0]);
	to->variants = lt_arena_alloc(&to->arena, n * sizeof(*to->variants));
	if (!to->variants)
		return lt_fail_mem(err);
	for (unsigned i = 0; i < n; i++) {
		const char *command = recs[i]->n_variants ? recs[i]->variants[0].command : "";
		to->variants[i] = (struct variant){ .name = copy(to, names[i]),
			.command = copy(to, command) };
		to->n_variants++;
		r = take_trials(to, recs[i], i, names[i], err);
		if (r < 0)
			return r;
	}
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
