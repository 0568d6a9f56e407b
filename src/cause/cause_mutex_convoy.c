/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads queue at a lock that each of them holds only for a moment. */
#include "cause/book.h"
#include "cause/tell.h"

/* Does waiting in such a call mean waiting for a lock? */
static bool is_lock(const struct cause_book *book, enum cause_entry entry)
{
	return entry == CAUSE_ENTRY_RWLOCK || (entry == CAUSE_ENTRY_STDIO && !book->streams_wait) ||
		(entry == CAUSE_ENTRY_MUTEX && !book->hands_over) ||
		(entry == CAUSE_ENTRY_SEMAPHORE && book->semaphore_locks);
}

/* What a stream does is more than locking. */
static double of_stream(const struct cause_item *item)
{
	if (item->kind == CAUSE_USER)
		return item->private_ns + item->shared_ns;
	return cause_is_futex(item->sample->op) ? item->left_ns : 0;
}

static double claim(const struct cause_book *book, const struct cause_item *item)
{
	if (item->kind == CAUSE_WAIT && item->wait->op == EVIDENCE_OP_RUNQUEUE)
		return !book->hands_over && book->contended[CAUSE_ENTRY_MUTEX] &&
				cause_is_short(item)
			? item->left_ns
			: 0;
	if (!is_lock(book, item->entry))
		return 0;
	if (item->kind == CAUSE_WAIT)
		return cause_is_short(item) ? item->left_ns : 0;
	if (!book->contended[item->entry])
		return 0;
	return item->entry == CAUSE_ENTRY_STDIO ? of_stream(item) : item->left_ns;
}

static bool judge(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	if (!cause_matters(book, ret))
		return false;
	ret->confidence = cause_confidence(book, EVIDENCE_WAITS, true);
	cause_add_fact(ret, "waits", "count", mine->waits);
	cause_add_fact(ret, "wait-time", "ns", mine->seen_ns[CAUSE_WAIT]);
	cause_add_fact(ret, "system-time", "ns", mine->seen_ns[CAUSE_KERNEL]);
	cause_add_fact(ret, "user-time", "ns", mine->seen_ns[CAUSE_USER]);
	cause_add_fact(ret, "one-cpu", "ratio", cause_one_cpu(book));
	cause_add_places(book, mine, CAUSE_USER, "locks", 2, ret);
	cause_add_places(book, mine, CAUSE_WAIT, "waits", 2, ret);
	cause_add_places(book, mine, CAUSE_KERNEL, "locks", 2, ret);
	return true;
}

const struct cause cause_mutex_convoy = {
	.id = "mutex-convoy",
	.what = "threads queue at a lock that is held only for a moment",
	.help = "One lock is taken so often that its passing on costs more than what it protects. "
		"Take it less often (work in batches, a copy for each thread that is merged at "
		"the end), or split it (a lock for each part of the data).",
	.confirm = "run the same threads on one CPU: less contention makes it faster",
	.contention = true,
	.direct = true,
	.claim = claim,
	.judge = judge,
};
