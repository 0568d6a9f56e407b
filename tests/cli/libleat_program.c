/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A libleat program for the tests of what the lab sees of one: `program DEED [ARG...]`, and more
 * deeds behind a comma. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <leat/module.h>
#include <leat/work.h>

static void fail(const struct leat_err *err)
{
	fprintf(stderr, "program: %s: %s\n", err->id, err->text);
	exit(1);
}

static void sleep_ms(double ms)
{
	struct timespec t = { (time_t)(ms / 1e3), (long)(ms * 1e6) % 1000000000 };
	nanosleep(&t, NULL);
}

static void burn_ms(double ms)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	double end = (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6 + ms;
	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while ((double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6 < end);
}

static void count(const char *name, double n)
{
	struct leat_work *work;
	struct leat_err err;
	if (leat_work_get(name, name, &work, &err) < 0)
		fail(&err);
	leat_work_add(work, (uint64_t)n);
}

static struct leat_region *region(const char *name)
{
	struct leat_region *r;
	struct leat_err err;
	if (leat_region_get(name, &r, &err) < 0)
		fail(&err);
	return r;
}

/* ---- a chain of two: one buffer each millisecond, or as many as go ---- */

static struct leat_pool *pool;
static struct leat_port *out, *in;
static long limit;
static int paced, stuck;

static int run_source(struct leat_module *m, void *ctx)
{
	(void)ctx;
	for (long i = 0; i < limit; i++) {
		struct leat_buf *buf;
		int r = leat_take_wait(m, pool, &buf, 1, LEAT_FOREVER);
		if (r < 0)
			return r;
		if (paced)
			sleep_ms(1);
		r = leat_send_wait(out, &buf, 1, LEAT_FOREVER);
		if (r < 0) {
			leat_put(&buf, 1);
			return r;
		}
	}
	return 0;
}

static int run_sink(struct leat_module *m, void *ctx)
{
	(void)m;
	(void)ctx;
	for (;;) {
		struct leat_buf *bufs[8];
		while (stuck)
			sleep_ms(1000);
		int n = leat_recv_wait(in, bufs, 8, LEAT_FOREVER);
		if (n < 0)
			return n == -EPIPE ? 0 : n;
		count("buffers", n);
		leat_put(bufs, (unsigned)n);
	}
}

static void chain(void)
{
	struct leat_app *app = NULL;
	struct leat_module *source, *sink;
	struct leat_err err;
	const struct leat_app_opts opts = { .name = "test", .placement = "each" };
	const struct leat_pool_opts po = { .count = 64 };
	const struct leat_module_opts mo[] = { { .name = "source", .run = run_source },
		{ .name = "sink", .run = run_sink } };
	if (leat_app_new(&opts, &app, &err) < 0 || leat_pool_new(app, &po, &pool, &err) < 0 ||
		leat_module_new(app, &mo[0], &source, &err) < 0 ||
		leat_module_new(app, &mo[1], &sink, &err) < 0 ||
		leat_out(source, "out", 10, &out, &err) < 0 ||
		leat_in(sink, "in", 10, &in, &err) < 0 ||
		leat_link(out, in, LEAT_BLOCK, &err) < 0 || leat_start(app, &err) < 0 ||
		leat_wait(app, LEAT_FOREVER, &err) < 0)
		fail(&err);
	leat_app_free(app);
}

/* ---- deeds ---- */

static double number(char **arg, int i)
{
	return arg[i] ? atof(arg[i]) : 0;
}

static void write_garbage(char **arg)
{
	char path[PATH_MAX];
	const char *dir = getenv("LEAT_STATS_DIR");
	if (!dir)
		exit(3);
	for (int i = 0; i < (int)number(arg, 1); i++) {
		snprintf(path, sizeof(path), "%s/leat-stats.%d", dir, 1000000 + i);
		int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		for (int k = 0; fd >= 0 && k < 500; k++)
			dprintf(fd, "garbage %d ", i * k);
		close(fd);
	}
}

static void fork_children(char **arg)
{
	for (int i = 0; i < (int)number(arg, 1); i++) {
		if (fork() == 0) {
			count("packets", number(arg, 2));
			exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
}

/* One deed by a new program in a new process. */
static void exec_self(char **arg)
{
	if (fork() == 0) {
		execv("/proc/self/exe", arg); /* "exec" is its name */
		_exit(9);
	}
	wait(NULL);
}

static void do_chain(char **arg)
{
	limit = (long)number(arg, 1);
	chain();
}

static void do_serve(char **arg)
{
	(void)arg;
	limit = LONG_MAX;
	paced = 1;
	chain();
}

static void do_stuck(char **arg)
{
	limit = 1000;
	stuck = 1;
	if (arg[1]) /* ends without exit() */
		signal(SIGALRM, SIG_DFL), alarm((unsigned)number(arg, 1));
	chain();
}

static const struct {
	const char *name;
	void (*fn)(char **arg);
} deeds[] = {
	{ "chain", do_chain },
	{ "serve", do_serve },
	{ "stuck", do_stuck },
	{ "garbage", write_garbage },
	{ "fork", fork_children },
	{ "exec", exec_self },
};

static void one(char **arg)
{
	const char *deed = arg[0];
	for (size_t i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++)
		if (!strcmp(deed, deeds[i].name)) {
			deeds[i].fn(arg);
			return;
		}
	if (!strcmp(deed, "count"))
		count(arg[1], number(arg, 2));
	else if (!strcmp(deed, "sleep"))
		sleep_ms(number(arg, 1));
	else if (!strcmp(deed, "burn"))
		burn_ms(number(arg, 1));
	else if (!strcmp(deed, "begin"))
		leat_region_begin(region(arg[1]));
	else if (!strcmp(deed, "end"))
		leat_region_end(region(arg[1]));
	else if (!strcmp(deed, "_exit"))
		_exit((int)number(arg, 1));
	else if (!strcmp(deed, "say"))
		puts(arg[1]);
	else
		exit(2);
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i < argc; i++) {
		char *words[16] = { NULL };
		int n = 0;
		for (; i < argc && strcmp(argv[i], ",") != 0 && n < 15; i++)
			words[n++] = argv[i];
		if (n > 0)
			one(words);
	}
	return 0;
}
