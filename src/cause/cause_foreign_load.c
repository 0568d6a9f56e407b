/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Other programs use the cores that this one asks for. */
#include <math.h>

#include "cause/book.h"
#include "cause/tell.h"

/* Of the loss: what makes it the answer, not a remark. */
static const double mostly = 0.6;

static double foreign_ns(const struct cause_book *book)
{
	const struct evidence *ev = book->in->evidence;
	return ev && value_known(ev->foreign_ns) ? ev->foreign_ns.num : NAN;
}

/* Of the waiting for a CPU no more than others used of it. */
static double claim(const struct cause_book *book, const struct cause_item *item)
{
	if (item->kind != CAUSE_WAIT || item->wait->op != EVIDENCE_OP_RUNQUEUE)
		return 0;
	double queued = 0;
	for (size_t i = 0; i < book->n_items; i++)
		if (book->items[i].kind == CAUSE_WAIT &&
			book->items[i].wait->op == EVIDENCE_OP_RUNQUEUE)
			queued += book->items[i].ns;
	return fmin(1, fmax(foreign_ns(book), 0) / queued) * item->left_ns;
}

static double foreign_share(const struct cause_book *book)
{
	const struct evidence *ev = book->in->evidence;
	return ev && ev->elapsed_ns > 0 && ev->cpus ? foreign_ns(book) / (ev->elapsed_ns * ev->cpus)
						    : NAN;
}

static bool judge(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	const struct scaling *s = book->in->scaling;
	if (!s->busy && !cause_matters(book, ret))
		return false;
	/* The look at the machine before each round found it quiet: a part of the loss is
	 * noise beside what the program does itself. */
	ret->aside = !s->busy && ret->core_ns < mostly * book->lost_ns;
	if (s->busy)
		ret->core_ns = NAN;
	ret->confidence = s->busy ? CONFIDENCE_HIGH : cause_confidence(book, EVIDENCE_WAITS, false);
	cause_add_fact(ret, "foreign-share", "ratio", foreign_share(book));
	if (s->check.checks > 0) {
		cause_add_fact(ret, "cores-asked", "count", s->check.asked);
		cause_add_fact(ret, "cores-given", "ratio", s->check.given);
	}
	cause_add_fact(ret, "wait-time", "ns",
		mine->seen_ns[CAUSE_WAIT] > 0 ? mine->seen_ns[CAUSE_WAIT] : NAN);
	return true;
}

const struct cause cause_foreign_load = {
	.id = "foreign-load",
	.what = "other programs use the cores that it asks for",
	.help = "The machine, or the host of the virtual machine, is busy with something else, and "
		"no verdict on the program can be had now. End the other load, or choose "
		"CPUs that it does not use.",
	.confirm = "look who runs, e.g. with top, and measure again without it",
	.claim = claim,
	.judge = judge,
};
