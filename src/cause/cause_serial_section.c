/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One thread works alone while the others have to wait for it: a part that is not parallel,
 * a lock held for long, or shares of very different size. */
#include <math.h>

#include "cause/book.h"
#include "cause/tell.h"

static double claim(const struct cause_book *book, const struct cause_item *item)
{
	if (item->kind == CAUSE_ALONE)
		return item->left_ns;
	/* A team of a runtime spins for a while before it sleeps: waiting, too. */
	if (item->kind == CAUSE_USER)
		return item->entry == CAUSE_ENTRY_RUNTIME && cause_runtime_sleeps(book)
			? item->left_ns
			: 0;
	if (item->kind != CAUSE_WAIT || cause_is_short(item))
		return 0;
	switch (item->wait->op) {
	case EVIDENCE_OP_LOCK:
	case EVIDENCE_OP_BARRIER:
	case EVIDENCE_OP_CONDITION:
		return item->left_ns;
	default:
		return 0;
	}
}

/* Time in which exactly one core ran the program. */
static double alone_ns(const struct evidence *ev)
{
	double sum = 0;
	if (ev->n_cores > 1)
		return ev->cores[1].ns;
	for (size_t i = 0; i < ev->n_samples; i++)
		sum += ev->samples[i].alone_ns;
	return sum > 0 ? sum : NAN;
}

static bool judge(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	const struct evidence *ev = book->in->evidence;
	if (!cause_matters(book, ret))
		return false;
	double alone = alone_ns(ev), cpu_ns = 0;
	for (size_t i = 0; i < ev->n_cores; i++)
		cpu_ns += (double)i * ev->cores[i].ns;
	ret->confidence = cause_confidence(book, EVIDENCE_CORES, false);
	cause_add_fact(ret, "alone-time", "ns", alone);
	cause_add_fact(ret, "alone-share", "ratio", alone / ev->elapsed_ns);
	/* However many cores: what one does alone stays. */
	cause_add_fact(ret, "most-speedup", "ratio", cpu_ns / alone);
	cause_add_fact(ret, "waits", "count", mine->waits);
	cause_add_fact(ret, "mean-wait", "ns", mine->seen_ns[CAUSE_WAIT] / mine->waits);
	cause_add_fact(ret, "spin-time", "ns",
		mine->seen_ns[CAUSE_USER] > 0 ? mine->seen_ns[CAUSE_USER] : NAN);
	cause_add_alone(book, "runs-alone", ret);
	cause_add_places(book, mine, CAUSE_WAIT, "waits", 2, ret);
	return true;
}

const struct cause cause_serial_section = {
	.id = "serial-section",
	.what = "one thread works alone while the others wait for it",
	.help = "A part of the program is not parallel, a lock is held for long, or one share is "
		"larger than the others. No number of cores makes that part faster: divide it, "
		"overlap it with the parallel part, or hand out smaller shares.",
	.confirm =
		"time the function named here alone: it takes as long with any number of threads",
	.claim = claim,
	.judge = judge,
};
