/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Peak memory: the largest resident set any one process of the tree had. */
#include "meter/meter.h"

#include "meter/attached.h"
#include "sys/procfs.h"

static const struct metric metrics[] = {
	{
		.name = "peak-rss",
		.unit = "bytes",
		.better = METRIC_LOWER,
		.kind = METRIC_PEAK,
		.what = "largest resident set of any one process",
		.scope = "largest process of the tree",
		.source = "ru_maxrss of waitid",
	},
};

static const struct metric attached_metrics[] = {
	{
		.name = "peak-rss",
		.unit = "bytes",
		.better = METRIC_LOWER,
		.kind = METRIC_PEAK,
		.what = "largest resident set since the process started",
		.scope = "process, since it started",
		.source = "VmHWM of PID/status",
	},
	{
		.name = "rss",
		.unit = "bytes",
		.better = METRIC_LOWER,
		.kind = METRIC_GAUGE,
		.what = "resident set at the end of the window",
		.scope = "process",
		.source = "VmRSS of PID/status",
	},
};

struct memory {
	bool attached;
};

static int memory_open(
	void *inst, const struct meter_place *place, const char *arg, struct lt_err *err)
{
	struct memory *m = inst;
	(void)arg, (void)err;
	m->attached = place->target != 0;
	return 0;
}

static size_t memory_list(const void *inst, const struct metric **ret)
{
	bool attached = ((const struct memory *)inst)->attached;
	*ret = attached ? attached_metrics : metrics;
	return attached ? LT_COUNT(attached_metrics) : LT_COUNT(metrics);
}

static void memory_read(void *inst, const struct meter_place *place, const struct meter_window *win,
	struct value *ret)
{
	const struct memory *m = inst;
	if (!m->attached) {
		ret[0] = value_of((double)win->usage.ru_maxrss * 1024);
		if (win->left)
			ret[0].reason = "without descendants that were still running";
		return;
	}
	struct sys_memory now = { 0 };
	int r = sys_memory(place->root_fd, place->target, &now);
	ret[0] = r < 0 ? meter_unread(r) : value_of((double)now.peak);
	ret[1] = r < 0 ? meter_unread(r) : value_of((double)now.rss);
}

const struct meter meter_memory = {
	.name = "memory",
	.brief = "peak resident memory of the largest process",
	.cost = "none: waiting for the program tells it",
	.overhead = "None for programs leat starts. Attached: one procfs file a window.",
	.caveats = "The largest process, not the sum: two children of 100 MiB each read "
		   "100 MiB. Shared pages count in full. The launcher's own pages set a floor "
		   "of a few 100 KiB. The kernel counts pages in batches: up to 128 KiB a CPU "
		   "may be missing. Attached: the peak is that of the process's whole life.",
	.metrics = metrics,
	.n_metrics = LT_COUNT(metrics),
	.inst_size = sizeof(struct memory),
	.use = METER_USE_TRIAL | METER_USE_ATTACH | METER_USE_DEFAULT,
	.open = memory_open,
	.list = memory_list,
	.read = memory_read,
};
