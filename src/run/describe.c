/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing down what an experiment is, before it runs: plan, machine and variants. */
#include "run/describe.h"

#include <time.h>

#include "sys/machine.h"
#include "sys/procfs.h"

static const char *stdin_name(const struct run_opts *o)
{
	if (o->pty)
		return "pty";
	switch (o->stdin_mode) {
	case RUN_STDIN_FILE:
		return o->stdin_path;
	case RUN_STDIN_INHERIT:
		return "inherit";
	case RUN_STDIN_EMPTY:
		break;
	}
	return "empty";
}

static const char *stdout_name(const struct run_opts *o, struct lt_arena *arena)
{
	if (o->pty)
		return "pty";
	switch (o->stdout_mode) {
	case RUN_STDOUT_PIPE:
		return "pipe";
	case RUN_STDOUT_FILE:
		return o->stdout_path ? lt_arena_printf(arena, "file:%s", o->stdout_path) : "file";
	case RUN_STDOUT_INHERIT:
		return "inherit";
	case RUN_STDOUT_NULL:
		break;
	}
	return "null";
}

static const char *work_name(const struct run_opts *o, struct lt_arena *arena)
{
	if (o->work_from)
		return lt_arena_printf(arena, "output matching '%s'", o->work_from);
	return o->work > 0 ? "a constant" : NULL;
}

static const char *today(struct lt_arena *arena)
{
	char date[32];
	time_t now = time(NULL);
	struct tm tm;
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
	return lt_arena_strdup(arena, date);
}

int describe_plan(struct experiment *x, const char *verb, struct lt_err *err)
{
	static const char *const designs[] = {
		[RUN_PRECISION] = "precision", [RUN_FIXED] = "fixed", [RUN_SEQUENCE] = "sequence"
	};
	const struct run_opts *o = x->opts;
	struct lt_arena *arena = &x->rec->arena;
	int primary = record_metric(x->rec, o->primary ? o->primary : "wall");
	if (o->primary && primary < 0) {
		lt_err_set(err, -EINVAL, "LT-METRIC", "no metric '%.80s' is measured", o->primary);
		return lt_hint(err, "-m picks meters; 'leat list meters' names their metrics");
	}
	if (primary >= 0 && x->rec->metrics[primary].sampled)
		return lt_fail(err, -EINVAL, "LT-METRIC",
			"'%.80s' is sampled by the clock tick and cannot be judged; use 'cpu'",
			o->primary);
	if (primary < 0 && x->rec->n_metrics > 0)
		primary = 0;
	x->rec->plan = (struct plan){
		.verb = verb,
		.design = designs[o->design],
		.primary = primary >= 0 ? x->rec->metrics[primary].name : NULL,
		.seed = o->seed,
		.n = o->n,
		.n_max = o->n_max,
		.warmup = o->warmup,
		.budget_ns = (double)o->budget_ns,
		.timeout_ns = (double)o->timeout_ns,
		.precision = o->design == RUN_PRECISION ? o->precision : 0,
		.same = o->same,
		.stdin_mode = stdin_name(o),
		.stdout_mode = stdout_name(o, arena),
		.prepare = o->prepare,
		.work_from = work_name(o, arena),
		.pin = o->pin ? lt_cpuset_format(o->pin, arena) : NULL,
		.date = today(arena),
	};
	return 0;
}

int describe_machine(struct experiment *x, struct lt_err *err)
{
	struct sys_machine m;
	struct lt_cpuset allowed;
	struct lt_arena *arena = &x->rec->arena;
	int r = sys_machine(x->root_fd, arena, &m, err);
	if (r >= 0)
		r = lt_cpuset_allowed(&allowed, err);
	if (r < 0)
		return r;
	struct machine *to = &x->rec->machine;
	to->cpu = m.cpu;
	to->arch = m.arch;
	to->kernel = m.kernel;
	to->virt = m.virt;
	to->cpus_online = m.cpus_online;
	to->cpus_allowed = lt_cpuset_format(&allowed, arena);
	if (sys_load(x->root_fd, &to->load_before) < 0)
		to->load_before = -1;
	return to->cpus_allowed ? 0 : lt_fail_mem(err);
}

int describe_variants(struct experiment *x, struct lt_err *err)
{
	struct lt_arena *arena = &x->rec->arena;
	x->rec->variants = lt_arena_alloc(arena, (x->n_cmds + 2) * sizeof(*x->rec->variants));
	if (!x->rec->variants)
		return lt_fail_mem(err);
	for (size_t i = 0; i < x->n_cmds; i++)
		x->rec->variants[x->rec->n_variants++] =
			(struct variant){ .name = x->cmds[i].name, .command = x->cmds[i].display };
	for (int i = 0; i < 2 && x->opts->aa; i++) {
		const char *name =
			lt_arena_printf(arena, "%s (%s)", x->cmds[0].name, i ? "again" : "A/A");
		if (!name)
			return lt_fail_mem(err);
		x->rec->variants[x->rec->n_variants++] =
			(struct variant){ .name = name, .command = x->cmds[0].display, .aa = true };
	}
	return 0;
}
