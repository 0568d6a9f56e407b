/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What starting and measuring a program costs: leat against a bare loop of vfork, exec and
 * wait4, and against perf stat and hyperfine, round-robin in one run.
 *   make bench B=launcher */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "record/record_json.h"
#include "stats/desc.h"

enum {
	ROUNDS = 9,
	RUNS = 300,
	TOOL_ROUNDS = 7,
	TOOL_RUNS = 500
};

static char empty[256]; /* the empty static program */

static int run_line(const char *line)
{
	int status = system(line);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int make_empty(void)
{
	static const char source[] =
		"#if defined(__x86_64__)\n"
		"void _start(void) { __asm__ volatile(\"mov $60,%%eax; xor %%edi,%%edi; "
		"syscall\"); }\n"
		"#else\n"
		"void _start(void) { __asm__ volatile(\"mov x8,#93; mov x0,#0; svc #0\"); }\n"
		"#endif\n";
	char line[1024];
	snprintf(empty, sizeof(empty), "/tmp/leat-bench-empty.%d", (int)getpid());
	snprintf(line, sizeof(line), "printf '%s' | cc -O2 -nostdlib -static -o %s -x c -", source,
		empty);
	return run_line(line);
}

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

static struct record *leat_record(const char *options, const char *path)
{
	char line[1024];
	snprintf(line, sizeof(line), "build/bin/leat run %s --json - -- %s", options, path);
	FILE *pipe = popen(line, "r");
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	struct record *rec = NULL;
	struct lt_err err = { 0 };
	if (!pipe)
		return NULL;
	if (lt_buf_read_fd(&buf, fileno(pipe), 64 << 20, &err) >= 0)
		record_load_json(buf.data, buf.len, "leat run", &rec, &err);
	if (pclose(pipe) != 0 || !rec)
		fprintf(stderr, "launcher: leat run failed: %s\n", err.text);
	return rec;
}

static double median_of(const struct record *rec, const char *metric)
{
	int m = rec ? record_metric(rec, metric) : -1;
	const struct summary *s = m >= 0 ? record_summary(rec, 0, (unsigned)m, false) : NULL;
	return s && s->n ? s->median : NAN;
}

static double line_us_per_run(const char *line)
{
	int64_t begin = lt_now_ns();
	if (run_line(line) != 0)
		return -1;
	return (double)(lt_now_ns() - begin) / 1e3 / TOOL_RUNS;
}

static void goal(const char *name, double value, const char *unit, double limit)
{
	printf("%-32s %8.2f %-5s <= %-7g %s\n", name, value, unit, limit,
		value <= limit ? "ok" : "short");
}

static void start_cost(void)
{
	double bare[ROUNDS], leat[ROUNDS], over[ROUNDS], us[RUNS], peak_over = 0;
	for (int i = 0; i < ROUNDS; i++) {
		char options[64];
		long peak;
		bare[i] = bare_us(empty, us, &peak);
		snprintf(options, sizeof(options), "-n %d", RUNS);
		LT_AUTO_RECORD struct record *rec = leat_record(options, empty);
		leat[i] = median_of(rec, "wall") / 1e3;
		over[i] = leat[i] - bare[i];
		peak_over = median_of(rec, "peak-rss") / 1048576;
	}
	printf("empty static program, median of %d rounds of %d runs:\n", ROUNDS, RUNS);
	printf("  bare vfork + exec + wait4   %8.1f us\n", stats_median(bare, ROUNDS));
	printf("  leat run, wall              %8.1f us\n", stats_median(leat, ROUNDS));
	printf("  peak memory by leat         %8.3f MiB (a program without libc: truth is 0)\n\n",
		peak_over);
	goal("launcher-start-over-bare", stats_median(over, ROUNDS), "us", 25);
	goal("launcher-peak-over-truth", peak_over, "MiB", 0.5);
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
		goal(name, center[t] > 0 ? center[0] / center[t] : NAN, "ratio", 1);
	}
}

int main(void)
{
	if (make_empty() != 0) {
		fprintf(stderr, "launcher: cannot compile the empty program\n");
		return 3;
	}
	start_cost();
	tool_cost();
	unlink(empty);
	return 0;
}
