/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One trial, and one block of them: every variant once, in random order, all in the same
 * environment. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "run/inside.h"

/* The step before a run; its own output is dropped, its failure ends the experiment. */
static int prepare(struct experiment *x, struct lt_err *err)
{
	if (!x->opts->prepare)
		return 0;
	static char sh[] = "/bin/sh", c[] = "-c";
	char *line = lt_arena_strdup(&x->rec->arena, x->opts->prepare);
	char *argv[] = { sh, c, line, NULL };
	if (!line)
		return lt_fail_mem(err);
	struct run_command cmd = { .name = "prepare", .display = line, .argv = argv, .path = sh };
	struct trial_run t = x->trial;
	struct run_opts quiet = { .cwd = x->opts->cwd, .timeout_ns = x->opts->timeout_ns };
	t.opts = &quiet;
	t.launcher = &x->preparer;
	t.streams = &x->quiet;
	t.envp = environment_list(&x->env, 0, false);
	int r = trial_run_wait(&t, &cmd, err);
	if (r < 0)
		return r;
	/* What it leaves running is meant to run: a server for the program, say. */
	if (x->signals->last)
		return 0;
	if (trial_succeeded(&t.outcome, NULL))
		return 0;
	return lt_fail(err, -ECANCELED, "LT-PREPARE",
		"the preparation '%.200s' failed: %s %d%s%.200s", x->opts->prepare,
		t.outcome.kind == OUTCOME_EXIT ? "exit code" : "signal", t.outcome.code,
		t.outcome.talk ? ": " : "", t.outcome.talk ? t.outcome.talk : "");
}

/* Started at `at`. NULL: no memory. */
static struct trial *add_trial(struct experiment *x, unsigned variant, unsigned block, int64_t at)
{
	struct trial *t = record_add_trial(x->rec);
	if (!t)
		return NULL;
	t->variant = variant;
	t->block = block;
	t->order = (unsigned)x->rec->n_trials - 1;
	t->at_ns = at - x->begin_ns;
	return t;
}

/* A program or preparation that worked before and now does not even start ends the
 * experiment with what there is; one that never did is an error of the user's. */
static int end_without_start(
	struct experiment *x, unsigned variant, unsigned block, int code, struct lt_err *err)
{
	if (x->rec->n_trials == 0)
		return code;
	struct trial *t = add_trial(x, variant, block, lt_now_ns());
	if (!t)
		return lt_fail_mem(err);
	for (size_t i = 0; i < x->rec->n_metrics; i++)
		t->readings[i] = value_missing("the run did not start", NULL);
	t->outcome.kind = OUTCOME_NOT_STARTED;
	t->outcome.code = -code;
	x->failed = true;
	if (err) {
		t->outcome.talk = lt_arena_strdup(&x->rec->arena, err->text);
		*err = (struct lt_err){ 0 };
	}
	return 0;
}

bool experiment_succeeded(const struct experiment *x, const struct outcome *o)
{
	if (x->opts->any_end && (o->kind == OUTCOME_EXIT || o->kind == OUTCOME_SIGNAL))
		return true;
	return trial_succeeded(o, x->opts->success);
}

/* What the program tells of itself; returns in *ret_units how much work it counted. */
static int take_program(
	struct experiment *x, struct trial *t, double *ret_units, struct lt_err *err)
{
	const struct launch_reply *reply = &x->trial.reply;
	PAGES_AUTO struct pages pages = PAGES_NONE;
	int r = pages_of_run(&pages, &x->stats, x->root_fd, reply->pid, reply->begin_ns,
		reply->end_ns, reply->others != 0, err);
	return r < 0 ? r : program_take(&x->program, &pages, t, false, ret_units, err);
}

/* `units`: counted by the program itself; what the user stated goes before. */
static int take_work(struct experiment *x, struct trial *t, double units, struct lt_err *err)
{
	int r = 0;
	if (x->work.matching) {
		r = streams_output(&x->streams, &x->output, err);
		t->work = r < 0
			? 0
			: work_of(&x->work, x->output.data ? x->output.data : "", x->output.len);
		if (r >= 0 && !(t->work > 0)) { /* not on stdout: perhaps it said so on stderr */
			t->work = work_of(&x->work, x->streams.talk, x->streams.talk_len);
		}
	} else {
		t->work = x->work.constant > 0 ? x->work.constant : units;
	}
	return r;
}

static int take_output(struct experiment *x, struct trial *t, struct lt_err *err)
{
	struct digest d;
	int r = streams_digest(&x->streams, &d, err);
	if (r < 0)
		return r;
	t->out_hash = digest_hash(&d);
	t->out_text = digest_text(&d);
	t->outcome.out_bytes = d.bytes;
	return 0;
}

/* Under an instrument another command runs, which runs ours. */
static int wrap(struct experiment *x, int evidence, struct run_command *cmd, struct lt_err *err)
{
	char **argv;
	if (evidence < 0)
		return 0;
	int r = meterset_wrap(&x->meters, (size_t)evidence, cmd->argv, &argv, err);
	if (r < 0)
		return r;
	cmd->path = argv[0];
	cmd->argv = argv;
	return 0;
}

static void start_meters(struct experiment *x, int evidence)
{
	struct meter_window before = { 0 };
	if (evidence >= 0)
		meterset_start_evidence(&x->meters, (size_t)evidence, &before);
	else
		meterset_start(&x->meters, &before);
}

static void read_meters(struct experiment *x, int evidence, struct value *ret)
{
	if (evidence >= 0)
		meterset_read_evidence(&x->meters, (size_t)evidence, &x->trial.window, ret);
	else
		meterset_read(&x->meters, &x->trial.window, ret);
}

/* What else a run leaves behind: its pages, its work, its processes, its output. */
static int take_rest(struct experiment *x, struct trial *t, struct lt_err *err)
{
	double units;
	int r = take_program(x, t, &units, err);
	if (r >= 0)
		r = take_work(x, t, units, err);
	if (r >= 0)
		r = trial_run_end(&x->trial, err);
	if (r >= 0 && x->hash && x->streams.out_file >= 0)
		r = take_output(x, t, err);
	return r;
}

int experiment_trial(struct experiment *x, unsigned variant, unsigned block, int evidence,
	bool warmup, struct lt_err *err)
{
	struct run_command cmd = x->cmds[x->rec->variants[variant].aa ? 0 : variant];
	x->running = variant;
	int r = prepare(x, err);
	if (r == -ECANCELED)
		return end_without_start(x, variant, block, r, err);
	if (r >= 0)
		r = wrap(x, evidence, &cmd, err);
	if (r < 0 || x->signals->last)
		return r;
	struct trial_run *run = &x->trial;
	run->envp = environment_with(&x->env, x->pad, cmd.env, cmd.n_env);
	if (!run->envp)
		return lt_fail_mem(err);
	start_meters(x, evidence);
	int64_t at = lt_now_ns();
	r = trial_run_wait(run, &cmd, err);
	if (r < 0 && run->outcome.kind == OUTCOME_NOT_STARTED)
		return end_without_start(x, variant, block, r, err);
	if (r < 0)
		return r;
	struct trial *t = add_trial(x, variant, block, at);
	if (!t)
		return lt_fail_mem(err);
	read_meters(x, evidence, t->readings);
	t->warmup = warmup;
	t->evidence = evidence >= 0;
	t->outcome = run->outcome;
	bool good = experiment_succeeded(x, &t->outcome);
	t->kept = good && !warmup;
	x->last_wall_ns = meter_window_wall_ns(&run->window);
	if (evidence < 0 && !run->look) {
		x->rec->own.window_wakeups += run->own_wakeups;
		x->rec->own.window_ns += x->last_wall_ns;
	}
	r = take_rest(x, t, err);
	if (!good && !x->signals->last && !x->opts->ignore_failure && !x->go_on)
		x->failed = true;
	return r;
}

bool experiment_must_stop(const struct experiment *x)
{
	return x->failed || x->signals->last;
}

int experiment_block(
	struct experiment *x, const int *list, size_t n, bool warmup, struct lt_err *err)
{
	int order[EXPERIMENT_VARIANTS];
	memcpy(order, list, n * sizeof(*order));
	stats_rng_shuffle(&x->rng, order, n);
	x->pad = (size_t)stats_rng_below(&x->rng, ENVIRONMENT_PAD);
	unsigned block = x->next_block++;
	for (size_t i = 0; i < n && !experiment_must_stop(x); i++) {
		int r = experiment_trial(x, (unsigned)order[i], block, -1, warmup, err);
		if (r < 0)
			return r;
	}
	if (!warmup)
		x->blocks_kept++;
	experiment_progress(x, (unsigned)list[0], 0);
	return 0;
}
