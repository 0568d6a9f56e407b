/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Driving a meter by hand. */
#include "unit/meter/rig.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "base/clock.h"
#include "helpers/nobody.h"
#include "helpers/sysroot.h"

extern char **environ;

static void must(int r, const struct lt_err *err)
{
	if (r < 0)
		fail_msg("%s", err->text);
}

static void run_trial(struct rig *r, const char *const *argv, const struct meter *meter)
{
	struct lt_err err = { 0 };
	LT_AUTO_CLOSE int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct launch_command cmd = {
		.path = argv[0],
		.argv = (char *const *)argv,
		.envp = environ,
		.fds = { null, null, null },
		.pin = r->pin,
	};
	r->win = (struct meter_window){ 0 };
	int64_t t0 = lt_now_ns();
	if (meter && meter->start)
		meter->start(r->inst, &r->place, &r->win);
	r->start_ns = lt_now_ns() - t0;
	must(launcher_start(&r->launcher, &cmd, &err), &err);
	struct launch_reply rep;
	must(launcher_hear(&r->launcher, &rep, &err), &err);
	if (rep.said != LAUNCH_SAID_EXITED)
		fail_msg("%s: %s", argv[0], strerror(rep.error));
	r->status = rep.how == CLD_EXITED ? rep.status : -rep.status;
	r->win.pid = rep.pid;
	r->win.ended = true;
	r->win.begin_ns = rep.begin_ns;
	r->win.end_ns = rep.end_ns;
	r->win.begin_read_chars = rep.begin_read_chars;
	r->win.leader_run_ns = (double)rep.leader_run_ns;
	r->win.leader_wait_ns = (double)rep.leader_wait_ns;
	r->win.usage.ru_utime.tv_sec = rep.usage.utime_us / 1000000;
	r->win.usage.ru_utime.tv_usec = rep.usage.utime_us % 1000000;
	r->win.usage.ru_stime.tv_sec = rep.usage.stime_us / 1000000;
	r->win.usage.ru_stime.tv_usec = rep.usage.stime_us % 1000000;
	r->win.usage.ru_maxrss = rep.usage.maxrss_kib;
	r->win.usage.ru_minflt = rep.usage.minflt;
	r->win.usage.ru_majflt = rep.usage.majflt;
	r->win.usage.ru_inblock = rep.usage.inblock;
	r->win.usage.ru_oublock = rep.usage.oublock;
	r->win.usage.ru_nvcsw = rep.usage.nvcsw;
	r->win.usage.ru_nivcsw = rep.usage.nivcsw;
	r->win.orphans_cpu_ns = (double)(rep.orphans.utime_us + rep.orphans.stime_us) * 1e3;
	r->win.left = rep.others > 0 ? (unsigned)rep.others : 0;
	memset(r->values, 0, sizeof(r->values));
	t0 = lt_now_ns();
	if (meter)
		meter->read(r->inst, &r->place, &r->win, r->values);
	r->read_ns = lt_now_ns() - t0;
	must(launcher_end(&r->launcher, &err), &err);
	must(launcher_hear(&r->launcher, &rep, &err), &err);
	assert_int_equal(rep.said, LAUNCH_SAID_CLEAN);
}

static void open_meter(struct rig *r, const char *name, const char *arg)
{
	struct lt_err err = { 0 };
	r->meter = meter_find(name);
	assert_non_null(r->meter);
	if (r->meter->inst_size) {
		r->inst = calloc(1, r->meter->inst_size);
		assert_non_null(r->inst);
	}
	if (r->meter->open)
		must(r->meter->open(r->inst, &r->place, arg, &err), &err);
	r->metrics = r->meter->metrics;
	r->n = r->meter->n_metrics;
	if (r->meter->list)
		r->n = r->meter->list(r->inst, &r->metrics);
	assert_in_range(r->n, 0, RIG_METRICS);
}

static void init(struct rig *r)
{
	memset(r, 0, sizeof(*r));
	personality(ADDR_NO_RANDOMIZE); /* where the stack lies decides over a fault or two */
	r->launcher = (struct launcher)LAUNCHER_NONE;
	r->place.root_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	r->place.arena = &r->arena;
}

void rig_open(struct rig *r, const char *meter, const char *arg)
{
	struct lt_err err = { 0 };
	init(r);
	must(launcher_open(&r->launcher, &err), &err);
	r->place.launcher = r->launcher.pid;
	open_meter(r, meter, arg);
}

void rig_attach(struct rig *r, const char *meter, const char *arg, pid_t pid)
{
	init(r);
	r->place.target = pid;
	open_meter(r, meter, arg);
}

void rig_run(struct rig *r, const char *const *argv)
{
	run_trial(r, argv, r->meter);
}

void rig_window(struct rig *r, void (*during)(void *ctx), void *ctx)
{
	r->win = (struct meter_window){ .pid = r->place.target, .begin_ns = lt_now_ns() };
	if (r->meter->start)
		r->meter->start(r->inst, &r->place, &r->win);
	if (during)
		during(ctx);
	else
		usleep(20000);
	r->win.end_ns = lt_now_ns();
	memset(r->values, 0, sizeof(r->values));
	r->meter->read(r->inst, &r->place, &r->win, r->values);
}

static size_t find(const struct rig *r, const char *metric)
{
	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->metrics[i].name, metric))
			return i;
	fail_msg("meter %s has no metric %s", r->meter->name, metric);
	return 0;
}

const struct value *rig_value(const struct rig *r, const char *metric)
{
	return &r->values[find(r, metric)];
}

const struct metric *rig_metric(const struct rig *r, const char *metric)
{
	return &r->metrics[find(r, metric)];
}

double rig_num(const struct rig *r, const char *metric)
{
	const struct value *v = rig_value(r, metric);
	if (v->state == VALUE_UNAVAILABLE)
		fail_msg("%s: %s", metric, v->reason ? v->reason : "no reason given");
	return v->num;
}

void rig_close(struct rig *r)
{
	if (r->meter && r->meter->close)
		r->meter->close(r->inst);
	free(r->inst);
	launcher_close(&r->launcher);
	lt_arena_done(&r->arena);
	close(r->place.root_fd);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

double rig_extra(struct rig *r, const char *metric, const char *what, unsigned n)
{
	char count[16];
	snprintf(count, sizeof(count), "%u", n);
	double extra[25], middle = 0;
	for (size_t i = 0; i < 25 && (i < 5 || middle != n); i++) {
		double num[2];
		for (int with = 0; with < 2; with++) {
			rig_run(r,
				(const char *const[]){
					METER_LOAD, what, with ? count : "0", NULL });
			assert_int_equal(r->status, 0);
			num[with] = rig_num(r, metric);
		}
		extra[i] = num[1] - num[0];
		qsort(extra, i + 1, sizeof(*extra), by_value);
		middle = extra[i / 2];
	}
	return middle;
}

void rig_serve(struct rig_server *s, const char *what, unsigned n)
{
	int pair[2];
	char count[16], byte;
	snprintf(count, sizeof(count), "%u", n);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	s->pid = fork();
	if (s->pid == 0) {
		dup2(pair[1], 0);
		dup2(pair[1], 1);
		execl(METER_LOAD, METER_LOAD, "serve", what, count, NULL);
		_exit(127);
	}
	close(pair[1]);
	s->fd = pair[0];
	assert_int_equal(read(s->fd, &byte, 1), 1);
}

void rig_poke(void *server)
{
	struct rig_server *s = server;
	char byte = 'p';
	assert_int_equal(write(s->fd, &byte, 1), 1);
	assert_int_equal(read(s->fd, &byte, 1), 1);
}

void rig_serve_end(struct rig_server *s)
{
	close(s->fd);
	assert_int_equal(waitpid(s->pid, NULL, 0), s->pid);
}

struct value rig_probe(struct lt_arena *arena, const char *machine, const char *meter)
{
	struct meter_place place = { .arena = arena, .root_fd = sysroot_open(machine) };
	struct value v = meter_probe(meter_find(meter), &place);
	close(place.root_fd);
	if (v.state == VALUE_UNAVAILABLE)
		assert_non_null(v.reason);
	return v;
}

void rig_as_nobody(void (*test)(void))
{
	pid_t pid = nobody_fork();
	if (pid == 0) {
		test();
		_exit(0);
	}
	nobody_succeeds(pid);
}

void rig_gone(const char *meter)
{
	struct rig r;
	struct rig_server s;
	rig_serve(&s, "nothing", 0);
	rig_attach(&r, meter, NULL, s.pid);
	rig_serve_end(&s);
	rig_window(&r, NULL, NULL);
	for (size_t i = 0; i < r.n; i++) {
		assert_int_equal(r.values[i].state, VALUE_UNAVAILABLE);
		assert_non_null(r.values[i].reason);
	}
	rig_close(&r);
}
