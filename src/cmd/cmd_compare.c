/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `leat compare -- 'A' 'B'`: is there a difference, and how large. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/parse.h"
#include "cmd/cmd.h"
#include "cmd/files.h"
#include "cmd/options.h"
#include "cmd/outcome.h"
#include "cmd/output.h"
#include "cmd/progress.h"
#include "run/experiment.h"
#include "run/merge.h"
#include "run/published.h"

enum {
	KEY_SAME = CMD_OPTIONS_OWN,
	KEY_PLAN,
	KEY_GATE,
	KEY_AA,
	KEY_REPORTED,
	KEY_REPORTED_AS,
	KEY_MAX,
};

struct compare_input {
	struct cmd_options common;
	const char *const *operands;
	size_t n_operands, cap_operands;
	bool reported;
	enum stats_spread spread;
};

static const struct argp_option options[] = {
	{ "max", KEY_MAX, "PAIRS", 0, "Without -n: at most this many pairs (200)", 1 },
	{ "same", KEY_SAME, "SHARE", 0, "Differences within this are called the same (1%)", 5 },
	{ "plan", KEY_PLAN, "SHARE", 0, "Tell how many pairs would prove such a difference", 5 },
	{ "gate", KEY_GATE, "'METRIC +X%'", 0,
		"Exit code 1 if it is proved that the metric rose by more; may be repeated", 5 },
	{ "aa", KEY_AA, NULL, 0, "First run A against itself: is this machine fit to judge?", 5 },
	{ "reported", KEY_REPORTED, NULL, 0,
		"Judge published results 'VALUE ± SPREAD' instead; -n says from how many runs", 5 },
	{ "reported-as", KEY_REPORTED_AS, "se|sd|ci95", 0,
		"What their ± is (se, as perf stat prints)", 5 },
	{ 0 },
};

static const char doc[] =
	"Run the commands in pairs, in random order within each pair, and tell whether they "
	"differ: ratio with 95 % interval, verdict, and the smallest difference that could have "
	"been seen. Stops as soon as the difference is decided; at most 200 pairs or 60 s. Every "
	"further command is compared with the first."
	"\v"
	"A command may be given a name: NAME=CMD. Saved records are compared too.\n\n"
	"Exit codes: 0 done, 1 a gate is violated or --aa found the machine unfit, 2 usage, 3 "
	"cannot be decided here, 4 a program failed, 5 leat failed, 130 and 143 after ^C and "
	"SIGTERM.\n\n"
	"Examples:\n"
	"  leat compare -- 'gzip -c big.txt' 'xz -0 -c big.txt'\n"
	"  leat compare -n 40 --gate 'wall +5%' -- 'old=./a.out' 'new=./b.out'\n"
	"  leat compare monday.json tuesday.json\n"
	"  leat compare --reported -n 200 '2085813986 ±0.16%' '2078109565 ±0.14%'";

static int take_spread(struct compare_input *in, const char *arg, struct lt_err *err)
{
	static const struct {
		const char *name;
		enum stats_spread spread;
	} kinds[] = { { "se", STATS_SPREAD_SE }, { "sd", STATS_SPREAD_SD },
		{ "ci95", STATS_SPREAD_CI95 } };
	for (size_t i = 0; i < LT_COUNT(kinds); i++) {
		if (!strcmp(arg, kinds[i].name)) {
			in->spread = kinds[i].spread;
			return 0;
		}
	}
	return lt_fail(
		err, -EINVAL, "LT-OPTION", "--reported-as: '%.80s' is not se, sd or ci95", arg);
}

static int take(struct compare_input *in, int key, const char *arg, struct lt_err *err)
{
	struct cmd_options *o = &in->common;
	uint64_t v;
	int r;
	switch (key) {
	case KEY_MAX:
		r = lt_parse_u64(arg, "--max", 6, 1000000, &v, err);
		o->run.n_max = r < 0 ? 0 : (unsigned)v;
		return r;
	case KEY_SAME:
		o->run.same_given = true;
		return lt_parse_fraction(arg, "--same", &o->run.same, err);
	case KEY_PLAN:
		return lt_parse_fraction(arg, "--plan", &o->run.plan_effect, err);
	case KEY_GATE:
		return cmd_options_append(
			o, &o->run.gates, &o->run.n_gates, &o->cap_gates, arg, err);
	case KEY_AA:
		o->run.aa = true;
		return 0;
	case KEY_REPORTED:
		in->reported = true;
		return 0;
	case KEY_REPORTED_AS:
		return take_spread(in, arg, err);
	case ARGP_KEY_ARG:
		return cmd_options_append(
			o, &in->operands, &in->n_operands, &in->cap_operands, arg, err);
	default:
		return -ENOSYS;
	}
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct compare_input *in = state->input;
	if (key == ARGP_KEY_INIT) {
		state->child_inputs[0] = &in->common;
		return 0;
	}
	return cmd_options_answer(take(in, key, arg, &in->common.err));
}

static int check(struct compare_input *in, struct lt_err *err)
{
	struct cmd_options *o = &in->common;
	int r = cmd_options_check(o, err);
	if (r < 0)
		return r;
	if (in->n_operands < 2) {
		lt_err_set(err, -EINVAL, "LT-COMMAND-EMPTY",
			"%s to compare: at least two are needed",
			in->n_operands ? "only one command" : "no commands");
		return lt_hint(err,
			"leat compare -- 'CMD A' 'CMD B'; each command is one quoted argument");
	}
	if (o->run.n && o->run.n_max)
		return lt_fail(err, -EINVAL, "LT-OPTION", "-n and --max exclude each other");
	o->run.design = o->run.n ? RUN_FIXED : RUN_SEQUENCE;
	if (!o->run.n && !o->run.n_max)
		o->run.n_max = 200;
	if (!o->budget_given && !o->run.n) /* as in run */
		o->run.budget_ns = 60 * LT_NS_PER_S;
	if (!o->run.warmup_given)
		o->run.warmup = 1;
	if (!o->run.same_given)
		o->run.same = 0.01;
	return 0;
}

/* "NAME=CMD": a name is a word that no file is called by, in front of more. */
static const char *take_name(struct compare_input *in, const char *operand, const char **ret_line)
{
	size_t len = strspn(
		operand, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");
	if (len == 0 || operand[len] != '=' || !operand[len + 1]) {
		*ret_line = operand;
		return NULL;
	}
	*ret_line = operand + len + 1;
	return lt_arena_strndup(&in->common.arena, operand, len);
}

/* A command of this many columns can stand for itself in a table. */
enum {
	SHORT_COMMAND = 16
};

/* Names are what the report calls the commands: short, and each its own. Commands too long
 * for a name become A, B, C. */
static int name_commands(struct compare_input *in, struct run_command *cmds, struct lt_err *err)
{
	bool letters = false;
	for (size_t i = 0; i < in->n_operands; i++)
		letters |= cmds[i].name == cmds[i].display && strlen(cmds[i].name) > SHORT_COMMAND;
	for (size_t i = 0; i < in->n_operands; i++) {
		struct run_command *c = &cmds[i];
		bool taken = false;
		if (letters && c->name == c->display)
			c->name = lt_arena_printf(&in->common.arena, i < 26 ? "%c" : "#%d",
				i < 26 ? (int)('A' + i) : (int)i + 1);
		for (size_t k = 0; k < i && c->name; k++)
			taken |= !strcmp(c->name, cmds[k].name);
		if (taken)
			c->name = lt_arena_printf(&in->common.arena, "%s (%zu)", c->name, i + 1);
		if (!c->name)
			return lt_fail_mem(err);
	}
	return 0;
}

static int compare_commands(struct compare_input *in, struct record **ret, struct lt_err *err)
{
	struct cmd_options *o = &in->common;
	struct run_command *cmds = lt_arena_alloc(&o->arena, in->n_operands * sizeof(*cmds));
	if (!cmds)
		return lt_fail_mem(err);
	for (size_t i = 0; i < in->n_operands; i++) {
		const char *line, *name = take_name(in, in->operands[i], &line);
		int r = run_command_line(line, &o->how, &o->arena, &cmds[i], err);
		if (r < 0)
			return r;
		if (name)
			cmds[i].name = name;
	}
	int r = name_commands(in, cmds, err);
	if (r < 0)
		return r;
	struct progress progress;
	struct run_hooks hooks = progress_hooks(&progress, o->quiet);
	hooks.signals = &in->common.signals;
	r = experiment_run("compare", &o->run, cmds, in->n_operands, &hooks, ret, err);
	progress_clear(&progress);
	return r;
}

/* A record's name ends in .json, and it cannot be executed. */
static bool is_record(struct compare_input *in, const char *operand)
{
	const char *path;
	struct stat st;
	take_name(in, operand, &path);
	size_t len = strlen(path);
	if (len < 6 || strcmp(path + len - 5, ".json"))
		return false;
	return stat(path, &st) < 0 || !S_ISREG(st.st_mode) || !(st.st_mode & 0111);
}

static size_t count_records(struct compare_input *in)
{
	size_t n = 0;
	for (size_t i = 0; i < in->n_operands; i++)
		n += is_record(in, in->operands[i]);
	return n;
}

static int fail_mixed(struct compare_input *in, struct lt_err *err)
{
	const char *record = NULL, *command = NULL;
	for (size_t i = 0; i < in->n_operands; i++)
		*(is_record(in, in->operands[i]) ? &record : &command) = in->operands[i];
	lt_err_set(err, -EINVAL, "LT-OPTION", "'%.200s' is a saved record, '%.200s' a command",
		record, command);
	return lt_hint(err, "save a record of it first: leat run --json FILE -- CMD");
}

static void free_records(struct record ***list)
{
	for (size_t i = 0; *list && (*list)[i]; i++)
		record_free((*list)[i]);
	free(*list);
}

static int compare_records(struct compare_input *in, struct record **ret, struct lt_err *err)
{
	LT_AUTO(free_records) struct record **recs = calloc(in->n_operands + 1, sizeof(*recs));
	if (!recs)
		return lt_fail_mem(err);
	const char **names = lt_arena_alloc(&in->common.arena, in->n_operands * sizeof(*names));
	if (!names)
		return lt_fail_mem(err);
	for (size_t i = 0; i < in->n_operands; i++) {
		const char *path, *name = take_name(in, in->operands[i], &path);
		const char *slash = strrchr(path, '/');
		names[i] = name ? name : slash ? slash + 1 : path;
		int r = files_load(path, &recs[i], err);
		if (r < 0)
			return r;
	}
	return merge_records(recs, names, in->n_operands, &in->common.run, ret, err);
}

static int compare_reported(struct compare_input *in, struct record **ret, struct lt_err *err)
{
	if (in->n_operands != 2)
		return lt_fail(err, -EINVAL, "LT-REPORTED", "--reported takes two results, not %zu",
			in->n_operands);
	return published_judge(in->operands, in->spread, &in->common.run, ret, err);
}

static int answer(struct compare_input *in, struct output *out)
{
	struct lt_err *err = &in->common.err;
	LT_AUTO_RECORD struct record *rec = NULL;
	int r = check(in, err);
	size_t records = in->reported ? 0 : count_records(in);
	bool running = r >= 0 && !in->reported && records == 0;
	if (running) /* an unwritable file must not cost a minute */
		r = output_open(out, &in->common, err);
	if (running && r >= 0)
		r = compare_commands(in, &rec, err);
	else if (r >= 0 && in->reported)
		r = compare_reported(in, &rec, err);
	else if (r >= 0 && records == in->n_operands)
		r = compare_records(in, &rec, err);
	else if (r >= 0)
		r = fail_mixed(in, err);
	if (r >= 0 && !running)
		r = output_open(out, &in->common, err);
	if (r < 0)
		return cmd_fail(err, cmd_exit_of(err));
	r = output_write(out, rec, err);
	if (r < 0)
		return cmd_fail(err, CMD_INTERNAL);
	outcome_tell(rec);
	return outcome_exit(rec);
}

static int compare_run(int argc, char **argv)
{
	static const struct argp_child children[] = { { .argp = &cmd_options_argp }, { 0 } };
	static const struct argp argp = { .options = options,
		.parser = parse_option,
		.args_doc = "[--] 'A' 'B' ['C'...]",
		.doc = doc,
		.children = children };
	struct compare_input in = { .common = CMD_OPTIONS_NONE, .spread = STATS_SPREAD_SE };
	CMD_OPTIONS_AUTO struct cmd_options *common = &in.common;
	LT_AUTO(output_close) struct output out = OUTPUT_NONE;
	int code = cmd_options_parse(&argp, argc, argv, 0, &in, &common->err);
	return code == CMD_OK ? answer(&in, &out) : code;
}

const struct cmd cmd_compare = {
	.name = "compare",
	.brief = "prove or refute a difference between programs",
	.run = compare_run,
};
