/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Migrations: times a thread was moved to another CPU. */
#include <linux/perf_event.h>

#include "meter/counters.h"
#include "meter/meter.h"

static const struct sys_perf_code code = {
	.type = PERF_TYPE_SOFTWARE,
	.config = PERF_COUNT_SW_CPU_MIGRATIONS,
};

static const struct metric metrics[] = {
	{
		.name = "migrations",
		.unit = "count",
		.better = METRIC_LOWER,
		.kind = METRIC_COUNTER,
		.what = "times a thread was moved to another CPU",
		.scope = "tree, user and kernel",
		.source = "perf event cpu-migrations",
	},
};

static struct value migrations_probe(const struct meter_place *place)
{
	return counters_probe(place, &code);
}

static int migrations_open(
	void *inst, const struct meter_place *place, const char *arg, struct lt_err *err)
{
	(void)arg;
	return counters_open(inst, place, metrics, &code, LT_COUNT(metrics), err);
}

const struct meter meter_migrations = {
	.name = "migrations",
	.brief = "times a thread was moved to another CPU",
	.cost = "one perf event, read at start and at end",
	.overhead =
		"One perf event that every process of the tree inherits: 10 to 20 us a program, "
		"about 5 us a fork and 1 us a context switch.",
	.caveats = "Needs the kernel's side of perf events: without privilege only where "
		   "perf_event_paranoid is 1 or less. A program that changes its user by exec "
		   "leaves the count.",
	.metrics = metrics,
	.n_metrics = LT_COUNT(metrics),
	.inst_size = sizeof(struct counters),
	.use = METER_USE_TRIAL | METER_USE_ATTACH,
	.probe = migrations_probe,
	.open = migrations_open,
	.list = counters_list,
	.start = counters_start,
	.read = counters_read,
	.close = counters_close,
};
