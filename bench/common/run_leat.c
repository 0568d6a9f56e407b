/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the benches. */
#include "common/run_leat.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "record/record_json.h"

const char bench_spin[] = "int main(void) { volatile unsigned long x = 1;\n"
			  "for (long i = 0; i < 8000000; i++) x = x * 3 + 1; return 0; }\n";

pid_t bench_hog_start(void)
{
	pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (volatile unsigned long x = 1;;)
			x = x * 3 + 1;
	}
	return pid;
}

void bench_hog_stop(pid_t hog)
{
	kill(hog, SIGKILL);
	waitpid(hog, NULL, 0);
}

int bench_line(const char *line)
{
	int status = system(line);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

struct record *bench_record(const char *line)
{
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	struct record *rec = NULL;
	struct lt_err err = { 0 };
	FILE *pipe = popen(line, "r");
	if (!pipe)
		return NULL;
	if (lt_buf_read_fd(&buf, fileno(pipe), line, 64 << 20, &err) >= 0)
		record_load_json(buf.data, buf.len, "leat", &rec, &err);
	if (pclose(pipe) != 0 || !rec)
		fprintf(stderr, "bench: '%s' failed: %s\n", line, err.text);
	return rec;
}

double bench_median(const struct record *rec, const char *metric)
{
	int m = rec ? record_metric(rec, metric) : -1;
	const struct summary *s = m >= 0 ? record_summary(rec, 0, (unsigned)m, false) : NULL;
	return s && s->n ? s->median : NAN;
}

int bench_compile(const char *source, const char *flags, char *ret_path)
{
	char line[512];
	snprintf(ret_path, 256, "/tmp/leat-bench-XXXXXX");
	int fd = mkstemp(ret_path);
	if (fd < 0)
		return -1;
	close(fd);
	snprintf(line, sizeof(line), "cc -O2 %s -o %s -x c -", flags, ret_path);
	FILE *cc = popen(line, "w");
	if (!cc)
		return -1;
	fputs(source, cc);
	return pclose(cc);
}

void bench_goal(const char *name, double value, const char *unit, double limit)
{
	printf("%-32s %8.3g %-5s <= %-7g %s\n", name, value, unit, limit,
		value <= limit ? "ok" : "short");
}
