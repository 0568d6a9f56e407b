/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads have nothing to do until more input comes. */
#include "cause/book.h"
#include "cause/tell.h"

static double claim(const struct cause_book *book, const struct cause_item *item)
{
	(void)book;
	if (item->kind != CAUSE_WAIT)
		return 0;
	/* Who holds the lock of a stream is the one that reads. */
	bool stream = item->entry == CAUSE_ENTRY_STDIO && item->wait->op == EVIDENCE_OP_LOCK;
	return item->wait->op == EVIDENCE_OP_READ || item->wait->op == EVIDENCE_OP_POLL || stream
		? item->left_ns
		: 0;
}

static bool judge(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	if (!cause_matters(book, ret))
		return false;
	ret->confidence = cause_confidence(book, EVIDENCE_WAITS, false);
	cause_add_fact(ret, "waits", "count", mine->waits);
	cause_add_fact(ret, "wait-time", "ns", mine->seen_ns[CAUSE_WAIT]);
	cause_add_fact(ret, "mean-wait", "ns", mine->seen_ns[CAUSE_WAIT] / mine->waits);
	cause_add_fact(ret, "nobody-runs", "ratio", cause_cores_share(book, 0));
	cause_add_places(book, mine, CAUSE_WAIT, "waits", 3, ret);
	return true;
}

const struct cause cause_waiting_for_input = {
	.id = "waiting-for-input",
	.what = "threads wait for input that comes slower than they work",
	.help = "More threads cannot help: the program is as fast as what feeds it. Make the "
		"source "
		"faster, ask it for more at once, or overlap several requests to it.",
	.confirm = "feed it from a file or a faster source: the waiting is gone",
	.claim = claim,
	.judge = judge,
};
