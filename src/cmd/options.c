/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parsing the common options. */
#include "cmd/options.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/parse.h"
#include "base/str.h"
#include "cmd/cmd.h"

enum {
	KEY_WARMUP = 0x100,
	KEY_BUDGET,
	KEY_PIN,
	KEY_SEED,
	KEY_TIMEOUT,
	KEY_JSON,
	KEY_CSV,
	KEY_MARKDOWN,
	KEY_HTML,
	KEY_DEBUG,
	KEY_SHELL,
	KEY_LITERAL,
	KEY_STDIN,
	KEY_STDOUT,
	KEY_PTY,
	KEY_PREPARE,
	KEY_IGNORE,
	KEY_SUCCESS,
	KEY_ENV,
	KEY_CWD,
	KEY_WORK,
	KEY_WORK_FROM,
	KEY_WORK_COUNTER,
	KEY_REGION,
	KEY_PRIMARY,
	KEY_DESCENDANTS,
	KEY_COUNT,
};

static const struct argp_option options[] = {
	{ NULL, 0, NULL, 0, "How often", 1 },
	{ NULL, 'n', "RUNS", 0, "Exactly this many runs (compare: pairs)", 1 },
	{ "warmup", KEY_WARMUP, "N", 0, "Runs at the start that are discarded (1; run -n: 0)", 1 },
	{ "budget", KEY_BUDGET, "S", 0, "No new run begins after this time (run 30s, compare 60s)",
		1 },
	{ "timeout", KEY_TIMEOUT, "S", 0, "End a run that takes longer", 1 },
	{ "seed", KEY_SEED, "N", 0, "Seed of the random order; default: a new one, printed", 1 },

	{ NULL, 0, NULL, 0, "What is measured", 2 },
	{ NULL, 'm', "METER,...", 0, "Meters, NAME or NAME:ARG; see 'leat list meters'", 2 },
	{ "primary", KEY_PRIMARY, "METRIC", 0, "The metric that decides (wall)", 2 },
	{ "work", KEY_WORK, "N", 0, "Units of work per run: shows costs per unit", 2 },
	{ "work-from", KEY_WORK_FROM, "REGEX", 0,
		"Units of work from the program's output; group 1 is the number", 2 },
	{ "work-counter", KEY_WORK_COUNTER, "NAME", 0,
		"Units of work from this counter of a libleat program (its first), or none", 2 },
	{ "region", KEY_REGION, "NAME", 0,
		"Measure this region of a libleat program (its first), or none: whole runs", 2 },
	{ "count", KEY_COUNT, NULL, 0,
		"Count instructions and branches, by valgrind, in runs of their own", 2 },

	{ NULL, 0, NULL, 0, "How the program runs", 3 },
	{ "shell", KEY_SHELL, NULL, 0, "Run the command by sh -c", 3 },
	{ "literal", KEY_LITERAL, NULL, 0, "Pass words such as '<' on as arguments", 3 },
	{ "stdin", KEY_STDIN, "FILE", 0,
		"Its input, from the start each run; also: empty (default), inherit", 3 },
	{ "stdout", KEY_STDOUT, "MODE", 0, "null (default), pipe, file, file:PATH, inherit", 3 },
	{ "pty", KEY_PTY, NULL, 0, "Give it a pseudo-terminal", 3 },
	{ "prepare", KEY_PREPARE, "CMD", 0, "Run by sh -c before each run, not measured", 3 },
	{ "env", KEY_ENV, "NAME=VALUE", 0, "Set a variable; may be repeated", 3 },
	{ "cwd", KEY_CWD, "DIR", 0, "Its working directory", 3 },
	{ "pin", KEY_PIN, "CPUS", 0, "Its CPUs, such as 0-3,5", 3 },
	{ "descendants", KEY_DESCENDANTS, "kill|wait", 0,
		"What becomes of processes that outlive it (kill)", 3 },
	{ "success", KEY_SUCCESS, "CODES", 0, "Exit codes that mean success (0)", 3 },
	{ "ignore-failure", KEY_IGNORE, NULL, 0, "Go on after a failed run, and leave it out", 3 },

	{ NULL, 0, NULL, 0, "Results", 4 },
	{ "json", KEY_JSON, "FILE", 0, "Save the record; FILE may be - for stdout", 4 },
	{ "csv", KEY_CSV, "FILE", 0, "One row per run", 4 },
	{ "markdown", KEY_MARKDOWN, "FILE", 0, "Tables for an issue or a page", 4 },
	{ "html", KEY_HTML, "FILE", 0, "A page for a browser, with the charts of a sweep", 4 },
	{ "quiet", 'q', NULL, 0, "No report on the terminal, no progress", 4 },
	{ "verbose", 'v', NULL, 0, "Every metric with its spread, scope and source", 4 },
	{ "debug", KEY_DEBUG, "AREA,...", 0, "Say more: launch, meter, all", 4 },
	{ 0 },
};

int cmd_options_append(struct cmd_options *o, const char *const **list, size_t *n, size_t *cap,
	const char *word, struct lt_err *err)
{
	if (*n == *cap) {
		size_t more = *cap ? 2 * *cap : 8;
		const char **bigger = lt_arena_alloc(&o->arena, more * sizeof(*bigger));
		if (!bigger)
			return lt_fail_mem(err);
		if (*n)
			memcpy(bigger, *list, *n * sizeof(*bigger));
		*list = bigger;
		*cap = more;
	}
	((const char **)*list)[(*n)++] = word;
	return 0;
}

static int take_count(const char *arg, const char *what, unsigned *ret, struct lt_err *err)
{
	uint64_t v;
	int r = lt_parse_u64(arg, what, 1, 1000000, &v, err);
	if (r >= 0)
		*ret = (unsigned)v;
	return r;
}

static int take_stdin(struct run_opts *o, const char *arg)
{
	if (!strcmp(arg, "empty")) {
		o->stdin_mode = RUN_STDIN_EMPTY;
	} else if (!strcmp(arg, "inherit") || !strcmp(arg, "-")) {
		o->stdin_mode = RUN_STDIN_INHERIT;
	} else {
		o->stdin_mode = RUN_STDIN_FILE;
		o->stdin_path = arg;
	}
	return 0;
}

static int take_stdout(struct run_opts *o, const char *arg, struct lt_err *err)
{
	static const char *const names[] = { [RUN_STDOUT_NULL] = "null",
		[RUN_STDOUT_PIPE] = "pipe",
		[RUN_STDOUT_FILE] = "file",
		[RUN_STDOUT_INHERIT] = "inherit" };
	o->stdout_given = true;
	for (size_t i = 0; i < LT_COUNT(names); i++) {
		if (!strcmp(arg, names[i])) {
			o->stdout_mode = (enum run_stdout)i;
			return 0;
		}
	}
	if (!strncmp(arg, "file:", 5) && arg[5]) {
		o->stdout_mode = RUN_STDOUT_FILE;
		o->stdout_path = arg + 5;
		return 0;
	}
	lt_err_set(err, -EINVAL, "LT-OPTION", "--stdout: no mode '%.80s'", arg);
	return lt_hint(err, "null, pipe, file, file:PATH or inherit");
}

static int take_descendants(struct run_opts *o, const char *arg, struct lt_err *err)
{
	o->wait_descendants = !strcmp(arg, "wait");
	if (o->wait_descendants || !strcmp(arg, "kill"))
		return 0;
	return lt_fail(
		err, -EINVAL, "LT-OPTION", "--descendants: '%.80s' is neither kill nor wait", arg);
}

static int take_codes(struct run_opts *o, const char *arg, struct lt_err *err)
{
	for (const char *s = arg; s; s = lt_next_item(s, ',')) {
		size_t len = strspn(s, "0123456789");
		if (len == 0 || len > 3 || (s[len] && s[len] != ',') || atoi(s) > 255)
			return lt_fail(err, -EINVAL, "LT-OPTION",
				"--success: '%.80s' is not a list of exit codes such as 0,1", arg);
	}
	o->success = arg;
	return 0;
}

static int take_cwd(struct cmd_options *o, const char *arg, struct lt_err *err)
{
	struct stat st;
	if (stat(arg, &st) < 0)
		return lt_fail_sys(err, "LT-CWD", "--cwd: cannot enter '%.200s'", arg);
	if (!S_ISDIR(st.st_mode))
		return lt_fail(err, -ENOTDIR, "LT-CWD", "--cwd: '%.200s' is not a directory", arg);
	o->run.cwd = o->how.cwd = arg;
	return 0;
}

static int take_pin(struct cmd_options *o, const char *arg, struct lt_err *err)
{
	struct lt_cpuset allowed;
	if (lt_cpuset_parse(&o->pin, arg, NULL) < 0)
		return lt_fail(err, -EINVAL, "LT-PIN",
			"--pin: '%.80s' is not a list of CPUs such as 0-3,5", arg);
	int r = lt_cpuset_allowed(&allowed, err);
	if (r < 0)
		return r;
	for (unsigned cpu = 0; cpu < LT_CPUS_MAX; cpu++) {
		if (!lt_cpuset_has(&o->pin, cpu) || lt_cpuset_has(&allowed, cpu))
			continue;
		lt_err_set(err, -EINVAL, "LT-PIN",
			"--pin: CPU %u is not there, or not allowed here", cpu);
		return lt_hint(err, "allowed are %s", lt_cpuset_format(&allowed, &o->arena));
	}
	o->run.pin = &o->pin;
	return 0;
}

static int take_work(struct run_opts *o, const char *arg, struct lt_err *err)
{
	int r = lt_parse_double(arg, "--work", &o->work, err);
	if (r >= 0 && !(o->work > 0))
		return lt_fail(err, -ERANGE, "LT-VALUE", "--work: '%.80s' is not above 0", arg);
	return r;
}

static int take(struct cmd_options *o, int key, const char *arg, struct lt_err *err)
{
	struct run_opts *run = &o->run;
	uint64_t v;
	int r;
	switch (key) {
	case 'n':
		o->n_given = true;
		return take_count(arg, "-n", &run->n, err);
	case 'm':
		run->meters = arg;
		return 0;
	case 'q':
		o->quiet = true;
		return 0;
	case 'v':
		o->verbose = true;
		return 0;
	case KEY_WARMUP:
		r = lt_parse_u64(arg, "--warmup", 0, 1000000, &v, err);
		run->warmup_given = true;
		run->warmup = r < 0 ? 0 : (unsigned)v;
		return r;
	case KEY_BUDGET:
		o->budget_given = true;
		return lt_parse_duration_ns(arg, "--budget", &run->budget_ns, err);
	case KEY_TIMEOUT:
		return lt_parse_duration_ns(arg, "--timeout", &run->timeout_ns, err);
	case KEY_SEED:
		o->seed_given = true;
		return lt_parse_u64(arg, "--seed", 0, UINT64_MAX >> 1, &run->seed, err);
	case KEY_PRIMARY:
		run->primary = arg;
		return 0;
	case KEY_WORK:
		return take_work(run, arg, err);
	case KEY_WORK_FROM:
		run->work_from = arg;
		return 0;
	case KEY_WORK_COUNTER:
		run->work_counter = arg;
		return 0;
	case KEY_REGION:
		run->region = arg;
		return 0;
	case KEY_COUNT:
		run->count = true;
		return 0;
	case KEY_SHELL:
		o->how.shell = true;
		return 0;
	case KEY_LITERAL:
		o->how.literal = true;
		return 0;
	case KEY_STDIN:
		return take_stdin(run, arg);
	case KEY_STDOUT:
		return take_stdout(run, arg, err);
	case KEY_PTY:
		run->pty = true;
		return 0;
	case KEY_PREPARE:
		run->prepare = arg;
		return 0;
	case KEY_ENV:
		if (!strchr(arg, '=') || arg[0] == '=')
			return lt_fail(
				err, -EINVAL, "LT-ENV", "--env: '%.80s' is not NAME=VALUE", arg);
		return cmd_options_append(o, &run->env, &run->n_env, &o->cap_env, arg, err);
	case KEY_CWD:
		return take_cwd(o, arg, err);
	case KEY_PIN:
		return take_pin(o, arg, err);
	case KEY_DESCENDANTS:
		return take_descendants(run, arg, err);
	case KEY_SUCCESS:
		return take_codes(run, arg, err);
	case KEY_IGNORE:
		run->ignore_failure = true;
		return 0;
	case KEY_JSON:
		o->json = arg;
		return 0;
	case KEY_CSV:
		o->csv = arg;
		return 0;
	case KEY_MARKDOWN:
		o->markdown = arg;
		return 0;
	case KEY_HTML:
		o->html = arg;
		return 0;
	case KEY_DEBUG:
		lt_log_debug(arg);
		return 0;
	default:
		return -ENOSYS;
	}
}

error_t cmd_options_answer(int r)
{
	if (r == -ENOSYS)
		return ARGP_ERR_UNKNOWN;
	return r < 0 ? EINVAL : 0;
}

char **cmd_options_command(struct argp_state *state)
{
	char **words = &state->argv[state->next - 1];
	state->next = state->argc;
	return words;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct cmd_options *o = state->input;
	return cmd_options_answer(take(o, key, arg, &o->err));
}

const struct argp cmd_options_argp = { .options = options, .parser = parse_option };

int cmd_options_check(struct cmd_options *o, struct lt_err *err)
{
	struct run_opts *run = &o->run;
	if (!o->seed_given) {
		struct timespec ts;
		clock_gettime(CLOCK_REALTIME, &ts);
		run->seed =
			(uint64_t)(ts.tv_nsec ^ ts.tv_sec) % 1000000; /* short enough to retype */
	}
	if (run->work_from && run->work > 0)
		return lt_fail(
			err, -EINVAL, "LT-OPTION", "--work and --work-from exclude each other");
	if (run->work_counter && (run->work_from || run->work > 0))
		return lt_fail(err, -EINVAL, "LT-OPTION",
			"--work-counter excludes --work and --work-from");
	if (run->work_from && !run->stdout_given)
		run->stdout_mode = RUN_STDOUT_FILE;
	if (run->work_from && !run->pty &&
		(run->stdout_mode == RUN_STDOUT_NULL || run->stdout_mode == RUN_STDOUT_INHERIT)) {
		lt_err_set(err, -EINVAL, "LT-OPTION",
			"--work-from cannot read what --stdout %s drops",
			run->stdout_mode == RUN_STDOUT_NULL ? "null" : "inherit");
		return lt_hint(err, "use --stdout file or --stdout pipe");
	}
	if (run->pty && (run->stdout_given || run->stdin_mode != RUN_STDIN_EMPTY))
		return lt_fail(
			err, -EINVAL, "LT-OPTION", "--pty stands in for --stdin and --stdout");
	if (o->how.shell && o->how.literal)
		return lt_fail(
			err, -EINVAL, "LT-OPTION", "--shell and --literal exclude each other");
	return 0;
}

void cmd_options_done(struct cmd_options *o)
{
	lt_arena_done(&o->arena);
	signals_close(&o->signals);
}

int cmd_options_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input,
	struct lt_err *err)
{
	argp_err_exit_status = CMD_USAGE;
	error_t r = argp_parse(argp, argc, argv, flags, NULL, input);
	if (r == 0)
		return CMD_OK;
	if (err->code)
		return cmd_fail(err, CMD_USAGE);
	return CMD_USAGE;
}
