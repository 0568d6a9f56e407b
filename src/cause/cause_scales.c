/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nothing is wrong. */
#include <math.h>

#include "cause/tell.h"

static bool judge(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	const struct scaling *s = book->in->scaling;
	const struct curve_point *f = book->in->focus;
	(void)mine;
	if (s->busy || s->verdict != SCALE_SCALES || !f)
		return false;
	ret->core_ns = NAN;
	ret->confidence = CONFIDENCE_HIGH;
	cause_add_fact(ret, "threads", "count", f->threads);
	if (value_known(f->speedup.value))
		cause_add_fact(ret, "speedup", "ratio", f->speedup.value.num);
	if (value_known(f->efficiency.value))
		cause_add_fact(ret, "efficiency", "ratio", f->efficiency.value.num);
	return true;
}

const struct cause cause_scales = {
	.id = "scales",
	.what = "nothing is wrong: it uses the cores that it gets",
	.help = "The speed-up is nine tenths of the cores, or more. To be faster it needs more "
		"cores, or less work.",
	.confirm = "measure with more threads on a machine with more cores",
	.judge = judge,
};
