/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The load that does nothing: what `leat bench` itself costs. */
#include "base/clock.h"
#include "load/load.h"

static int null_run(const struct load_value *values, struct load_result *ret, struct lt_err *err)
{
	(void)values, (void)err;
	int64_t begin_ns = lt_now_ns();
	*ret = (struct load_result){ .elapsed_ns = lt_now_ns() - begin_ns };
	return 0;
}

const struct load load_null = {
	.name = "null",
	.brief = "nothing: what `leat bench` itself costs",
	.work = "units",
	.timed = "two clock reads, one after the other",
	.run = null_run,
};
