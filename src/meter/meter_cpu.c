/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPU time. The sum is exact; the kernel splits it into user and system by which of the two
 * the clock tick met, so the parts are samples. */
#include "meter/meter.h"

#include "base/clock.h"
#include "meter/attached.h"
#include "sys/procfs.h"

static const struct metric metrics[] = {
	{
		.name = "cpu",
		.unit = "ns",
		.better = METRIC_LOWER,
		.kind = METRIC_COUNTER,
		.what = "CPU time, user and system together",
		.scope = "tree, user and kernel",
		.source = "rusage of waitid, descendants nobody waited for added",
	},
	{
		.name = "user",
		.unit = "ns",
		.better = METRIC_LOWER,
		.kind = METRIC_COUNTER,
		.sampled = true,
		.what = "part of the CPU time spent in the program's own code",
		.scope = "tree but for descendants nobody waited for, user",
		.source = "rusage of waitid",
	},
	{
		.name = "sys",
		.unit = "ns",
		.better = METRIC_LOWER,
		.kind = METRIC_COUNTER,
		.sampled = true,
		.what = "part of the CPU time spent in the kernel",
		.scope = "tree but for descendants nobody waited for, kernel",
		.source = "rusage of waitid",
	},
};

enum {
	CPU,
	USER,
	SYS
};

struct cpu {
	const struct metric *metrics;
	clockid_t clock; /* of the process attached to */
	double begin_ns;
	struct sys_stat begin;
	int error;      /* of the clock */
	int stat_error; /* of the parts */
};

static int cpu_open(
	void *inst, const struct meter_place *place, const char *arg, struct lt_err *err)
{
	struct cpu *c = inst;
	(void)arg;
	int r = place->target ? meter_clock_open(place->target, &c->clock, err) : 0;
	if (r < 0)
		return r;
	return meter_metrics_at(place, metrics, LT_COUNT(metrics), "process, without children",
		"the process's CPU clock; PID/stat for the parts", &c->metrics, err);
}

static size_t cpu_list(const void *inst, const struct metric **ret)
{
	*ret = ((const struct cpu *)inst)->metrics;
	return LT_COUNT(metrics);
}

static void cpu_start(void *inst, const struct meter_place *place, const struct meter_window *win)
{
	struct cpu *c = inst;
	(void)win;
	if (!place->target)
		return;
	c->error = meter_clock_read(c->clock, &c->begin_ns);
	c->stat_error = sys_stat(place->root_fd, place->target, &c->begin);
}

static void read_process(struct cpu *c, const struct meter_place *place, struct value *ret)
{
	double now_ns = 0, tick_ns = 1e9 / (double)sysconf(_SC_CLK_TCK);
	struct sys_stat now = { 0 };
	int r = c->error ? c->error : meter_clock_read(c->clock, &now_ns);
	ret[CPU] = r < 0 ? meter_unread(r) : value_of(now_ns - c->begin_ns);
	r = c->stat_error ? c->stat_error : sys_stat(place->root_fd, place->target, &now);
	ret[USER] =
		r < 0 ? meter_unread(r) : value_of((double)(now.utime - c->begin.utime) * tick_ns);
	ret[SYS] =
		r < 0 ? meter_unread(r) : value_of((double)(now.stime - c->begin.stime) * tick_ns);
}

static void cpu_read(void *inst, const struct meter_place *place, const struct meter_window *win,
	struct value *ret)
{
	if (place->target) {
		read_process(inst, place, ret);
		return;
	}
	ret[CPU] = value_of(meter_window_cpu_ns(win));
	ret[USER] = value_of((double)lt_timeval_ns(&win->usage.ru_utime));
	ret[SYS] = value_of((double)lt_timeval_ns(&win->usage.ru_stime));
	meter_note_unwaited(win, &ret[USER], 2);
}

const struct meter meter_cpu = {
	.name = "cpu",
	.brief = "CPU time of the program and its descendants",
	.cost = "none: waiting for the program tells it",
	.overhead = "None for programs leat starts: the kernel hands it over when the program "
		    "ends. Attached: two clock reads and two reads of PID/stat a window.",
	.caveats = "Only the sum is exact (to 1 us); it begins at the fork, 20 to 50 us of the "
		   "launcher's work before exec. user and sys are told apart by what the "
		   "clock tick met; below 100 ms a part may read 0 or everything. Attached: "
		   "children of the process are not included, and the parts come in ticks of "
		   "10 ms.",
	.metrics = metrics,
	.n_metrics = LT_COUNT(metrics),
	.inst_size = sizeof(struct cpu),
	.use = METER_USE_TRIAL | METER_USE_ATTACH | METER_USE_DEFAULT,
	.open = cpu_open,
	.list = cpu_list,
	.start = cpu_start,
	.read = cpu_read,
};
