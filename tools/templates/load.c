/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Multiplies numbers, each by a result before it: one processor, no memory, no kernel. */
#include "base/clock.h"
#include "base/own.h"
#include "load/load.h"

enum option {
	OPT_STEPS,
};

static const struct load_option options[] = {
	[OPT_STEPS] = { "steps", 's', LOAD_COUNT, 1000000, 1, 1000000000000, "multiplications" },
};

/* Required. Does the work, counts and checks it, or says why not and leaves nothing behind. */
static int this_name_run(
	const struct load_value *values, struct load_result *ret, struct lt_err *err)
{
	int64_t begin_ns = lt_now_ns();
	uint64_t done = 0, x = 1;
	for (; done < values[OPT_STEPS].count; done++)
		x *= 6364136223846793005u;
	int64_t end_ns = lt_now_ns();
	if (x % 2 == 0) /* odd times odd is odd */
		return lt_fail(err, -EIO, "LT-THIS-NAME", "the product is wrong");
	*ret = (struct load_result){ .work = done, .elapsed_ns = end_ns - begin_ns };
	return 0;
}

const struct load load_this_name = {
	.name = "this-name",
	.brief = "a chain of multiplications",
	.work = "steps",
	.timed = "the multiplications",
	.options = options,
	.n_options = LT_COUNT(options),
	.run = this_name_run,
};
