/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `leat scale -- CMD {threads}`: how a program scales, why not better, and what helps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/parse.h"
#include "cause/cause.h"
#include "cause/name.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/outcome.h"
#include "cmd/output.h"
#include "cmd/progress.h"
#include "ledger/bottleneck.h"
#include "ledger/time.h"
#include "run/sweep.h"
#include "run/sweep_remedies.h"

enum {
	KEY_THREADS = CMD_OPTIONS_OWN,
	KEY_FACTOR,
	KEY_AT,
	KEY_STRONG,
	KEY_WEAK,
	KEY_EVEN_BUSY,
	KEY_TRY,
	KEY_CURVE,
};

enum {
	BUDGET_S = 85,
	CURVE_BUDGET_S = 18, /* for the curve alone */
	CAUSES_MAX = 32,
};

struct scale_input {
	struct cmd_options common;
	struct sweep_opts sweep;
	size_t cap_factors;
	const char *try_list; /* NULL = by the causes */
};

static const struct argp_option options[] = {
	{ NULL, 0, NULL, 0, "What is swept", 1 },
	{ "threads", KEY_THREADS, "LIST", 0,
		"Thread counts, such as 1,2,4-8 (1, 2, 4, ... all CPUs, twice as many)", 1 },
	{ "factor", KEY_FACTOR, "NAME=A,B,...", 0,
		"Levels for {NAME} in the command, alone or with threads; may be repeated", 1 },
	{ "at", KEY_AT, "THREADS", 0, "Explain this thread count (the most with a CPU each)", 1 },
	{ "strong", KEY_STRONG, NULL, 0, "More threads share the same work; else found out", 1 },
	{ "weak", KEY_WEAK, NULL, 0, "Every thread brings its own work", 1 },
	{ "try", KEY_TRY, "all|none|LIST", 0,
		"Remedies to try; else those for the causes found; see 'leat list remedies'", 1 },
	{ "curve", KEY_CURVE, NULL, 0, "The curve alone: no reasons, no remedies", 1 },
	{ "even-busy", KEY_EVEN_BUSY, NULL, 0, "Judge although the machine is busy", 1 },
	{ 0 },
};

static const char doc[] =
	"Run CMD with more and more threads; show its speed-up, where the lost time goes and why, "
	"and what helps. {threads} in CMD is replaced by the number; without it the variables "
	"that common runtimes read, and the CPUs that the program may use, carry it."
	"\v"
	"Exit codes: 0 done, 2 usage, 3 undecided because the machine is busy, 4 the program "
	"failed, 5 leat failed, 130 and 143 after ^C and SIGTERM.\n\n"
	"Examples:\n"
	"  leat scale -- ./prog {threads}\n"
	"  leat scale --threads 1,2,4,8 -- sort --parallel={threads} big.txt\n"
	"  leat scale -- ./openmp-program\n"
	"  leat scale --work-from 'ops: ([0-9]+)' -- ./bench -t {threads}\n"
	"  leat scale --factor block=4k,64k,1M -- ./copy --block {block}";

static int take(struct scale_input *in, int key, const char *arg, struct lt_err *err)
{
	struct sweep_opts *o = &in->sweep;
	uint64_t v;
	int r;
	switch (key) {
	case KEY_THREADS:
		o->threads = arg;
		return 0;
	case KEY_FACTOR:
		return cmd_options_append(
			&in->common, &o->factors, &o->n_factors, &in->cap_factors, arg, err);
	case KEY_AT:
		r = lt_parse_u64(arg, "--at", 1, 1 << 16, &v, err);
		o->focus = r < 0 ? 0 : (unsigned)v;
		return r;
	case KEY_STRONG:
		o->mode = SCALE_STRONG;
		return 0;
	case KEY_WEAK:
		o->mode = SCALE_WEAK;
		return 0;
	case KEY_TRY:
		in->try_list = arg;
		return remedies_check(arg, err);
	case KEY_CURVE:
		o->curve_only = true;
		return 0;
	case KEY_EVEN_BUSY:
		o->even_busy = true;
		return 0;
	default:
		return -ENOSYS;
	}
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct scale_input *in = state->input;
	if (key == ARGP_KEY_INIT) {
		state->child_inputs[0] = &in->common;
		return 0;
	}
	if (key == ARGP_KEY_ARG) {
		in->sweep.words = cmd_options_command(state);
		return 0;
	}
	return cmd_options_answer(take(in, key, arg, &in->common.err));
}

static int check(struct scale_input *in, struct lt_err *err)
{
	int r = cmd_options_check(&in->common, err);
	if (r < 0)
		return r;
	if (!in->sweep.words) {
		lt_err_set(err, -EINVAL, "LT-COMMAND-EMPTY", "no command to run");
		return lt_hint(err, "leat scale -- CMD {threads}, or 'leat scale --help'");
	}
	if (in->common.run.count || in->common.run.primary)
		return lt_fail(err, -EINVAL, "LT-OPTION",
			"scale judges the wall time: --count and --primary do not go with it");
	in->sweep.run = in->common.run;
	in->sweep.how = in->common.how;
	if (!in->common.budget_given)
		in->sweep.run.budget_ns =
			LT_NS_PER_S * (in->sweep.curve_only ? CURVE_BUDGET_S : BUDGET_S);
	return 0;
}

static int exit_code(const struct record *rec)
{
	const struct scaling *s = rec->scaling;
	if (rec->plan.stop_signal)
		return CMD_SIGNAL + rec->plan.stop_signal;
	if (s->baseline < 0)
		return CMD_PROGRAM;
	for (size_t i = 0; i < rec->n_curve; i++)
		if (rec->curve[i].n == 0 && !rec->curve[i].remedy &&
			!(rec->curve[i].given_up_ns > 0))
			return CMD_PROGRAM;
	return s->busy ? CMD_CANNOT : CMD_OK;
}

/* Is the answer of the curve one to be explained? */
static bool asks_why(
	const struct scale_input *in, const struct sweep *sweep, const struct record *rec)
{
	const struct scaling *s = rec->scaling;
	return !in->sweep.curve_only && !sweep_over(sweep) && !s->busy && s->focus >= 0 &&
		s->focus != s->baseline;
}

/* Evidence of the point of interest and, where time allows, of the baseline; from them the
 * ledger, and the causes. */
static int explain(struct sweep *sweep, struct record *rec, struct lt_err *err)
{
	struct evidence *at = NULL, *base = NULL;
	const struct scaling *s = rec->scaling;
	int r = sweep_observe(sweep, (unsigned)s->focus, &at, err);
	const struct curve_point *one = record_point(rec, (unsigned)s->baseline);
	bool time = one && one->wall_ns.value.num < 0.1 * (double)sweep_left_ns(sweep);
	if (r >= 0 && at && time)
		r = sweep_observe(sweep, (unsigned)s->baseline, &base, err);
	if (r >= 0)
		r = sweep_look_for_units(sweep, err);
	if (r >= 0)
		r = ledger_time(rec, at, base, err);
	if (r >= 0)
		r = cause_name(rec, at, err);
	return r;
}

static int heal(struct scale_input *in, struct sweep *sweep, struct record *rec)
{
	const char *causes[CAUSES_MAX];
	struct remedies_opts opts = {
		.list = in->try_list, .causes = causes, .seed = in->sweep.run.seed
	};
	for (size_t i = 0; i < rec->n_findings && opts.n_causes < CAUSES_MAX; i++)
		if (cause_find(rec->findings[i].id))
			causes[opts.n_causes++] = rec->findings[i].id;
	return sweep_remedies(sweep, &opts, &in->common.err);
}

/* Everything after the curve. */
static int go_on(struct scale_input *in, struct sweep *sweep)
{
	struct record *rec = sweep_record(sweep);
	struct lt_err *err = &in->common.err;
	int r = asks_why(in, sweep, rec) ? explain(sweep, rec, err) : 0;
	if (r >= 0 && asks_why(in, sweep, rec)) /* still: that takes time, and may be stopped */
		r = heal(in, sweep, rec);
	if (r >= 0)
		r = sweep_finish(sweep, err);
	return r < 0 || rec->scaling->focus < 0
		? r
		: ledger_bottleneck(rec, (unsigned)rec->scaling->focus, err);
}

static int measure(struct scale_input *in, struct output *out)
{
	struct lt_err *err = &in->common.err;
	SWEEP_AUTO struct sweep *sweep = NULL;
	struct progress progress;
	struct run_hooks hooks = progress_hooks(&progress, in->common.quiet);
	hooks.signals = &in->common.signals;
	int r = sweep_open(&sweep, &in->sweep, &hooks, err);
	if (r >= 0)
		r = sweep_time(sweep, err);
	progress_clear(&progress);
	/* The first half of the answer is known long before the rest. */
	if (r >= 0 && record_factor(sweep_record(sweep), "threads") >= 0)
		r = output_first(out, sweep_record(sweep), err);
	if (r >= 0)
		r = go_on(in, sweep);
	progress_clear(&progress);
	if (r < 0)
		return cmd_fail(err, cmd_exit_of(err));
	const struct record *rec = sweep_record(sweep);
	r = output_write(out, rec, err);
	if (r < 0)
		return cmd_fail(err, CMD_INTERNAL);
	return exit_code(rec);
}

static int scale_run(int argc, char **argv)
{
	static const struct argp_child children[] = { { .argp = &cmd_options_argp }, { 0 } };
	static const struct argp argp = { .options = options,
		.parser = parse_option,
		.args_doc = "[--] CMD [ARG...]",
		.doc = doc,
		.children = children };
	struct scale_input in = { .common = CMD_OPTIONS_NONE };
	CMD_OPTIONS_AUTO struct cmd_options *common = &in.common;
	struct lt_err *err = &common->err;
	int code = cmd_options_parse(&argp, argc, argv, ARGP_IN_ORDER, &in, err);
	if (code != CMD_OK)
		return code;
	LT_AUTO(output_close) struct output out = OUTPUT_NONE;
	int r = check(&in, err);
	if (r >= 0)
		r = output_open(&out, common, err);
	return r < 0 ? cmd_fail(err, cmd_exit_of(err)) : measure(&in, &out);
}

const struct cmd cmd_scale = {
	.name = "scale",
	.brief = "how a program scales, why not better, and what helps",
	.run = scale_run,
};
