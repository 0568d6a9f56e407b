/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wall time, from just before exec to exit, by the monotonic clock. */
#include "meter/meter.h"

static const struct metric metrics[] = {
	{
		.name = "wall",
		.unit = "ns",
		.better = METRIC_LOWER,
		.kind = METRIC_COUNTER,
		.what = "wall time from exec to exit",
		.scope = "program",
		.source = "CLOCK_MONOTONIC",
	},
};

static void wall_read(void *inst, const struct meter_place *place, const struct meter_window *win,
	struct value *ret)
{
	(void)inst, (void)place;
	ret[0] = value_of(meter_window_wall_ns(win));
}

const struct meter meter_wall = {
	.name = "wall",
	.brief = "wall time from exec to exit",
	.cost = "two clock reads",
	.overhead = "Two reads of the monotonic clock a run, both outside the program.",
	.caveats = "Includes the time until leat's launcher is woken after the exit, "
		   "as every launcher's does.",
	.metrics = metrics,
	.n_metrics = LT_COUNT(metrics),
	.use = METER_USE_TRIAL | METER_USE_ATTACH | METER_USE_DEFAULT,
	.read = wall_read,
};
