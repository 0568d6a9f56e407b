/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads wait by giving their CPU away and getting it back at once. */
#include "cause/book.h"
#include "cause/tell.h"

/* A tenth of the CPU time for the call alone: at 0.3 us each, 300 k of them a second. */
static const double many_yields = 0.1;

static double claim(const struct cause_book *book, const struct cause_item *item)
{
	(void)book;
	if (item->kind == CAUSE_WAIT)
		return item->wait->op == EVIDENCE_OP_YIELD ? item->left_ns : 0;
	if (item->kind == CAUSE_KERNEL)
		return item->sample->op == EVIDENCE_OP_YIELD ? item->left_ns : 0;
	return item->kind == CAUSE_USER && item->entry == CAUSE_ENTRY_YIELD ? item->left_ns : 0;
}

static bool judge(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	double cpu_ns = book->seen_ns[CAUSE_USER] + book->seen_ns[CAUSE_KERNEL];
	double yield_ns = mine->seen_ns[CAUSE_USER] + mine->seen_ns[CAUSE_KERNEL];
	if (!cause_matters(book, ret) || yield_ns < many_yields * cpu_ns)
		return false;
	ret->confidence = cause_confidence(book, EVIDENCE_KERNEL, false);
	cause_add_fact(ret, "cpu-share", "ratio", yield_ns / cpu_ns);
	cause_add_fact(ret, "switches", "count", mine->waits);
	cause_add_places(book, mine, CAUSE_KERNEL, "yields", 2, ret);
	cause_add_places(book, mine, CAUSE_USER, "yields", 2, ret);
	cause_add_places(book, mine, CAUSE_WAIT, "yields", 2, ret);
	return true;
}

const struct cause cause_yield_storm = {
	.id = "yield-storm",
	.what = "threads wait by calling sched_yield all the time",
	.help = "A loop asks whether it may go on and yields the CPU in between; with a free core "
		"the call returns at once, so it burns a core like spinning, and with none it "
		"only changes who spins. A mutex, a condition variable or a futex wait instead.",
	.confirm = "count the calls, e.g. strace -c -f: sched_yield is nearly all of them",
	.contention = true,
	.direct = true,
	.claim = claim,
	.judge = judge,
};
