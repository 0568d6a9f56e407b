/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening, varying and closing a sweep. Its rounds are in sweep_rounds.c. */
#include "run/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "run/analysis.h"
#include "run/curve.h"
#include "run/describe.h"
#include "run/sweep_inside.h"
#include "sys/cgroup.h"
#include "sys/procfs.h"
#include "sys/topology.h"

/* One hardware thread of each core before the second of any, so that few threads do not
 * share a core while others are idle. */
static int order_cpus(struct sweep *s, struct lt_err *err)
{
	struct lt_arena *arena = &s->x.rec->arena;
	struct sys_topology t = { 0 };
	unsigned all = lt_cpuset_count(&s->allowed);
	s->cpu_order = lt_arena_alloc(arena, (all + 1) * sizeof(*s->cpu_order));
	if (!s->cpu_order)
		return lt_fail_mem(err);
	struct lt_cpuset taken = { 0 };
	if (sys_topology(&s->allowed, arena, &t, NULL) < 0)
		t.n = 0; /* then in the order of their numbers */
	for (size_t i = 0; i < t.n; i++) {
		bool first = true;
		for (size_t k = 0; k < i && first; k++)
			first = t.cpus[k].core != t.cpus[i].core;
		if (!first)
			continue;
		s->cpu_order[s->n_cpus++] = t.cpus[i].cpu;
		lt_cpuset_add(&taken, t.cpus[i].cpu);
	}
	for (unsigned cpu = 0; cpu < LT_CPUS_MAX; cpu++)
		if (lt_cpuset_has(&s->allowed, cpu) && !lt_cpuset_has(&taken, cpu))
			s->cpu_order[s->n_cpus++] = cpu;
	return 0;
}

static int find_cpus(struct sweep *s, struct lt_err *err)
{
	struct scaling *sc = s->x.rec->scaling;
	int r = 0;
	if (s->run.pin)
		s->allowed = *s->run.pin;
	else
		r = lt_cpuset_allowed(&s->allowed, err);
	if (r < 0)
		return r;
	sc->allowed = lt_cpuset_count(&s->allowed);
	sc->cpus = sc->allowed;
	if (sys_cgroup_quota(s->x.root_fd, getpid(), &sc->quota) < 0)
		sc->quota = 0;
	if (sc->quota > 0 && sc->quota < sc->cpus)
		sc->cpus = sc->quota;
	return order_cpus(s, err);
}

int sweep_add(struct sweep *s, const struct run_command *cmd, const char **levels,
	const char *remedy, unsigned *ret, struct lt_err *err)
{
	struct record *rec = s->x.rec;
	if (rec->n_variants == EXPERIMENT_VARIANTS)
		return lt_fail(
			err, -ENOSPC, "LT-POINTS", "more than %d variants", EXPERIMENT_VARIANTS);
	unsigned v = (unsigned)rec->n_variants++;
	s->cmds[v] = *cmd;
	s->x.n_cmds = rec->n_variants;
	rec->variants[v] = (struct variant){
		.name = cmd->name, .command = cmd->display, .levels = levels, .remedy = remedy
	};
	*ret = v;
	return 0;
}

static int add_points(struct sweep *s, struct lt_err *err)
{
	struct record *rec = s->x.rec;
	rec->variants = lt_arena_alloc(&rec->arena, EXPERIMENT_VARIANTS * sizeof(*rec->variants));
	if (!rec->variants)
		return lt_fail_mem(err);
	rec->n_variants = 0;
	/* The arena's own copy: the sweep may be closed before the record is. */
	rec->n_factors = s->points.n_factors;
	rec->factors = lt_arena_alloc(&rec->arena, (rec->n_factors + 1) * sizeof(*rec->factors));
	if (!rec->factors)
		return lt_fail_mem(err);
	memcpy(rec->factors, s->points.factors, rec->n_factors * sizeof(*rec->factors));
	for (size_t i = 0; i < s->points.n; i++) {
		const struct point *p = &s->points.list[i];
		unsigned v;
		int r = sweep_add(s, &p->cmd, p->levels, NULL, &v, err);
		if (r < 0)
			return r;
		s->slots[v].threads = p->threads;
		s->slots[v].over = p->threads > ceil(rec->scaling->cpus);
	}
	return 0;
}

/* Of the points alike but for threads to the first one: that with fewest, and the one asked
 * for, or else with the most that have a CPU each. */
static int choose_points(struct sweep *s, struct lt_err *err)
{
	struct record *rec = s->x.rec;
	struct scaling *sc = rec->scaling;
	sc->baseline = sc->focus = 0;
	if (s->points.threads < 0)
		return 0;
	for (unsigned v = 0; v < rec->n_variants && curve_alike(rec, 0, v); v++) {
		unsigned t = s->slots[v].threads;
		bool fits = !s->slots[v].over && t > s->slots[0].threads;
		if (s->opts.focus ? t == s->opts.focus : fits)
			sc->focus = (int)v;
	}
	unsigned last = 0;
	while (last + 1 < rec->n_variants && curve_alike(rec, 0, last + 1))
		last++;
	if (s->opts.focus && s->slots[sc->focus].threads != s->opts.focus) {
		lt_err_set(err, -EINVAL, "LT-THREADS", "--at %u is not one of the thread counts",
			s->opts.focus);
		return lt_hint(
			err, "name it in --threads, too, e.g. --threads 1,%u", s->opts.focus);
	}
	if (!s->opts.focus && sc->focus == 0)
		sc->focus = (int)last; /* all have more threads than there are CPUs */
	return 0;
}

/* The threads of the focus on one CPU. */
static int add_one_cpu(struct sweep *s, struct lt_err *err)
{
	struct record *rec = s->x.rec;
	struct scaling *sc = rec->scaling;
	struct one_cpu *one = &sc->one_cpu;
	const char *why = s->points.threads < 0 ? "threads are no factor"
		: sc->focus == sc->baseline     ? "there is but one thread count"
		: s->n_cpus < 2                 ? "there is but one CPU"
						: NULL;
	*one = (struct one_cpu){ -1, estimate_missing(why ? why : "not run", NULL),
		value_missing("not run", NULL) };
	if (why)
		return 0;
	struct run_command cmd = s->cmds[sc->focus];
	struct lt_cpuset *pin = lt_arena_alloc(&rec->arena, sizeof(*pin));
	cmd.name = lt_arena_printf(&rec->arena, "%s on one CPU", cmd.name);
	if (!pin || !cmd.name)
		return lt_fail_mem(err);
	lt_cpuset_add(pin, s->cpu_order[0]);
	cmd.pin = pin;
	unsigned v;
	int r = sweep_add(s, &cmd, rec->variants[sc->focus].levels, NULL, &v, err);
	if (r < 0)
		return r;
	one->variant = (int)v;
	s->slots[v].threads = s->slots[sc->focus].threads;
	return 0;
}

static int prepare(struct sweep *s, struct lt_err *err)
{
	struct record *rec = s->x.rec;
	rec->scaling = lt_arena_alloc(&rec->arena, sizeof(*rec->scaling));
	if (!rec->scaling)
		return lt_fail_mem(err);
	rec->plan.design = "sweep";
	rec->scaling->command = factors_join(s->opts.words, &rec->arena);
	if (!rec->scaling->command)
		return lt_fail_mem(err);
	int r = find_cpus(s, err);
	if (r < 0)
		return r;
	s->points_opts = (struct points_opts){ .how = s->opts.how,
		.words = s->opts.words,
		.env = s->run.env,
		.n_env = s->run.n_env,
		.threads = s->opts.threads,
		.factors = s->opts.factors,
		.n_factors = s->opts.n_factors,
		.cpu_order = s->cpu_order,
		.n_cpus = s->n_cpus,
		.cpus = rec->scaling->cpus };
	r = points_make(&s->points_opts, &rec->arena, &s->points, err);
	if (r >= 0)
		r = add_points(s, err);
	if (r >= 0)
		r = choose_points(s, err);
	if (r >= 0)
		r = add_one_cpu(s, err);
	return r;
}

int sweep_open(struct sweep **ret, const struct sweep_opts *opts, const struct run_hooks *hooks,
	struct lt_err *err)
{
	SWEEP_AUTO struct sweep *s = calloc(1, sizeof(*s));
	if (!s)
		return lt_fail_mem(err);
	s->x = (struct experiment)EXPERIMENT_NONE;
	s->opts = *opts;
	s->run = opts->run;
	s->run.design = RUN_FIXED;
	if (!s->run.stdout_given) /* kept, to see whether it is the same at every point */
		s->run.stdout_mode = RUN_STDOUT_FILE;
	s->x.opts = &s->run;
	s->x.cmds = s->cmds;
	s->x.hooks = hooks;
	s->x.signals = hooks && hooks->signals ? hooks->signals : &s->x.own_signals;
	s->x.go_on = s->x.hash = true;
	int r = experiment_open(&s->x, "scale", err);
	if (r >= 0)
		r = prepare(s, err);
	if (r < 0)
		return r;
	experiment_stay(&s->x);
	s->begin_ns = s->x.begin_ns = s->x.budget_from_ns = lt_now_ns();
	*ret = LT_TAKE(s);
	return 0;
}

void sweep_close(struct sweep *s)
{
	if (!s)
		return;
	quiet_close(&s->quiet);
	experiment_close(&s->x);
	free(s);
}

struct record *sweep_record(struct sweep *s)
{
	return s->x.rec;
}

struct record *sweep_take_record(struct sweep *s)
{
	return LT_TAKE(s->x.rec);
}

bool sweep_over(const struct sweep *s)
{
	return experiment_must_stop(&s->x);
}

int64_t sweep_left_ns(const struct sweep *s)
{
	if (!s->run.budget_ns)
		return INT64_MAX;
	return s->begin_ns + s->run.budget_ns - lt_now_ns();
}

const struct run_command *sweep_command(const struct sweep *s, unsigned variant)
{
	return &s->cmds[variant];
}

/* `first`, then `more`, as one list. */
static int join(struct lt_arena *arena, const char *const *first, size_t n_first,
	const char *const *more, size_t n_more, const char ***ret, struct lt_err *err)
{
	const char **list = lt_arena_alloc(arena, (n_first + n_more + 1) * sizeof(*list));
	if (!list)
		return lt_fail_mem(err);
	if (n_first)
		memcpy(list, first, n_first * sizeof(*list));
	if (n_more)
		memcpy(list + n_first, more, n_more * sizeof(*list));
	*ret = list;
	return 0;
}

static int add_prefix(
	struct sweep *s, struct run_command *cmd, const struct sweep_change *c, struct lt_err *err)
{
	struct lt_arena *arena = &s->x.rec->arena;
	const char **argv;
	size_t n = 0;
	while (cmd->argv[n])
		n++;
	int r = join(arena, c->prefix, c->n_prefix, (const char *const *)cmd->argv, n, &argv, err);
	if (r < 0)
		return r;
	struct run_command found;
	struct run_command_opts how = { .literal = true, .cwd = s->opts.how.cwd };
	r = run_command_words((char *const *)argv, &how, arena, &found, err);
	if (r < 0)
		return r;
	cmd->argv = found.argv;
	cmd->path = found.path;
	return 0;
}

int sweep_vary(struct sweep *s, unsigned variant, const struct sweep_change *change,
	unsigned *ret_variant, struct lt_err *err)
{
	struct record *rec = s->x.rec;
	struct run_command cmd = s->cmds[variant];
	const char **levels = rec->variants[variant].levels;
	int r = 0;
	if (change->threads && s->points.threads >= 0) {
		struct point pt, like = { .levels = levels };
		r = points_with_threads(
			&s->points_opts, &s->points, &like, change->threads, &rec->arena, &pt, err);
		cmd = r < 0 ? cmd : pt.cmd;
		levels = r < 0 ? levels : pt.levels;
	}
	if (r >= 0 && change->n_env) {
		const char **env;
		r = join(&rec->arena, cmd.env, cmd.n_env, change->env, change->n_env, &env, err);
		if (r >= 0) {
			cmd.env = env;
			cmd.n_env += change->n_env;
		}
	}
	if (r >= 0 && change->n_prefix)
		r = add_prefix(s, &cmd, change, err);
	if (r < 0)
		return r;
	if (change->pin)
		cmd.pin = change->pin;
	if (change->name)
		cmd.name = lt_arena_printf(
			&rec->arena, "%s, %s", rec->variants[variant].name, change->name);
	if (!cmd.name)
		return lt_fail_mem(err);
	r = sweep_add(s, &cmd, levels, change->name, ret_variant, err);
	if (r >= 0)
		s->slots[*ret_variant].threads =
			change->threads ? change->threads : s->slots[variant].threads;
	return r;
}

int sweep_block(struct sweep *s, const int *variants, size_t n, bool warmup, size_t *ret_first,
	struct lt_err *err)
{
	*ret_first = s->x.rec->n_trials;
	return experiment_block(&s->x, variants, n, warmup, err);
}

int sweep_finish(struct sweep *s, struct lt_err *err)
{
	struct record *rec = s->x.rec;
	rec->plan.stopped = s->x.signals->last ? "signal" : s->stopped;
	rec->plan.stop_signal = s->x.signals->last;
	rec->plan.wall_ns = (double)(lt_now_ns() - s->begin_ns);
	rec->partial = experiment_must_stop(&s->x);
	if (sys_load(s->x.root_fd, &rec->machine.load_after) < 0)
		rec->machine.load_after = -1;
	int r = curve_judge(rec, s->opts.mode, err);
	if (r >= 0)
		r = program_finish(&s->x.program, err);
	if (r >= 0)
		r = analysis_summaries(rec, err);
	if (r >= 0 && s->points.threads < 0 && rec->n_variants > 1)
		r = analysis_comparisons(rec, &s->run, err);
	if (r >= 0)
		r = sweep_findings(s, err);
	experiment_own_cost(&s->x);
	return r;
}
