/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPUs are hardware threads of one core: what one of them computes the other goes without. */
#include <math.h>

#include "cause/book.h"
#include "cause/tell.h"

/* Of what the CPUs are worth alone, a loop that needs a core's units gets on all of them. */
static const double shares_units = 0.85;

/* The same threads take less CPU time on one CPU. */
static const double less_cpu = 0.95;

static bool is_plausible(const struct cause_book *book)
{
	const struct scaling *s = book->in->scaling;
	const struct curve_point *f = book->in->focus;
	if (!(s->check.wide > 0) || s->check.wide > shares_units * s->check.asked)
		return false;
	if (!f || f->threads < s->check.asked) /* the scheduler leaves the other halves idle */
		return false;
	return !(cause_one_cpu_cpu(book) > less_cpu) && cause_undisputed_user(book);
}

static double claim(const struct cause_book *book, const struct cause_item *item)
{
	return item->kind == CAUSE_USER && is_plausible(book) ? item->left_ns : 0;
}

static bool judge(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	const struct scaling *s = book->in->scaling;
	if (!cause_matters(book, ret))
		return false;
	/* Measured on this machine; that the program needs the same units is what is left. */
	ret->confidence = isnan(cause_one_cpu_cpu(book)) ? CONFIDENCE_LOW : CONFIDENCE_MEDIUM;
	cause_add_fact(ret, "cpus", "count", s->check.asked);
	cause_add_fact(ret, "cpus-worth", "ratio", s->check.wide);
	cause_add_fact(ret, "one-cpu-cpu", "ratio", cause_one_cpu_cpu(book));
	cause_add_places(book, mine, CAUSE_USER, "runs", 3, ret);
	return true;
}

const struct cause cause_shared_core = {
	.id = "shared-core",
	.what = "the CPUs are hardware threads that share the units of a core",
	.help = "A loop that keeps a core's units busy gets less far on all CPUs at once than on "
		"each alone: they are halves of cores (SMT, Hyper-Threading), which guests are "
		"often not told. Nothing in the program hinders its threads. More cores make it "
		"faster; so does work that needs fewer instructions.",
	.confirm = "run it on CPUs of different cores, or with SMT off: the same CPU time for any "
		   "number of threads",
	.claim = claim,
	.judge = judge,
};
