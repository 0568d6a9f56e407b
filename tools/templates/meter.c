/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The age of the machine at the end of a window. */
#include "meter/meter.h"

static const struct metric metrics[] = {
	{
		.name = "this-name",
		.unit = "ns",
		.better = METRIC_LOWER,
		.kind = METRIC_COUNTER,
		.what = "age of the machine when the window ended",
		.scope = "machine",
		.source = "CLOCK_MONOTONIC",
	},
};

/* Required. One value for each metric; they arrive as unavailable. A number is given with
 * value_of, what is missing with value_missing and a reason. */
static void this_name_read(void *inst, const struct meter_place *place,
	const struct meter_window *win, struct value *ret)
{
	(void)inst, (void)place;
	if (win->end_ns <= 0)
		ret[0] = value_missing("the window has no end", NULL);
	else
		ret[0] = value_of((double)win->end_ns);
}

/* Not required: probe (can it measure here?), open and close with inst_size (state), list
 * (metrics that depend on an argument), start (before each window). */
const struct meter meter_this_name = {
	.name = "this-name",
	.brief = "age of the machine when the window ended",
	.cost = "none",
	.overhead = "None: it uses what was read already.",
	.caveats = "Says nothing about the program.",
	.metrics = metrics,
	.n_metrics = LT_COUNT(metrics),
	.use = METER_USE_TRIAL | METER_USE_ATTACH,
	.read = this_name_read,
};
