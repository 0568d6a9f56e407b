/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One observed run from start to facts. */
#include "run/evidence.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "run/evidence_inside.h"
#include "run/observer.h"
#include "sys/perf.h"
#include "sys/procfs.h"

static void observer_closep(struct observer *ob)
{
	observer_close(ob);
}

static void reduce_done(struct reduce *r)
{
	for (size_t i = 0; i < r->places.n; i++)
		free(r->places.at[i].stacks.at);
	free(r->places.at);
	free(r->pages.at);
	free(r->sites.at);
	free(r->stack_site);
	free(r->chains);
	lt_u64map_done(&r->place_of);
	lt_u64map_done(&r->page_of);
	lt_u64map_done(&r->site_of);
	lt_u64map_done(&r->chain_of);
}

void *reduce_find(struct reduce *r, void *list, size_t *n, size_t *cap, size_t size,
	struct lt_u64map *of, uint64_t key, const void *like)
{
	uint32_t i = lt_u64map_get(of, key, OBSERVED_NONE);
	if (i != OBSERVED_NONE)
		return *(char **)list + i * size;
	i = (uint32_t)*n;
	void *at = observed_grow(r->o, list, n, cap, size, OBSERVED_NONE);
	if (!at || !lt_u64map_put(of, key, i)) {
		r->failed = true;
		return NULL;
	}
	if (like)
		memcpy(at, like, size);
	return at;
}

static void take_usage(const struct trial_run *t, struct evidence *ret)
{
	const struct rusage *u = &t->window.usage;
	ret->elapsed_ns = (double)(t->window.end_ns - t->window.begin_ns);
	ret->user_ns = value_of((double)lt_timeval_ns(&u->ru_utime));
	ret->sys_ns = value_of((double)lt_timeval_ns(&u->ru_stime));
	ret->voluntary = value_of((double)u->ru_nvcsw);
	ret->involuntary = value_of((double)u->ru_nivcsw);
	ret->minor_faults = value_of((double)u->ru_minflt);
	ret->major_faults = value_of((double)u->ru_majflt);
	ret->peak_bytes = value_of((double)u->ru_maxrss * 1024);
	ret->outcome = t->outcome;
	if (!t->window.left)
		return;
	struct value *all[] = { &ret->user_ns, &ret->sys_ns, &ret->voluntary, &ret->involuntary,
		&ret->minor_faults, &ret->major_faults };
	for (size_t i = 0; i < LT_COUNT(all); i++)
		all[i]->reason = "without the descendants that nobody waited for";
}

static void take_cores(const struct observed *o, struct lt_arena *arena, struct evidence *ret)
{
	unsigned n = 0;
	double busy = 0;
	for (unsigned i = 1; i <= OBSERVED_CPUS; i++) {
		if (o->core_ns[i])
			n = i;
		busy += (double)o->core_ns[i];
	}
	if (!n)
		return;
	ret->cores = lt_arena_alloc(arena, (n + 1) * sizeof(*ret->cores));
	if (!ret->cores)
		return;
	for (unsigned i = 1; i <= n; i++)
		ret->cores[i].ns = (double)o->core_ns[i];
	/* What is seen begins before exec and ends after the last thread. */
	ret->cores[0].ns = ret->elapsed_ns > busy ? ret->elapsed_ns - busy : 0;
	ret->n_cores = n + 1;
}

static const char *keep(struct lt_arena *arena, const char *text)
{
	return *text ? lt_arena_strdup(arena, text) : NULL;
}

static struct evidence_source had(enum evidence_tier tier, const char *how, double lost)
{
	return (struct evidence_source){ .tier = tier, .how = how, .lost = lost };
}

static struct evidence_source lacking(struct lt_arena *arena, const struct lt_err *why)
{
	return (struct evidence_source){ .tier = EVIDENCE_NONE,
		.reason = keep(arena, why->text),
		.hint = keep(arena, why->hint) };
}

static void add_reason(struct lt_arena *arena, struct evidence_source *s, const struct lt_err *why)
{
	s->reason = keep(arena, why->text);
	s->hint = keep(arena, why->hint);
}

/* Which means gave which kind of fact, and why not a better one. */
static void take_sources(const struct observer *ob, struct lt_arena *arena, struct evidence *e)
{
	const struct observed *o = ob->seen;
	struct evidence_source *s = e->sources;
	if (ob->probe) {
		s[EVIDENCE_WAITS] = had(EVIDENCE_PROBE, "probe at sched_switch", o->lost_keys);
		s[EVIDENCE_CORES] = had(EVIDENCE_PROBE, "probe at sched_switch", 0);
	} else if (ob->sampling) {
		s[EVIDENCE_WAITS] = had(EVIDENCE_PERF,
			"switch records, dealt out by polls of proc/TID/syscall", o->lost);
		s[EVIDENCE_CORES] = had(EVIDENCE_PERF, "switch records", o->lost);
		add_reason(arena, &s[EVIDENCE_WAITS], &ob->no_probe);
		add_reason(arena, &s[EVIDENCE_CORES], &ob->no_probe);
	} else {
		s[EVIDENCE_WAITS] = had(EVIDENCE_PROC, "polls of proc/TID/syscall", 0);
		s[EVIDENCE_CORES] = lacking(arena, &ob->no_sampler);
		add_reason(arena, &s[EVIDENCE_WAITS], &ob->no_sampler);
	}
	if (!ob->sampling) {
		s[EVIDENCE_SAMPLES] = s[EVIDENCE_KERNEL] = s[EVIDENCE_FAULTS] = s[EVIDENCE_LINES] =
			lacking(arena, &ob->no_sampler);
		return;
	}
	s[EVIDENCE_SAMPLES] = had(EVIDENCE_PERF, "clock samples with registers", o->lost);
	s[EVIDENCE_FAULTS] = had(EVIDENCE_PERF, "sampled page faults of user code", o->lost);
	if (ob->sampler.kernel) {
		s[EVIDENCE_KERNEL] = s[EVIDENCE_SAMPLES];
	} else {
		struct sys_perf_code code = { .type = PERF_TYPE_SOFTWARE, .exclude_user = true };
		struct lt_err why = { 0 };
		sys_perf_explain(ob->opts.root_fd, &code, -EACCES, &why);
		s[EVIDENCE_KERNEL] = lacking(arena, &why);
	}
	struct lt_err no_insn = { 0 };
	s[EVIDENCE_LINES] = s[EVIDENCE_SAMPLES];
	if (sys_insn_ready(&no_insn) < 0)
		s[EVIDENCE_LINES] = lacking(arena, &no_insn);
}

static bool reduce_open(struct reduce *r)
{
	size_t n = r->o->stacks.n + 1;
	r->stack_site = malloc(n * sizeof(*r->stack_site));
	r->chains = calloc(n, sizeof(*r->chains));
	for (size_t i = 0; r->stack_site && i < n; i++)
		r->stack_site[i] = -2;
	return r->stack_site && r->chains;
}

static void judge_sites(struct evidence *e)
{
	bool named = false;
	for (size_t i = 0; i < e->n_sites && !named; i++)
		for (size_t k = 0; k < e->sites[i].n_frames && !named; k++)
			named = e->sites[i].frames[k].line;
	if (!e->n_sites)
		e->sources[EVIDENCE_SITES] = (struct evidence_source){
			.reason = "no stack or sample was taken: the program was too short, or "
				  "nothing could look at it",
		};
	else
		e->sources[EVIDENCE_SITES] = (struct evidence_source){
			.tier = e->sources[EVIDENCE_WAITS].tier,
			.how = "stacks, unwound afterwards",
			.reason = named ? NULL : "the program's files tell no source lines",
			.hint = named ? NULL : "compile it with -g",
		};
}

static int reduce(struct observed *o, const struct allocations *blocks, struct lt_arena *arena,
	struct evidence *e, struct lt_err *err)
{
	LT_AUTO(reduce_done) struct reduce r = { .o = o, .blocks = blocks, .arena = arena, .e = e };
	if (!reduce_open(&r))
		return lt_fail_mem(err);
	reduce_groups(&r);
	reduce_pages(&r);
	reduce_samples(&r);
	reduce_faults(&r);
	reduce_lines(&r);
	reduce_waits(&r);
	reduce_sites(&r);
	judge_sites(e);
	return r.failed || o->failed || arena->failed ? lt_fail_mem(err) : 0;
}

static const struct lt_cpuset *allowed_cpus(const struct trial_run *t)
{
	return t->opts->pin ? t->opts->pin : &t->launcher->cpus;
}

/* What the CPUs did before and after; all but the program's own and leat's is others'. */
struct busy {
	uint64_t ticks;
	double own_ns;
	int error;
};

static struct busy busy_now(const struct trial_run *t)
{
	struct busy b = { 0 };
	struct rusage u;
	getrusage(RUSAGE_SELF, &u);
	b.own_ns = (double)(lt_timeval_ns(&u.ru_utime) + lt_timeval_ns(&u.ru_stime));
	b.error = sys_busy_ticks(t->root_fd, allowed_cpus(t), &b.ticks);
	return b;
}

static struct value others(const struct busy *a, const struct busy *b, const struct evidence *e)
{
	if (a->error < 0 || b->error < 0)
		return value_missing("procfs does not tell what each CPU did", NULL);
	uint64_t ticks = b->ticks > a->ticks ? b->ticks - a->ticks : 0; /* a CPU may have gone */
	double all = (double)ticks * 1e9 / (double)sysconf(_SC_CLK_TCK);
	double known = e->user_ns.num + e->sys_ns.num + b->own_ns - a->own_ns;
	return (struct value){ .state = VALUE_ESTIMATED,
		.num = all > known ? all - known : 0,
		.reason = "CPU time is counted in ticks of the kernel" };
}

int evidence_observe(struct trial_run *t, const struct run_command *cmd,
	const struct evidence_opts *opts, const struct allocations *blocks, struct lt_arena *arena,
	struct evidence *ret, struct lt_err *err)
{
	LT_AUTO(observed_done) struct observed seen;
	LT_AUTO(observer_closep) struct observer ob = OBSERVER_NONE;
	struct observer_opts observe = {
		.root_fd = t->root_fd,
		.launcher = t->launcher,
		.best = opts->best,
		.wall_ns = opts->wall_ns,
		.period_ns = opts->period_ns,
	};
	observed_init(&seen);
	int r = observer_open(&ob, &observe, &seen, err);
	if (r >= 0)
		r = observer_start(&ob, err);
	if (r < 0)
		return r;
	struct busy before = busy_now(t);
	r = trial_run_wait(t, cmd, err);
	struct busy after = busy_now(t);
	observer_stop(&ob);
	if (r < 0)
		return r;
	struct evidence e = {
		.variant = opts->variant,
		.threads = opts->threads,
		.cpus = lt_cpuset_count(allowed_cpus(t)),
		.sample_ns = ob.sampling ? (double)seen.period_ns : 0,
		.own_cpu_ns = ob.cpu_ns,
		.processes = (unsigned)seen.processes.n,
		.peak_threads = seen.alive_peak,
	};
	take_usage(t, &e);
	take_cores(&seen, arena, &e);
	take_sources(&ob, arena, &e);
	e.foreign_ns = others(&before, &after, &e);
	r = reduce(&seen, blocks, arena, &e, err);
	if (r >= 0)
		*ret = e;
	return r;
}

int evidence_run(struct trial_run *t, const struct run_command *cmd,
	const struct evidence_opts *opts, struct lt_arena *arena, struct evidence *ret,
	struct lt_err *err)
{
	struct evidence e;
	int r = evidence_observe(t, cmd, opts, NULL, arena, &e, err);
	if (r >= 0)
		r = evidence_find_allocations(t, cmd, opts, arena, &e, err);
	if (r >= 0)
		*ret = e;
	return r;
}
