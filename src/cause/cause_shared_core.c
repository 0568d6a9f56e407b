/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPUs are hardware threads of one core: what one of them computes the other goes without. */
#include <math.h>

#include "cause/book.h"
#include "cause/tell.h"

/* Of what the CPUs are worth alone, a loop that needs a core's units gets on all of them. */
static const double shares_units = 0.85;

/* The same work takes more CPU time then, at lines that nobody disputes; and the same threads on
 * one CPU take less. */
static const double mostly_user = 0.5, few_disputed = 0.2, less_cpu = 0.95;

static double disputed_ns(const struct cause_book *book)
{
	double sum = 0;
	for (size_t i = 0; i < book->n_items; i++)
		if (book->items[i].kind == CAUSE_USER)
			sum += fmax(book->items[i].private_ns + book->items[i].shared_ns,
				cause_spun_ns(book->items[i].sample));
	return sum;
}

static bool is_plausible(const struct cause_book *book)
{
	const struct scaling *s = book->in->scaling;
	const struct curve_point *f = book->in->focus;
	if (!(s->check.wide > 0) || s->check.wide > shares_units * s->check.asked)
		return false;
	if (!f || f->threads < s->check.asked) /* the scheduler leaves the other halves idle */
		return false;
	if (value_known(s->one_cpu.cpu) && s->one_cpu.cpu.num > less_cpu)
		return false;
	return book->part_ns[LEDGER_USER] >= mostly_user * book->lost_ns &&
		disputed_ns(book) < few_disputed * book->seen_ns[CAUSE_USER];
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
	ret->confidence = value_known(s->one_cpu.cpu) ? CONFIDENCE_MEDIUM : CONFIDENCE_LOW;
	cause_add_fact(ret, "cpus", "count", s->check.asked);
	cause_add_fact(ret, "cpus-worth", "ratio", s->check.wide);
	cause_add_fact(ret, "one-cpu-cpu", "ratio",
		value_known(s->one_cpu.cpu) ? s->one_cpu.cpu.num : NAN);
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
