/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts of instructions and branches by emulation: where there is no PMU, and where the
 * same number twice is worth more than speed. */
#include "meter/meter.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "sys/cachegrind.h"
#include "sys/find.h"

static const struct metric metrics[] = {
	{
		.name = "sim-instructions",
		.unit = "count",
		.better = METRIC_LOWER,
		.kind = METRIC_COUNTER,
		.what = "instructions executed",
		.scope = "tree, user only, simulated",
		.source = "valgrind --tool=cachegrind",
	},
	{
		.name = "sim-branches",
		.unit = "count",
		.better = METRIC_LOWER,
		.kind = METRIC_COUNTER,
		.what = "conditional and indirect branches executed",
		.scope = "tree, user only, simulated",
		.source = "valgrind --tool=cachegrind --branch-sim=yes",
	},
};

struct count {
	char *valgrind; /* both in the place's arena */
	char *dir;      /* private, for the output files */
	int dir_fd;     /* 0 = not open */
};

static struct value count_probe(const struct meter_place *place)
{
	if (!sys_find_program(place->root_fd, "valgrind", place->arena))
		return value_missing(
			"valgrind is not in PATH", "install valgrind (Debian package valgrind)");
	return (struct value){ .state = VALUE_MEASURED };
}

static int count_open(
	void *inst, const struct meter_place *place, const char *arg, struct lt_err *err)
{
	struct count *c = inst;
	(void)arg;
	const char *tmp = getenv("TMPDIR");
	c->valgrind = sys_find_program(place->root_fd, "valgrind", place->arena);
	if (!c->valgrind)
		return lt_fail(err, -ENOENT, "LT-COUNT", "valgrind is not in PATH");
	c->dir = lt_arena_printf(
		place->arena, "%s/leat-count-XXXXXX", tmp && *tmp == '/' ? tmp : "/tmp");
	if (!c->dir)
		return lt_fail_mem(err);
	if (!mkdtemp(c->dir))
		return lt_fail_sys(err, "LT-COUNT", "cannot make a directory like %s", c->dir);
	int fd = open(c->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		rmdir(c->dir);
		return lt_fail_sys(err, "LT-COUNT", "cannot open %s", c->dir);
	}
	c->dir_fd = fd;
	return 0;
}

static void count_start(void *inst, const struct meter_place *place, const struct meter_window *win)
{
	(void)place, (void)win;
	sys_cachegrind_clear(((struct count *)inst)->dir_fd);
}

/* valgrind puts things in place of "%": those of a directory's name have to be doubled. */
static char *output_option(
	const struct meter_place *place, const char *option, const char *dir, const char *ending)
{
	size_t len = 0;
	char *safe = lt_arena_alloc(place->arena, 2 * strlen(dir) + 1);
	for (const char *c = dir; safe && *c; c++) {
		safe[len++] = *c;
		if (*c == '%')
			safe[len++] = '%';
	}
	return safe ? lt_arena_printf(place->arena, "%s=%s/%%p%s", option, safe, ending) : NULL;
}

static int count_wrap(void *inst, const struct meter_place *place, char *const *argv,
	char ***ret_argv, struct lt_err *err)
{
	static const char *const options[] = {
		"--command-line-only=yes", /* no option from files or the environment */
		"--tool=cachegrind", "--cache-sim=no", "--branch-sim=yes", "--trace-children=yes",
		"--child-silent-after-fork=yes", /* a log only for what called exec */
	};
	const struct count *c = inst;
	size_t argc = 0, n = 0;
	while (argv[argc])
		argc++;
	char **all = lt_arena_alloc(place->arena, (LT_COUNT(options) + argc + 5) * sizeof(*all));
	char *out = output_option(place, "--cachegrind-out-file", c->dir, ".out");
	char *log = output_option(place, "--log-file", c->dir, ".log");
	if (!all || !out || !log)
		return lt_fail_mem(err);
	all[n++] = c->valgrind;
	for (size_t i = 0; i < LT_COUNT(options); i++)
		all[n++] = (char *)options[i];
	all[n++] = out;
	all[n++] = log;
	all[n++] = (char *)"--";
	for (size_t i = 0; i < argc; i++)
		all[n++] = argv[i];
	*ret_argv = all;
	return 0;
}

static struct value why_not(int error, const struct sys_cachegrind *sum)
{
	if (error < 0)
		return value_missing("cannot read valgrind's output files", NULL);
	if (sum->unknown_code)
		return value_missing("the program uses an instruction that valgrind does not know",
			"build it without that extension, or install a newer valgrind");
	if (sum->uncounted)
		return value_missing("a process of the program left no count: it was killed, or "
				     "still ran at the end",
			NULL);
	return value_missing("valgrind could not run the program",
		"run 'valgrind --tool=cachegrind' on it to see its message");
}

static void count_read(void *inst, const struct meter_place *place, const struct meter_window *win,
	struct value *ret)
{
	const struct count *c = inst;
	struct sys_cachegrind sum = { 0 };
	(void)place;
	int r = sys_cachegrind_sum(c->dir_fd, &sum);
	sys_cachegrind_clear(c->dir_fd);
	if (r < 0 || sum.unknown_code || sum.uncounted || !sum.counted) {
		ret[0] = ret[1] = why_not(r, &sum);
		return;
	}
	ret[0] = value_of((double)sum.instructions);
	ret[1] = value_of((double)sum.branches);
	for (size_t i = 0; i < LT_COUNT(metrics); i++) {
		if (win->left) {
			ret[i].state = VALUE_ESTIMATED;
			ret[i].reason = "without descendants that were still running";
		} else if (sum.forked) {
			ret[i].state = VALUE_ESTIMATED;
			ret[i].reason = "too high: a child that never called exec repeats the "
					"counts its parent had at the fork";
		}
	}
}

static void count_close(void *inst)
{
	struct count *c = inst;
	if (c->dir_fd > 0) {
		sys_cachegrind_clear(c->dir_fd);
		close(c->dir_fd);
	}
	if (c->dir)
		rmdir(c->dir);
}

const struct meter meter_count = {
	.name = "count",
	.brief = "instructions and branches by emulation, in runs of their own",
	.cost = "the program runs 8 to 12 times slower under valgrind",
	.overhead = "Runs of its own: start-up of valgrind about 0.3 s a process, then 8 to 12 "
		    "times the program's user time; threads run one at a time.",
	.caveats = "User instructions only: the kernel, real caches and parallelism are not "
		   "seen, and a program that picks code by the CPU's features may pick other "
		   "code. What a process did before it called exec is not counted; what a "
		   "forked child that never calls exec inherits is counted twice, and then the "
		   "value is marked estimated. Exactly repeatable for a static program of one "
		   "thread; address layout, hash seeds, the environment's number of variables, "
		   "time and the order of threads change others a little.",
	.metrics = metrics,
	.n_metrics = LT_COUNT(metrics),
	.inst_size = sizeof(struct count),
	.use = METER_USE_TRIAL | METER_USE_EVIDENCE,
	.probe = count_probe,
	.open = count_open,
	.start = count_start,
	.read = count_read,
	.wrap = count_wrap,
	.close = count_close,
};
