/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running an experiment: blocks of trials in random order, the stop rule after each. */
#include "run/experiment.h"

#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "run/analysis.h"
#include "run/attach.h"
#include "run/describe.h"
#include "run/inside.h"
#include "run/stop.h"
#include "sys/procfs.h"

enum {
	AA_PAIRS = 20,
	EVIDENCE_RUNS = 4, /* a side: fewer could not be told apart by rank */
};

void experiment_progress(struct experiment *x, unsigned variant, double running_s)
{
	if (!x->hooks || !x->hooks->progress)
		return;
	const struct run_opts *o = x->opts;
	struct run_progress p = {
		.name = x->rec->variants[variant].name,
		.done = x->blocks_kept,
		.of = o->n ? o->n : o->n_max,
		.reached = x->reached,
		.running_s = running_s,
	};
	double spent = (double)(lt_now_ns() - x->budget_from_ns);
	if (p.of)
		p.share = (double)p.done / p.of;
	if (o->budget_ns && spent / (double)o->budget_ns > p.share)
		p.share = spent / (double)o->budget_ns;
	p.share = p.share > 1 ? 1 : p.share;
	x->hooks->progress(x->hooks->ctx, &p);
}

static void tick(void *ctx, double running_s)
{
	struct experiment *x = ctx;
	experiment_progress(x, x->running, running_s);
}

static int run_aa(struct experiment *x, struct lt_err *err)
{
	const int list[] = { (int)x->n_cmds, (int)x->n_cmds + 1 };
	unsigned kept = x->blocks_kept;
	int r = experiment_block(x, list, 2, true, err);
	for (unsigned i = 0; i < AA_PAIRS && r >= 0 && !experiment_must_stop(x); i++)
		r = experiment_block(x, list, 2, false, err);
	x->blocks_kept = kept;
	x->budget_from_ns = lt_now_ns(); /* the budget is for the comparison */
	return r;
}

/* A long first run of one program is worth too much to be thrown away. */
static void keep_long_warmup(struct experiment *x)
{
	if (x->opts->design != RUN_PRECISION || x->opts->warmup_given ||
		x->last_wall_ns * 8 < (double)x->opts->budget_ns || x->rec->n_trials != 1)
		return;
	struct trial *t = &x->rec->trials[0];
	t->warmup = false;
	t->kept = experiment_succeeded(x, &t->outcome);
	x->blocks_kept = 1;
	program_keep_first(&x->program);
	x->rec->plan.warmup = 0;
}

static int run_timing(struct experiment *x, struct lt_err *err)
{
	int list[EXPERIMENT_VARIANTS];
	for (size_t i = 0; i < x->n_cmds; i++)
		list[i] = (int)i;
	int r = 0;
	for (unsigned i = 0; i < x->opts->warmup && r >= 0 && !experiment_must_stop(x); i++)
		r = experiment_block(x, list, x->n_cmds, true, err);
	if (r >= 0)
		keep_long_warmup(x);
	while (r >= 0 && (r = stop_rule(x, err)) >= 0 && !x->stopped)
		r = experiment_block(x, list, x->n_cmds, false, err);
	return r;
}

/* Runs under an instrument come last and apart: their times mean nothing. */
static int run_evidence(struct experiment *x, struct lt_err *err)
{
	int r = 0;
	for (size_t i = 0; i < x->meters.n_items; i++) {
		if (!meterset_is_evidence(&x->meters.items[i]) || !x->meters.items[i].open)
			continue;
		for (unsigned k = 0; k < EVIDENCE_RUNS; k++) {
			unsigned block = x->next_block++;
			for (unsigned v = 0; v < x->n_cmds && r >= 0 && !experiment_must_stop(x);
				v++)
				r = experiment_trial(x, v, block, (int)i, false, err);
		}
	}
	if (experiment_must_stop(x))
		x->stopped = x->failed ? "failure" : "signal";
	return r;
}

static int check_gates(struct experiment *x, struct lt_err *err)
{
	for (size_t i = 0; i < x->opts->n_gates; i++) {
		unsigned metric;
		double limit;
		int r = analysis_gate_parse(x->rec, x->opts->gates[i], &metric, &limit, err);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Where the programs leave their statistics pages; a user who named a place keeps it. */
static int open_stats(struct experiment *x, struct lt_err *err)
{
	const char *users = environment_get(&x->env, "LEAT_STATS_DIR");
	if (x->opts->attach)
		return 0;
	if (users) {
		statsdir_use(&x->stats, users, x->opts->cwd);
		return 0;
	}
	statsdir_open(&x->stats);
	return x->stats.dir ? environment_set_own(&x->env, "LEAT_STATS_DIR", x->stats.path, err)
			    : 0;
}

/* What leat needs whatever the experiment is. The launchers come first, while leat is small. */
static int open_basics(struct experiment *x, struct lt_err *err)
{
	int r = x->opts->attach ? 0 : launcher_open(&x->launcher, err);
	if (r >= 0 && x->opts->prepare)
		r = launcher_open(&x->preparer, err);
	if (r >= 0 && x->signals->fd < 0)
		r = signals_open(x->signals, err);
	if (r < 0)
		return r;
	x->root_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (x->root_fd < 0)
		return lt_fail_sys(err, "LT-ROOT", "cannot open /");
	x->rec = record_new();
	return x->rec ? 0 : lt_fail_mem(err);
}

/* Everything that can be wrong is found here, before the first run. */
int experiment_open(struct experiment *x, const char *verb, struct lt_err *err)
{
	const struct run_opts *o = x->opts;
	int r = open_basics(x, err);
	if (r < 0)
		return r;
	x->meters.place = (struct meter_place){ .root_fd = x->root_fd,
		.launcher = x->launcher.pid,
		.target = o->attach,
		.arena = &x->rec->arena };
	r = work_open(&x->work, o->work, o->work_from, err);
	if (r >= 0)
		r = meterset_open(&x->meters, x->rec, o->meters, o->count, err);
	if (r >= 0)
		r = describe_plan(x, verb, err);
	if (r >= 0)
		r = describe_machine(x, err);
	if (r >= 0)
		r = describe_variants(x, err);
	if (r >= 0)
		r = check_gates(x, err);
	if (r >= 0)
		r = program_open(&x->program, x->rec, o, err);
	if (r >= 0)
		r = environment_open(&x->env, o->env, o->n_env, err);
	if (r >= 0)
		r = open_stats(x, err);
	if (r >= 0 && !o->attach)
		r = streams_open(&x->streams, o, err);
	if (r >= 0 && o->prepare)
		r = streams_open(&x->quiet, &x->quiet_opts, err);
	x->trial = (struct trial_run){ .opts = o,
		.launcher = &x->launcher,
		.signals = x->signals,
		.streams = &x->streams,
		.root_fd = x->root_fd,
		.arena = &x->rec->arena,
		.tick = x->hooks && x->hooks->live ? tick : NULL,
		.tick_ctx = x };
	stats_rng_seed(&x->rng, o->seed);
	return r;
}

static double self_cpu_ns(void)
{
	struct rusage u;
	getrusage(RUSAGE_SELF, &u);
	return (double)(lt_timeval_ns(&u.ru_utime) + lt_timeval_ns(&u.ru_stime));
}

void experiment_own_cost(struct experiment *x)
{
	struct sys_schedstat launcher;
	struct sys_memory memory;
	x->rec->own.cpu_ns = self_cpu_ns();
	/* Not ru_maxrss, which begins with what leat's parent held when it called exec. */
	if (sys_memory(x->root_fd, getpid(), &memory) == 0)
		x->rec->own.peak_bytes = (double)memory.peak;
	if (x->launcher.pid && sys_schedstat(x->root_fd, x->launcher.pid, &launcher) == 0)
		x->rec->own.cpu_ns += (double)launcher.run_ns;
}

void experiment_close(struct experiment *x)
{
	meterset_close(&x->meters);
	streams_close(&x->streams);
	streams_close(&x->quiet);
	launcher_close(&x->launcher);
	launcher_close(&x->preparer);
	signals_close(&x->own_signals);
	environment_close(&x->env);
	statsdir_close(&x->stats);
	program_close(&x->program);
	work_close(&x->work);
	lt_buf_done(&x->output);
	if (x->root_fd >= 0)
		close(x->root_fd);
	record_free(x->rec);
}

static int analyse(struct experiment *x, struct lt_err *err)
{
	int r = program_finish(&x->program, err);
	if (r >= 0)
		r = analysis_summaries(x->rec, err);
	if (r >= 0 && x->rec->n_variants > 1)
		r = analysis_comparisons(x->rec, x->opts, err);
	if (r >= 0)
		r = analysis_gates(x->rec, x->opts, err);
	if (r >= 0)
		r = analysis_findings(x->rec, x->opts, err);
	return r;
}

/* With output to take away leat works while the program does, and must not share its CPU. */
void experiment_stay(const struct experiment *x)
{
	struct lt_cpuset here = { 0 };
	int cpu = sched_getcpu();
	if (cpu < 0 || x->opts->attach || x->opts->pty || x->opts->stdout_mode == RUN_STDOUT_PIPE)
		return;
	lt_cpuset_add(&here, (unsigned)cpu);
	sched_setaffinity(0, sizeof(here.bits), (cpu_set_t *)here.bits);
}

int experiment_run(const char *verb, const struct run_opts *opts, const struct run_command *cmds,
	size_t n_cmds, const struct run_hooks *hooks, struct record **ret_rec, struct lt_err *err)
{
	LT_AUTO(experiment_close)
	struct experiment x = EXPERIMENT_NONE;
	x.opts = opts;
	x.cmds = cmds;
	x.n_cmds = n_cmds;
	x.hooks = hooks;
	if (n_cmds > EXPERIMENT_COMMANDS - 2)
		return lt_fail(err, -EINVAL, "LT-VARIANTS", "more than %d commands",
			EXPERIMENT_COMMANDS - 2);
	x.signals = hooks && hooks->signals ? hooks->signals : &x.own_signals;
	int r = experiment_open(&x, verb, err);
	if (r >= 0)
		experiment_stay(&x);
	int64_t started = x.begin_ns = x.budget_from_ns = lt_now_ns();
	if (r >= 0 && opts->attach)
		r = attach_run(&x, err);
	if (r >= 0 && opts->aa && !opts->attach)
		r = run_aa(&x, err);
	if (r >= 0 && !opts->attach)
		r = run_timing(&x, err);
	if (r >= 0 && !opts->attach && !experiment_must_stop(&x))
		r = run_evidence(&x, err);
	if (r < 0)
		return r;
	x.rec->plan.stopped = x.stopped;
	x.rec->plan.stop_signal = x.signals->last;
	x.rec->plan.wall_ns = (double)(lt_now_ns() - started);
	x.rec->partial = experiment_must_stop(&x);
	if (sys_load(x.root_fd, &x.rec->machine.load_after) < 0)
		x.rec->machine.load_after = -1;
	r = analyse(&x, err);
	if (r < 0)
		return r;
	experiment_own_cost(&x);
	*ret_rec = LT_TAKE(x.rec);
	return 0;
}
