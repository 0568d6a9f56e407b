/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads queue at a lock inside the memory allocator: they share an arena, or free what
 * others allocate. */
#include "cause/book.h"
#include "cause/tell.h"

static double claim(const struct cause_book *book, const struct cause_item *item)
{
	if (item->entry != CAUSE_ENTRY_ALLOCATOR)
		return 0;
	switch (item->kind) {
	case CAUSE_WAIT:
		return item->wait->op == EVIDENCE_OP_LOCK ? item->ns : 0;
	case CAUSE_KERNEL:
		return item->sample->op == EVIDENCE_OP_LOCK || item->sample->op == EVIDENCE_OP_WAKE
			? item->left_ns
			: 0;
	default:
		return book->contended[CAUSE_ENTRY_ALLOCATOR] ? item->left_ns : 0;
	}
}

static bool judge(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	if (!cause_matters(book, ret))
		return false;
	ret->confidence = cause_confidence(book, EVIDENCE_WAITS, true);
	cause_add_fact(ret, "waits", "count", mine->waits);
	cause_add_fact(ret, "wait-time", "ns", mine->seen_ns[CAUSE_WAIT]);
	cause_add_fact(
		ret, "cpu-time", "ns", mine->seen_ns[CAUSE_USER] + mine->seen_ns[CAUSE_KERNEL]);
	cause_add_fact(ret, "one-cpu", "ratio", cause_one_cpu(book));
	cause_add_places(book, mine, CAUSE_USER, "allocates", 2, ret);
	cause_add_places(book, mine, CAUSE_WAIT, "waits", 2, ret);
	return true;
}

const struct cause cause_allocator_lock = {
	.id = "allocator-lock",
	.what = "threads queue at a lock inside the memory allocator",
	.help = "Threads share an arena of the allocator, or free blocks that another thread "
		"allocated, and meet at its lock. An allocator with caches for each thread, "
		"more arenas, or buffers kept and used again by their thread end it.",
	.confirm = "run with another allocator preloaded: its time falls, or this is not it",
	.contention = true,
	.direct = true,
	.claim = claim,
	.judge = judge,
};
