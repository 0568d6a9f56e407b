/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What starting and measuring a program costs: leat against a bare loop of vfork, exec and
 * wait4, and against perf stat and hyperfine, round-robin in one run.
 *   make bench B=launcher */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "common/run_leat.h"
#include "stats/desc.h"

enum {
	ROUNDS = 9,
	RUNS = 300,
	TOOL_ROUNDS = 7,
	TOOL_RUNS = 500
};

static char empty[256]; /* the empty static program */

static const char source[] =
	"#if defined(__x86_64__)\n"
	"void _start(void) { __asm__ volatile(\"mov $60,%eax; xor %edi,%edi; syscall\"); }\n"
	"#else\n"
	"void _start(void) { __asm__ volatile(\"mov x8,#93; mov x0,#0; svc #0\"); }\n"
	"#endif\n";

/* The least any tool can do; returns the median in us, and the largest peak in KiB. */
static double bare_us(const char *path, double *us, long *ret_peak_kib)
{
	char *argv[] = { (char *)path, NULL };
	*ret_peak_kib = 0;
	for (int i = 0; i < RUNS; i++) {
		struct rusage u;
		int status;
		int64_t begin = lt_now_ns();
		pid_t pid = vfork();
		if (pid == 0) {
			execv(path, argv);
			_exit(127);
		}
		wait4(pid, &status, 0, &u);
		us[i] = (double)(lt_now_ns() - begin) / 1e3;
		if (u.ru_maxrss > *ret_peak_kib)
			*ret_peak_kib = u.ru_maxrss;
	}
	return stats_median(us, RUNS);
}

static double line_us_per_run(const char *line)
{
	int64_t begin = lt_now_ns();
	if (bench_line(line) != 0)
		return NAN;
	return (double)(lt_now_ns() - begin) / 1e3 / TOOL_RUNS;
}

static void start_cost(void)
{
	double bare[ROUNDS], leat[ROUNDS], over[ROUNDS], us[RUNS], peak_over = 0;
	for (int i = 0; i < ROUNDS; i++) {
		char line[512];
		long peak;
		bare[i] = bare_us(empty, us, &peak);
		snprintf(
			line, sizeof(line), "build/bin/leat run -n %d --json - -- %s", RUNS, empty);
		LT_AUTO_RECORD struct record *rec = bench_record(line);
		leat[i] = bench_median(rec, "wall") / 1e3;
		over[i] = leat[i] - bare[i];
		peak_over = bench_median(rec, "peak-rss") / 1048576;
	}
	printf("empty static program, median of %d rounds of %d runs:\n", ROUNDS, RUNS);
	printf("  bare vfork + exec + wait4   %8.1f us\n", stats_median(bare, ROUNDS));
	printf("  leat run, wall              %8.1f us\n", stats_median(leat, ROUNDS));
	printf("  peak memory by leat         %8.3f MiB (a program without libc: truth is 0)\n\n",
		peak_over);
	bench_goal("launcher-start-over-bare", stats_median(over, ROUNDS), "us", 25);
	bench_goal("launcher-peak-over-truth", peak_over, "MiB", 0.5);
}

static void tool_cost(void)
{
	static const struct {
		const char *name, *line;
	} tools[] = {
		{ "leat", "build/bin/leat run -n 500 -- true >/dev/null 2>&1" },
		{ "perf stat -r", "perf stat -r 500 true >/dev/null 2>&1" },
		{ "hyperfine -N", "hyperfine -N -r 500 --style none true >/dev/null 2>&1" },
	};
	double us[LT_COUNT(tools)][TOOL_ROUNDS], center[LT_COUNT(tools)];
	for (int i = 0; i < TOOL_ROUNDS; i++)
		for (size_t t = 0; t < LT_COUNT(tools); t++)
			us[t][i] = line_us_per_run(tools[t].line);
	printf("\nwhole tool, 500 runs of true, default metrics, median of %d rounds:\n",
		TOOL_ROUNDS);
	for (size_t t = 0; t < LT_COUNT(tools); t++) {
		center[t] = stats_median(us[t], TOOL_ROUNDS);
		printf("  %-14s %8.0f us per run\n", tools[t].name, center[t]);
	}
	printf("\n");
	for (size_t t = 1; t < LT_COUNT(tools); t++) {
		char name[64];
		snprintf(name, sizeof(name), "tool-cost-leat/%.*s",
			(int)strcspn(tools[t].name, " "), tools[t].name);
		bench_goal(name, center[t] > 0 ? center[0] / center[t] : NAN, "ratio", 1);
	}
}

int main(void)
{
	if (bench_compile(source, "-nostdlib -static", empty) != 0) {
		fprintf(stderr, "launcher: cannot compile the empty program\n");
		return 3;
	}
	start_cost();
	tool_cost();
	unlink(empty);
	return 0;
}
