/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cores used: CPU time over wall time. */
#include "meter/meter.h"

#include "base/clock.h"
#include "meter/attached.h"

static const struct metric metrics[] = {
	{
		.name = "cores",
		.unit = "ratio",
		.better = METRIC_NEITHER,
		.kind = METRIC_GAUGE,
		.what = "CPU time over wall time: how many cores were busy on average",
		.scope = "tree, user and kernel",
		.source = "rusage of waitid over CLOCK_MONOTONIC",
	},
};

struct cores {
	const struct metric *metrics;
	clockid_t clock; /* of the process attached to */
	double begin_cpu_ns, begin_wall_ns;
	int error;
};

static int cores_open(
	void *inst, const struct meter_place *place, const char *arg, struct lt_err *err)
{
	struct cores *c = inst;
	(void)arg;
	int r = place->target ? meter_clock_open(place->target, &c->clock, err) : 0;
	if (r < 0)
		return r;
	return meter_metrics_at(place, metrics, LT_COUNT(metrics), "process, without children",
		"the process's CPU clock over CLOCK_MONOTONIC", &c->metrics, err);
}

static size_t cores_list(const void *inst, const struct metric **ret)
{
	*ret = ((const struct cores *)inst)->metrics;
	return LT_COUNT(metrics);
}

/* Both clocks at one moment, so that the ratio is true whatever the window says. */
static int now(const struct cores *c, double *ret_cpu_ns, double *ret_wall_ns)
{
	*ret_wall_ns = (double)lt_now_ns();
	return meter_clock_read(c->clock, ret_cpu_ns);
}

static void cores_start(void *inst, const struct meter_place *place, const struct meter_window *win)
{
	struct cores *c = inst;
	(void)win;
	if (place->target)
		c->error = now(c, &c->begin_cpu_ns, &c->begin_wall_ns);
}

static void cores_read(void *inst, const struct meter_place *place, const struct meter_window *win,
	struct value *ret)
{
	const struct cores *c = inst;
	double cpu_ns = meter_window_cpu_ns(win), wall_ns = meter_window_wall_ns(win);
	if (place->target) {
		int r = c->error ? c->error : now(c, &cpu_ns, &wall_ns);
		if (r < 0) {
			ret[0] = meter_unread(r);
			return;
		}
		cpu_ns -= c->begin_cpu_ns;
		wall_ns -= c->begin_wall_ns;
	}
	ret[0] = wall_ns > 0 ? value_of(cpu_ns / wall_ns)
			     : value_missing("the window has no length", NULL);
}

const struct meter meter_cores = {
	.name = "cores",
	.brief = "cores used: CPU time over wall time",
	.cost = "none: made of cpu and wall",
	.overhead = "None for programs leat starts. Attached: four clock reads a window.",
	.caveats = "An average: two cores busy half of the time read 1. Attached: children of "
		   "the process are not included.",
	.metrics = metrics,
	.n_metrics = LT_COUNT(metrics),
	.inst_size = sizeof(struct cores),
	.use = METER_USE_TRIAL | METER_USE_ATTACH | METER_USE_DEFAULT,
	.open = cores_open,
	.list = cores_list,
	.start = cores_start,
	.read = cores_read,
};
