/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The meter that reads nothing: `leat run -m null -- true` measures leat itself. */
#include "meter/meter.h"

static void null_read(void *inst, const struct meter_place *place, const struct meter_window *win,
	struct value *ret)
{
	(void)inst, (void)place, (void)win, (void)ret;
}

const struct meter meter_null = {
	.name = "null",
	.brief = "nothing: measures leat itself",
	.cost = "none",
	.overhead = "None: the difference to other meters is what they cost.",
	.caveats = "Has no metric.",
	.use = METER_USE_TRIAL | METER_USE_ATTACH,
	.read = null_read,
};
