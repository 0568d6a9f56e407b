/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Context switches: voluntary ones gave the CPU away to wait, involuntary ones lost it. */
#include "meter/meter.h"

#include "meter/attached.h"
#include "meter/threads.h"
#include "sys/procfs.h"

static const struct metric metrics[] = {
	{
		.name = "vol-switches",
		.unit = "count",
		.better = METRIC_LOWER,
		.kind = METRIC_COUNTER,
		.what = "times a thread gave its CPU away to wait",
		.scope = "tree",
		.source = "ru_nvcsw of waitid",
	},
	{
		.name = "invol-switches",
		.unit = "count",
		.better = METRIC_LOWER,
		.kind = METRIC_COUNTER,
		.what = "times a thread lost its CPU to another",
		.scope = "tree",
		.source = "ru_nivcsw of waitid",
	},
};

struct switches {
	const struct metric *metrics;
	struct threads begin, now;
	int error;
};

static int switches_open(
	void *inst, const struct meter_place *place, const char *arg, struct lt_err *err)
{
	struct switches *s = inst;
	(void)arg;
	return meter_metrics_at(place, metrics, LT_COUNT(metrics), "process, without children",
		"PID/task/TID/status", &s->metrics, err);
}

static size_t switches_list(const void *inst, const struct metric **ret)
{
	*ret = ((const struct switches *)inst)->metrics;
	return LT_COUNT(metrics);
}

static int read_thread(int root_fd, pid_t pid, pid_t tid, uint64_t ret[THREADS_NUMBERS])
{
	struct sys_switches s;
	int r = sys_switches(root_fd, pid, tid, &s);
	if (r < 0)
		return r;
	ret[0] = s.voluntary;
	ret[1] = s.involuntary;
	return 0;
}

static void switches_start(
	void *inst, const struct meter_place *place, const struct meter_window *win)
{
	struct switches *s = inst;
	(void)win;
	if (place->target)
		s->error = threads_read(&s->begin, place->root_fd, place->target, read_thread);
}

static void read_process(struct switches *s, const struct meter_place *place, struct value *ret)
{
	int r = s->error ? s->error
			 : threads_read(&s->now, place->root_fd, place->target, read_thread);
	double added[THREADS_NUMBERS] = { 0 };
	size_t ended = r < 0 ? 0 : threads_added(&s->begin, &s->now, added);
	for (size_t i = 0; i < LT_COUNT(metrics); i++) {
		ret[i] = r < 0 ? meter_unread(r) : value_of(added[i]);
		if (ended) {
			ret[i].state = VALUE_ESTIMATED;
			ret[i].reason = "without the last part of threads that ended meanwhile";
		}
	}
}

static void switches_read(void *inst, const struct meter_place *place,
	const struct meter_window *win, struct value *ret)
{
	if (place->target) {
		read_process(inst, place, ret);
		return;
	}
	ret[0] = value_of((double)win->usage.ru_nvcsw);
	ret[1] = value_of((double)win->usage.ru_nivcsw);
	meter_note_unwaited(win, ret, LT_COUNT(metrics));
}

static void switches_close(void *inst)
{
	struct switches *s = inst;
	threads_done(&s->begin);
	threads_done(&s->now);
}

const struct meter meter_switches = {
	.name = "switches",
	.brief = "context switches, voluntary and involuntary",
	.cost = "none: waiting for the program tells it",
	.overhead = "None for programs leat starts. Attached: one procfs read a thread at start "
		    "and end of a window.",
	.caveats = "Descendants that nobody waited for are missing; the value says so. Attached: "
		   "threads that both start and end within the window are not seen, and one "
		   "that ends takes its last part along; then the value is marked estimated.",
	.metrics = metrics,
	.n_metrics = LT_COUNT(metrics),
	.inst_size = sizeof(struct switches),
	.use = METER_USE_TRIAL | METER_USE_ATTACH | METER_USE_DEFAULT,
	.open = switches_open,
	.list = switches_list,
	.start = switches_start,
	.read = switches_read,
	.close = switches_close,
};
