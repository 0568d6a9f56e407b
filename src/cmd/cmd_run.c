/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `leat run -- CMD`: what a program costs. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/parse.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/outcome.h"
#include "cmd/output.h"
#include "cmd/progress.h"
#include "run/experiment.h"

enum {
	KEY_FOR = CMD_OPTIONS_OWN,
	KEY_PASS_EXIT,
	KEY_PRECISION,
};

struct run_input {
	struct cmd_options common;
	char **words; /* the command; NULL = none */
	bool pass_exit, precision_given, for_given;
};

static const struct argp_option options[] = {
	{ "precision", KEY_PRECISION, "SHARE", 0,
		"Run until the 95 % interval of the primary metric is this narrow (1%)", 1 },
	{ NULL, 'p', "PID", 0, "Measure a running process instead", 5 },
	{ "for", KEY_FOR, "S", 0, "With -p: for how long (5s)", 5 },
	{ "pass-exit", KEY_PASS_EXIT, NULL, 0,
		"One run with the terminal's streams; end with the program's own exit code", 5 },
	{ 0 },
};

static const char doc[] =
	"Run CMD again and again and show what it costs, with 95 % intervals: time, CPU, cores, "
	"memory, faults, switches, I/O. Runs until the wall time is known to 1 %, or 30 s have "
	"passed."
	"\v"
	"Exit codes: 0 done, 2 usage, 3 cannot be measured here, 4 the program failed, 5 leat "
	"failed, 130 and 143 after ^C and SIGTERM.\n\n"
	"Examples:\n"
	"  leat run -- sort big.txt\n"
	"  leat run -n 20 --stdin words.txt --stdout pipe -- sort -u\n"
	"  leat run --shell -- 'zcat log.gz | wc -l'\n"
	"  leat run --work-from 'requests: ([0-9]+)' -- ./server-bench\n"
	"  leat run -p 1234 --for 10s";

static int take(struct run_input *in, int key, const char *arg, struct lt_err *err)
{
	struct run_opts *run = &in->common.run;
	uint64_t pid;
	int r;
	switch (key) {
	case 'p':
		r = lt_parse_u64(arg, "-p", 1, 1 << 22, &pid, err);
		run->attach = r < 0 ? 0 : (pid_t)pid;
		return r;
	case KEY_FOR:
		in->for_given = true;
		return lt_parse_duration_ns(arg, "--for", &run->attach_ns, err);
	case KEY_PASS_EXIT:
		in->pass_exit = true;
		return 0;
	case KEY_PRECISION:
		in->precision_given = true;
		return lt_parse_fraction(arg, "--precision", &run->precision, err);
	default:
		return -ENOSYS;
	}
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct run_input *in = state->input;
	if (key == ARGP_KEY_INIT) {
		state->child_inputs[0] = &in->common;
		return 0;
	}
	if (key == ARGP_KEY_ARG) {
		in->words = cmd_options_command(state);
		return 0;
	}
	return cmd_options_answer(take(in, key, arg, &in->common.err));
}

static int check_attach(struct run_input *in, struct lt_err *err)
{
	struct run_opts *run = &in->common.run;
	if (in->words)
		return lt_fail(err, -EINVAL, "LT-OPTION",
			"-p measures a running process: no command, please");
	if (in->pass_exit || run->count || run->work_from || run->prepare || in->common.n_given)
		return lt_fail(err, -EINVAL, "LT-OPTION",
			"-p starts nothing: -n, --pass-exit, --count, --work-from and --prepare do "
			"not go with it");
	if (run->region)
		return lt_fail(err, -EINVAL, "LT-OPTION",
			"-p measures windows of time: it shows regions, --region does not go with "
			"it");
	if (!run->attach_ns)
		run->attach_ns = 5 * LT_NS_PER_S;
	run->design = RUN_FIXED;
	return 0;
}

/* One run as under time(1): the program has leat's own streams and process group. */
static int check_pass_exit(struct run_input *in, struct lt_err *err)
{
	struct run_opts *run = &in->common.run;
	if (in->common.n_given && run->n != 1)
		return lt_fail(err, -EINVAL, "LT-OPTION",
			"--pass-exit is for a single run, not -n %u", run->n);
	if (run->pty || run->count)
		return lt_fail(
			err, -EINVAL, "LT-OPTION", "--pass-exit does not go with --pty or --count");
	run->n = 1;
	run->warmup = 0;
	if (run->stdin_mode == RUN_STDIN_EMPTY)
		run->stdin_mode = RUN_STDIN_INHERIT;
	if (!run->stdout_given)
		run->stdout_mode = RUN_STDOUT_INHERIT;
	run->stderr_inherit = true;
	run->same_group = true;
	run->any_end = true;
	return 0;
}

static int check(struct run_input *in, struct lt_err *err)
{
	struct run_opts *run = &in->common.run;
	int r = cmd_options_check(&in->common, err);
	if (r < 0)
		return r;
	if (run->attach)
		return check_attach(in, err);
	if (in->for_given)
		return lt_fail(err, -EINVAL, "LT-OPTION", "--for goes with -p PID");
	if (!in->words) {
		lt_err_set(err, -EINVAL, "LT-COMMAND-EMPTY", "no command to run");
		return lt_hint(err, "leat run -- CMD, or 'leat run --help'");
	}
	if (!run->warmup_given)
		run->warmup = run->n ? 0 : 1; /* -n 3 starts it three times, no more */
	if (in->pass_exit) {
		r = check_pass_exit(in, err);
		if (r < 0)
			return r;
	}
	if (run->n && in->precision_given)
		return lt_fail(err, -EINVAL, "LT-OPTION", "-n and --precision exclude each other");
	run->design = run->n ? RUN_FIXED : RUN_PRECISION;
	if (!in->precision_given)
		run->precision = 0.01;
	if (!in->common.budget_given &&
		!run->n) /* asked for a number: only a stated time ends it */
		run->budget_ns = 30 * LT_NS_PER_S;
	return 0;
}

/* How leat ends, by how the experiment did. */
static int exit_code(const struct run_input *in, const struct record *rec)
{
	const struct trial *last = rec->n_trials ? &rec->trials[rec->n_trials - 1] : NULL;
	if (rec->plan.stop_signal)
		return CMD_SIGNAL + rec->plan.stop_signal;
	if (in->pass_exit && last && last->outcome.kind == OUTCOME_EXIT)
		return last->outcome.code;
	if (in->pass_exit && last && last->outcome.kind == OUTCOME_SIGNAL)
		return CMD_SIGNAL + last->outcome.code;
	return outcome_exit(rec);
}

static int measure(struct run_input *in, const struct run_command *cmd, struct output *out)
{
	struct lt_err *err = &in->common.err;
	LT_AUTO_RECORD struct record *rec = NULL;
	struct progress progress;
	struct run_hooks hooks = progress_hooks(&progress, in->common.quiet || in->pass_exit);
	hooks.signals = &in->common.signals;
	int r = experiment_run(in->common.run.attach ? "attach" : "run", &in->common.run, cmd, 1,
		&hooks, &rec, err);
	progress_clear(&progress);
	if (r < 0)
		return cmd_fail(err, cmd_exit_of(err));
	if (in->pass_exit)
		out->text = stderr; /* stdout is the program's */
	r = output_write(out, rec, err);
	if (r < 0)
		return cmd_fail(err, CMD_INTERNAL);
	outcome_tell(rec);
	return exit_code(in, rec);
}

static int run_run(int argc, char **argv)
{
	static const struct argp_child children[] = { { .argp = &cmd_options_argp }, { 0 } };
	static const struct argp argp = { .options = options,
		.parser = parse_option,
		.args_doc = "[--] CMD [ARG...]",
		.doc = doc,
		.children = children };
	struct run_input in = { .common = CMD_OPTIONS_NONE };
	CMD_OPTIONS_AUTO struct cmd_options *common = &in.common;
	struct lt_err *err = &common->err;
	int code = cmd_options_parse(&argp, argc, argv, ARGP_IN_ORDER, &in, err);
	if (code != CMD_OK)
		return code;
	struct run_command cmd = { .name = "process", .display = "process" };
	int r = check(&in, err);
	if (r >= 0 && common->run.attach) {
		cmd.display =
			lt_arena_printf(&common->arena, "process %d", (int)common->run.attach);
		cmd.name = cmd.display;
	} else if (r >= 0) {
		r = run_command_words(in.words, &common->how, &common->arena, &cmd, err);
	}
	LT_AUTO(output_close) struct output out = OUTPUT_NONE;
	if (r >= 0)
		r = output_open(&out, common, err);
	return r < 0 ? cmd_fail(err, cmd_exit_of(err)) : measure(&in, &cmd, &out);
}

const struct cmd cmd_run = {
	.name = "run",
	.brief = "repeat a program and show what it costs",
	.run = run_run,
};
