/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run-queue wait: time the program was ready to run and had no CPU. It is the largest part of
 * the noise on a busy machine, and the kernel knows it to the nanosecond. */
#include "meter/meter.h"

#include <stdio.h>

#include "meter/attached.h"
#include "meter/threads.h"
#include "sys/file.h"
#include "sys/procfs.h"

static const struct metric metrics[] = {
	{
		.name = "wait",
		.unit = "ns",
		.better = METRIC_LOWER,
		.kind = METRIC_COUNTER,
		.what = "time ready to run, waiting for a CPU",
		.scope = "leader, where it did at least 90 % of the tree's work",
		.source = "PID/schedstat before exec and after the end",
	},
	{
		.name = "wall-wait",
		.unit = "ns",
		.better = METRIC_LOWER,
		.kind = METRIC_COUNTER,
		.what = "wall time without the wait for a CPU",
		.scope = "leader, where it did at least 90 % of the tree's work",
		.source = "CLOCK_MONOTONIC and PID/schedstat",
	},
};

enum {
	WAIT,
	WALL_WAIT
};

/* Below this share of the tree's CPU time the leader's wait says nothing about the rest. */
static const double leader_share = 0.9;

struct wait {
	const struct metric *metrics;
	struct threads begin, now;
	int error;
};

static const char not_kept[] = "this kernel does not keep run-queue times";
static const char not_kept_hint[] = "a kernel built with CONFIG_SCHED_INFO; "
				    "where it is compiled in, boot with 'delayacct'";

static struct value wait_probe(const struct meter_place *place)
{
	char text[96];
	unsigned long long slices; /* of CPU that we got: we run, so 0 means not kept */
	int r = sys_read_at(place->root_fd, "proc/self/schedstat", text, sizeof(text));
	if (r < 0 || sscanf(text, "%*u %*u %llu", &slices) != 1 || !slices)
		return value_missing(not_kept, not_kept_hint);
	return (struct value){ .state = VALUE_MEASURED };
}

static int wait_open(
	void *inst, const struct meter_place *place, const char *arg, struct lt_err *err)
{
	struct wait *w = inst;
	(void)arg;
	return meter_metrics_at(place, metrics, LT_COUNT(metrics), "process, all threads",
		"PID/task/TID/schedstat", &w->metrics, err);
}

static size_t wait_list(const void *inst, const struct metric **ret)
{
	*ret = ((const struct wait *)inst)->metrics;
	return LT_COUNT(metrics);
}

static int read_thread(int root_fd, pid_t pid, pid_t tid, uint64_t ret[THREADS_NUMBERS])
{
	struct sys_schedstat s;
	int r = sys_schedstat_thread(root_fd, pid, tid, &s);
	if (r < 0)
		return r;
	ret[0] = s.run_ns;
	ret[1] = s.wait_ns;
	return 0;
}

static void wait_start(void *inst, const struct meter_place *place, const struct meter_window *win)
{
	struct wait *w = inst;
	(void)win;
	if (place->target)
		w->error = threads_read(&w->begin, place->root_fd, place->target, read_thread);
}

static void both(struct value *ret, struct value v)
{
	ret[WAIT] = ret[WALL_WAIT] = v;
}

static void read_process(struct wait *w, const struct meter_place *place,
	const struct meter_window *win, struct value *ret)
{
	int r = w->error ? w->error
			 : threads_read(&w->now, place->root_fd, place->target, read_thread);
	if (r < 0) {
		both(ret, meter_unread(r));
		return;
	}
	double added[THREADS_NUMBERS];
	size_t ended = threads_added(&w->begin, &w->now, added);
	ret[WAIT] = value_of(added[1]);
	if (ended) {
		ret[WAIT].state = VALUE_ESTIMATED;
		ret[WAIT].reason = "without the last part of threads that ended meanwhile";
	}
	if (w->begin.n == 1 && w->now.n == 1 && !ended)
		ret[WALL_WAIT] = value_of(meter_window_wall_ns(win) - added[1]);
	else
		ret[WALL_WAIT] = value_missing(
			"several threads wait at the same time", "a process of one thread");
}

static void read_leader(const struct meter_window *win, struct value *ret)
{
	if (win->leader_run_ns < 0) {
		both(ret, value_missing(not_kept, not_kept_hint));
	} else if (win->leader_run_ns < leader_share * meter_window_cpu_ns(win)) {
		both(ret,
			value_missing("other threads or processes of the program did most of "
				      "the work, and the kernel keeps the wait of its first "
				      "thread only",
				"run the part that works as a program of its own, "
				"or with one thread"));
	} else {
		ret[WAIT] = value_of(win->leader_wait_ns);
		ret[WALL_WAIT] = value_of(meter_window_wall_ns(win) - win->leader_wait_ns);
	}
}

static void wait_read(void *inst, const struct meter_place *place, const struct meter_window *win,
	struct value *ret)
{
	if (place->target)
		read_process(inst, place, win, ret);
	else
		read_leader(win, ret);
}

static void wait_close(void *inst)
{
	struct wait *w = inst;
	threads_done(&w->begin);
	threads_done(&w->now);
}

const struct meter meter_wait = {
	.name = "wait",
	.brief = "time waiting for a CPU, and wall time without it",
	.cost = "none: the launcher tells it",
	.overhead = "The launcher reads schedstat before exec and after the program has ended, "
		    "about 10 us each and outside the window. Attached: one procfs read a "
		    "thread at start and end of the window.",
	.caveats = "Of the program's first thread; where that did less than 90 % of the tree's "
		   "CPU time the value is unavailable. Time stolen by a hypervisor is not in it.",
	.metrics = metrics,
	.n_metrics = LT_COUNT(metrics),
	.inst_size = sizeof(struct wait),
	.use = METER_USE_TRIAL | METER_USE_ATTACH | METER_USE_DEFAULT,
	.probe = wait_probe,
	.open = wait_open,
	.list = wait_list,
	.start = wait_start,
	.read = wait_read,
	.close = wait_close,
};
