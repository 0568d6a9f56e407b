/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a program pays for being observed: two threads that compute, or do nothing but enter the
 * kernel, work in slices of about a millisecond and say how long a slice took. Runs with and
 * without take turns, as this machine's speed changes by the second. CPU time of leat's
 * own is counted in: the program could have had it.
 *   make bench B=observed */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/run_leat.h"
#include "run/evidence.h"
#include "stats/desc.h"

enum {
	PAIRS = 15,
	THREADS = 2,
	WALL_NS = 800000000, /* about what a run takes */
};

static const char source[] =
	"#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
	"#include <sys/syscall.h>\n#include <time.h>\n#include <unistd.h>\n"
	"enum { SLICES = 800 };\n"
	"static double ns[2][SLICES];\nstatic int calls;\nstatic volatile unsigned long sink;\n"
	"static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t);\n"
	"  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec; }\n"
	"static void *work(void *arg) { double *at = arg; for (int s = 0; s < SLICES; s++) {\n"
	"  double begin = now();\n"
	"  if (calls) for (int i = 0; i < 4000; i++) syscall(SYS_getppid);\n"
	"  else for (int i = 0; i < 1000000; i++) sink = sink * 3 + 1;\n"
	"  at[s] = now() - begin; } return 0; }\n"
	"static int less(const void *a, const void *b) { double x = *(const double *)a,\n"
	"  y = *(const double *)b; return (x > y) - (x < y); }\n"
	"int main(int argc, char **argv) { pthread_t t[2]; double sum = 0; calls = argv[1][0] == "
	"'c';\n"
	"  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, ns[i]);\n"
	"  for (int i = 0; i < 2; i++) { pthread_join(t[i], 0);\n"
	"    qsort(ns[i], SLICES, sizeof(double), less);\n"
	"    for (int s = SLICES / 10; s < SLICES * 9 / 10; s++) sum += ns[i][s]; }\n"
	"  FILE *out = fopen(argv[2], \"w\"); fprintf(out, \"%.9g\\n\", sum); return fclose(out); "
	"}\n";

static struct launcher launcher = LAUNCHER_NONE;
static struct signals signals = SIGNALS_NONE;
static struct lt_arena arena;
static char program[256], told[256 + sizeof(".ns")];

static double said(void)
{
	double ns = 0;
	FILE *in = fopen(told, "r");
	if (!in || fscanf(in, "%lf", &ns) != 1)
		ns = 0;
	if (in)
		fclose(in);
	return ns;
}

/* One run; its slices' length, and what leat used of the program's CPUs meanwhile. */
static double run(const char *kind, const struct evidence_opts *how, double *own)
{
	static char *none[] = { NULL };
	static const struct run_opts opts = { .timeout_ns = 30000000000 };
	char *argv[] = { program, (char *)kind, told, NULL };
	struct run_command cmd = { .argv = argv, .path = program };
	struct streams streams = STREAMS_NONE;
	struct lt_err err = { 0 };
	LT_AUTO(lt_closep) int root_fd = open("/", O_PATH | O_CLOEXEC);
	if (streams_open(&streams, &opts, &err) < 0)
		return 0;
	struct trial_run t = { .opts = &opts,
		.launcher = &launcher,
		.signals = &signals,
		.streams = &streams,
		.root_fd = root_fd,
		.envp = none,
		.arena = &arena };
	struct evidence e = { 0 };
	int r = how ? evidence_run(&t, &cmd, how, &arena, &e, &err)
		    : trial_run_wait(&t, &cmd, &err);
	if (r < 0 || trial_run_end(&t, &err) < 0)
		fprintf(stderr, "observed: %s\n", err.text);
	streams_close(&streams);
	double cpu = e.user_ns.num + e.sys_ns.num;
	*own = how && cpu > 0 ? e.own_cpu_ns / cpu : 0;
	return said();
}

static void measure(const char *kind, const char *name, struct evidence_opts how, double limit)
{
	double ratio[PAIRS], own[PAIRS], none;
	char goal[64];
	how.threads = THREADS;
	for (int i = 0; i < PAIRS; i++) {
		double before = run(kind, NULL, &none), with = run(kind, &how, &own[i]);
		double after = run(kind, NULL, &none);
		ratio[i] = 2 * with / (before + after);
	}
	double slower = stats_median(ratio, PAIRS), used = stats_median(own, PAIRS);
	printf("%-8s %-24s slices %+6.2f %%, leat's own CPU time %5.2f %%\n", kind, name,
		(slower - 1) * 100, used * 100);
	snprintf(goal, sizeof(goal), "%s-%s", kind, name);
	bench_goal(goal, slower + used, "ratio", limit);
}

int main(void)
{
	struct lt_err err = { 0 };
	if (bench_compile(source, "-pthread", program) != 0 || launcher_open(&launcher, &err) < 0 ||
		signals_open(&signals, &err) < 0)
		return 3;
	snprintf(told, sizeof(told), "%s.ns", program);
	static const char *const kinds[] = { "compute", "calls" };
	for (size_t k = 0; k < LT_COUNT(kinds); k++) {
		struct evidence_opts probe = { .period_ns = 1000000000000 },
				     user = { .best = EVIDENCE_PERF, .wall_ns = WALL_NS },
				     both = { .wall_ns = WALL_NS };
		measure(kinds[k], "probe", probe, 1.02);
		measure(kinds[k], "sampler", user, 1.03);
		measure(kinds[k], "both", both, 1.03);
	}
	launcher_close(&launcher);
	signals_close(&signals);
	unlink(program);
	unlink(told);
	return 0;
}
