/* SPDX-License-Identifier: MIT */
/* A run: everything is opened and checked before the first packet, and written outputs take
 * their names when the last one is done. */
#include "router/session.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "router/conf/conf.h"
#include "router/node/report.h"

static volatile sig_atomic_t caught;
/* Can be read once a signal was caught: who waits for input waits for it, too. */
static int stop_fd;

static void catch (int sig)
{
	const uint64_t one = 1;
	int before = errno;
	caught = sig;
	if (write(stop_fd, &one, sizeof(one)) < 0)
		errno = before; /* then the input ends when more of it comes */
}

/* The first signal ends the input: what was read is still routed and written. The second kills. */
static void catch_signals(void)
{
	struct sigaction sa = { .sa_handler = catch, .sa_flags = (int)SA_RESETHAND };
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
}

struct session {
	struct args *args;
	struct conf *conf;
	struct fib *fib;
	struct router *router;
	struct io_reader *reader;
	struct io_writer **writers;
	struct run_counts counts;
	const char **nics;
	const char *log; /* of the NAT; NULL: none is written */
};

static void session_done(struct session *s)
{
	router_free(s->router);
	for (size_t i = 0; s->writers && i < s->conf->n_nics; i++)
		io_writer_close(s->writers[i]);
	free(s->writers);
	io_reader_close(s->reader);
	run_counts_done(&s->counts);
	free(s->nics);
	fib_free(s->fib);
	conf_free(s->conf);
}

static int open_reader(struct session *s)
{
	const struct args *args = s->args;
	for (size_t i = 0; i < s->conf->n_nics; i++)
		s->nics[i] = s->conf->nics[i].name;
	struct io_reader_opts opts = {
		.inputs = args->inputs,
		.n_inputs = args->n_inputs,
		.nics = s->nics,
		.n_nics = s->conf->n_nics,
		.default_nic = args->default_nic,
		.order = args->order,
		.stop_fd = stop_fd,
	};
	return io_reader_open(&opts, &s->reader, &s->args->err);
}

static int open_writers(struct session *s)
{
	struct io_writer_opts opts = { .format = s->args->format,
		.link = IO_LINK_ETHERNET,
		.nano = io_reader_is_nano(s->reader) };
	int r = 0;
	for (size_t i = 0; i < s->conf->n_nics && r == 0; i++)
		r = io_writer_open(s->args->dir ? s->args->dir : "", s->nics[i], &opts,
			&s->writers[i], &s->args->err);
	return r;
}

static bool is_input(const struct session *s, const char *path)
{
	struct stat in, out;
	if (stat(path, &out) < 0 || !S_ISREG(out.st_mode))
		return false;
	for (size_t k = 0; k < s->args->n_inputs; k++)
		if (stat(s->args->inputs[k].path, &in) == 0 && in.st_dev == out.st_dev &&
			in.st_ino == out.st_ino)
			return true;
	return false;
}

/* An input is never replaced by what the router makes of it. */
static int spare_input(const struct session *s, const char *path, const char *hint)
{
	struct lt_err *err = &s->args->err;
	if (!is_input(s, path))
		return 0;
	lt_err_set(
		err, -EEXIST, "LT-USAGE", "'%.200s' is an input, and would be overwritten", path);
	return lt_hint(err, "%s", hint);
}

/* The log is written under its own name, captures take theirs at the end. */
static int check_log(const struct session *s)
{
	static const char hint[] = "give 'log' in [nat] another name";
	struct lt_err *err = &s->args->err;
	LT_AUTO_FREE char *real = realpath(s->log, NULL);
	for (size_t i = 0; i < s->conf->n_nics; i++) {
		const char *path = io_writer_path(s->writers[i]);
		if (!path || strcmp(path, real ? real : s->log) != 0)
			continue;
		lt_err_set(err, -EEXIST, "LT-USAGE",
			"'%.200s' would be the NAT's log and the capture of %s", path, s->nics[i]);
		return lt_hint(err, "%s", hint);
	}
	return spare_input(s, s->log, hint);
}

static int check_outputs(const struct session *s)
{
	int r = 0;
	for (size_t i = 0; i < s->conf->n_nics && r == 0; i++) {
		const char *path = io_writer_path(s->writers[i]);
		r = path ? spare_input(s, path, "give -o another directory") : 0;
	}
	return r == 0 && s->log ? check_log(s) : r;
}

/* Where the NAT's log goes, if there is one. */
static int name_log(struct session *s)
{
	const char *log = s->conf->nat.on ? s->conf->nat.log : NULL;
	if (!log || s->args->format == IO_WRITE_NONE)
		return 0;
	s->log = log;
	if (log[0] != '/')
		s->log = lt_arena_printf(&s->args->arena, "%s/%s", s->args->dir, log);
	return s->log ? 0 : lt_fail_mem(&s->args->err);
}

/* What can be wrong before the first packet. */
static int prepare(struct session *s)
{
	struct lt_err *err = &s->args->err;
	int r = conf_load(s->args->config, &s->conf, err);
	if (r == 0)
		r = conf_fib(s->conf, &s->fib, err);
	if (r < 0)
		return args_fail(err, EXIT_USAGE);
	size_t n = s->conf->n_nics;
	s->nics = calloc(n, sizeof(*s->nics));
	s->writers = calloc(n, sizeof(struct io_writer *));
	if (!s->nics || !s->writers)
		lt_fail_mem(err);
	if (!s->nics || !s->writers || run_counts_init(&s->counts, s->conf, err) < 0)
		return args_fail(err, EXIT_INTERNAL);
	if (open_reader(s) < 0)
		return args_fail(err, EXIT_USAGE);
	if (open_writers(s) < 0)
		return args_fail(err, EXIT_INTERNAL);
	if (name_log(s) < 0)
		return args_fail(err, EXIT_INTERNAL);
	if (check_outputs(s) < 0)
		return args_fail(err, EXIT_USAGE);
	if (router_new(s->conf, s->fib, s->log, &s->router, err) < 0)
		return args_fail(err, EXIT_INTERNAL);
	if (s->args->burst)
		s->router->burst = s->args->burst;
	return 0;
}

static int commit(struct session *s)
{
	struct lt_err err = { 0 };
	int code = 0;
	if (router_finish(s->router, &err) < 0)
		code = args_fail(&err, EXIT_INTERNAL);
	counters_add(s->counts.nics, s->router->counters, s->conf->n_nics);
	for (size_t i = 0; i < s->conf->n_nics; i++) {
		if (io_writer_commit(s->writers[i], &err) < 0)
			code = args_fail(&err, EXIT_INTERNAL);
	}
	return code;
}

static int print_report(const struct session *s)
{
	LT_AUTO_BUF struct lt_buf text = { 0 };
	report_counts(s->router, &s->counts, &text);
	if (text.failed || fputs(text.data, stdout) < 0 || fflush(stdout) != 0) {
		struct lt_err err = { 0 };
		lt_fail_sys(&err, "LT-OUTPUT", "cannot print the counters");
		return args_fail(&err, EXIT_INTERNAL);
	}
	return 0;
}

static int worse(int a, int b)
{
	return a > b ? a : b;
}

int session_route(struct args *args)
{
	struct session s = { .args = args };
	stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	int code = prepare(&s);
	if (code == 0) {
		catch_signals();
		args->run.reader = s.reader;
		args->run.writers = s.writers;
		args->run.stop = &caught;
		int r = run_router(s.router, &args->run, &s.counts, &args->err);
		if (r < 0)
			code = args_fail(&args->err,
				strncmp(args->err.id, "LT-INPUT", 8) ? EXIT_INTERNAL
								     : EXIT_DAMAGED);
		code = worse(code, commit(&s));
		if (!args->quiet)
			code = worse(code, print_report(&s));
		if (!counters_balance(s.counts.nics, s.conf->n_nics)) {
			lt_err_set(&args->err, -EBADMSG, "LT-ROUTER-BALANCE",
				"packets are missing: what came in and was made is not what left "
				"and was dropped");
			code = args_fail(&args->err, EXIT_INTERNAL);
		}
		if (caught)
			code = worse(code, 128 + caught);
	}
	session_done(&s);
	if (stop_fd >= 0)
		close(stop_fd);
	return code;
}
