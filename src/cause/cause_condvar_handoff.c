/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads hand work to one another in pieces so small that the waking costs more than the
 * work: condition variables, semaphores, barriers. */
#include "cause/book.h"
#include "cause/tell.h"

static bool is_hand_over(const struct cause_book *book, enum cause_entry entry)
{
	switch (entry) {
	case CAUSE_ENTRY_CONDITION:
	case CAUSE_ENTRY_TIMED:
		return true;
	case CAUSE_ENTRY_BARRIER:
	case CAUSE_ENTRY_RUNTIME:
		return !book->crowded;
	case CAUSE_ENTRY_SEMAPHORE:
		return !book->semaphore_locks;
	case CAUSE_ENTRY_MUTEX:
		return book->hands_over;
	default:
		return false;
	}
}

static double claim(const struct cause_book *book, const struct cause_item *item)
{
	if (item->kind == CAUSE_WAIT && item->wait->op == EVIDENCE_OP_RUNQUEUE)
		return book->hands_over && !book->crowded && cause_is_short(item) ? item->left_ns
										  : 0;
	if (!is_hand_over(book, item->entry))
		return 0;
	if (item->kind == CAUSE_WAIT)
		return cause_is_short(item) ? item->left_ns : 0;
	return book->contended[item->entry] && item->entry != CAUSE_ENTRY_RUNTIME ? item->left_ns
										  : 0;
}

static bool judge(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	if (!cause_matters(book, ret))
		return false;
	ret->confidence = cause_confidence(book, EVIDENCE_WAITS, false);
	cause_add_waits(mine, "waits", ret);
	cause_add_fact(ret, "system-time", "ns", mine->seen_ns[CAUSE_KERNEL]);
	cause_add_places(book, mine, CAUSE_WAIT, "waits", 3, ret);
	cause_add_places(book, mine, CAUSE_KERNEL, "wakes", 2, ret);
	return true;
}

const struct cause cause_condvar_handoff = {
	.id = "condvar-handoff",
	.what = "threads sleep and wake one another for each small piece",
	.help = "A wake-up costs some microseconds and a piece of work hardly more. Hand over many "
		"pieces at once, let queues hold more than one, wake only a thread that "
		"sleeps, or do the work where it is made.",
	.confirm = "double the work of each piece: the speed-up rises",
	.direct = true,
	.claim = claim,
	.judge = judge,
};
