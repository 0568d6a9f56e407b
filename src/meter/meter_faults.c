/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Page faults: minor ones found their page in memory, major ones waited for storage. */
#include "meter/meter.h"

#include "meter/attached.h"
#include "sys/procfs.h"

static const struct metric metrics[] = {
	{
		.name = "minor-faults",
		.unit = "count",
		.better = METRIC_LOWER,
		.kind = METRIC_COUNTER,
		.what = "page faults served from memory",
		.scope = "tree, user and kernel",
		.source = "ru_minflt of waitid",
	},
	{
		.name = "major-faults",
		.unit = "count",
		.better = METRIC_LOWER,
		.kind = METRIC_COUNTER,
		.what = "page faults that waited for storage",
		.scope = "tree, user and kernel",
		.source = "ru_majflt of waitid",
	},
};

struct faults {
	const struct metric *metrics;
	struct sys_stat begin;
	int error;
};

static int faults_open(
	void *inst, const struct meter_place *place, const char *arg, struct lt_err *err)
{
	struct faults *f = inst;
	(void)arg;
	return meter_metrics_at(place, metrics, LT_COUNT(metrics), "process, without children",
		"PID/stat", &f->metrics, err);
}

static size_t faults_list(const void *inst, const struct metric **ret)
{
	*ret = ((const struct faults *)inst)->metrics;
	return LT_COUNT(metrics);
}

static void faults_start(
	void *inst, const struct meter_place *place, const struct meter_window *win)
{
	struct faults *f = inst;
	(void)win;
	if (place->target)
		f->error = sys_stat(place->root_fd, place->target, &f->begin);
}

static void faults_read(void *inst, const struct meter_place *place, const struct meter_window *win,
	struct value *ret)
{
	const struct faults *f = inst;
	if (!place->target) {
		ret[0] = value_of((double)win->usage.ru_minflt);
		ret[1] = value_of((double)win->usage.ru_majflt);
		meter_note_unwaited(win, ret, LT_COUNT(metrics));
		return;
	}
	struct sys_stat now = { 0 };
	int r = f->error ? f->error : sys_stat(place->root_fd, place->target, &now);
	ret[0] = r < 0 ? meter_unread(r) : value_of((double)(now.minflt - f->begin.minflt));
	ret[1] = r < 0 ? meter_unread(r) : value_of((double)(now.majflt - f->begin.majflt));
}

const struct meter meter_faults = {
	.name = "faults",
	.brief = "page faults, minor and major",
	.cost = "none: waiting for the program tells it",
	.overhead = "None for programs leat starts. Attached: two procfs reads a window.",
	.caveats = "Descendants that nobody waited for are missing; the value says so. One fault "
		   "may map several pages. Attached: children are not included.",
	.metrics = metrics,
	.n_metrics = LT_COUNT(metrics),
	.inst_size = sizeof(struct faults),
	.use = METER_USE_TRIAL | METER_USE_ATTACH | METER_USE_DEFAULT,
	.open = faults_open,
	.list = faults_list,
	.start = faults_start,
	.read = faults_read,
};
