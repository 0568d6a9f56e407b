/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Software events of perf over the whole tree: also of descendants that nobody waited for,
 * which rusage does not know. */
#include <linux/perf_event.h>

#include "meter/counters.h"
#include "meter/meter.h"

#define PERF_METRIC(n, u, w, s)                                                           \
	{                                                                                 \
		.name = (n), .unit = (u), .better = METRIC_LOWER, .kind = METRIC_COUNTER, \
		.what = (w), .scope = "tree, user and kernel", .source = (s),             \
	}

static const struct metric metrics[] = {
	PERF_METRIC(
		"task-clock", "ns", "time on a CPU, all threads together", "perf event task-clock"),
	PERF_METRIC("context-switches", "count", "times a thread left its CPU",
		"perf event context-switches"),
	PERF_METRIC("cpu-migrations", "count", "times a thread was moved to another CPU",
		"perf event cpu-migrations"),
	PERF_METRIC("page-faults", "count", "page faults of both kinds", "perf event page-faults"),
};

static const struct sys_perf_code codes[LT_COUNT(metrics)] = {
	{ .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK },
	{ .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_MIGRATIONS },
	{ .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS },
};

enum {
	TASK_CLOCK,
	CONTEXT_SWITCHES
};

/* Available when the clock is; says so when the kernel's events are not. */
static struct value perf_probe(const struct meter_place *place)
{
	struct value clock = counters_probe(place, &codes[TASK_CLOCK]);
	if (clock.state == VALUE_UNAVAILABLE)
		return clock;
	struct value kernel = counters_probe(place, &codes[CONTEXT_SWITCHES]);
	clock.reason = kernel.reason;
	clock.hint = kernel.hint;
	return clock;
}

static int perf_open(
	void *inst, const struct meter_place *place, const char *arg, struct lt_err *err)
{
	(void)arg;
	return counters_open(inst, place, metrics, codes, LT_COUNT(metrics), err);
}

const struct meter meter_perf = {
	.name = "perf",
	.brief = "clock, switches, migrations, faults of the whole tree, by perf",
	.cost = "four perf events, read at start and at end",
	.overhead = "Four perf events that every process of the tree inherits: 15 to 20 us a "
		    "program, about 15 us a fork and 1.5 us a context switch.",
	.caveats = "task-clock includes what a hypervisor or an interrupt took while a thread had "
		   "the CPU; cpu does not. Counts from exec until the read, so descendants still "
		   "running are counted a little beyond the window's end. Without privilege and "
		   "with perf_event_paranoid 2 page faults are those from user code only, and "
		   "switches and migrations are unavailable. A program that changes its user by "
		   "exec leaves the count. Attached: children that existed before are not "
		   "included.",
	.metrics = metrics,
	.n_metrics = LT_COUNT(metrics),
	.inst_size = sizeof(struct counters),
	.use = METER_USE_TRIAL | METER_USE_ATTACH,
	.probe = perf_probe,
	.open = perf_open,
	.list = counters_list,
	.start = counters_start,
	.read = counters_read,
	.close = counters_close,
};
