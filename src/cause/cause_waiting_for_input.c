/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads have nothing to do until more input comes. */
#include "cause/book.h"
#include "cause/tell.h"

static double claim(const struct cause_book *book, const struct cause_item *item)
{
	if (item->kind != CAUSE_WAIT)
		return 0;
	/* Who holds the lock of a stream is the one that reads. */
	bool stream = book->streams_wait && item->entry == CAUSE_ENTRY_STDIO &&
		item->wait->op == EVIDENCE_OP_LOCK;
	return item->wait->op == EVIDENCE_OP_READ || item->wait->op == EVIDENCE_OP_POLL || stream
		? item->left_ns
		: 0;
}

static bool judge(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	return cause_judge_outside(book, mine, "waits", ret);
}

const struct cause cause_waiting_for_input = {
	.id = "waiting-for-input",
	.what = "threads wait for input that comes slower than they work",
	.help = "More threads cannot help: the program is as fast as what feeds it. Make the "
		"source faster, ask it for more at once, or overlap several requests to it.",
	.confirm = "feed it from a file or a faster source: the waiting is gone",
	.direct = true,
	.claim = claim,
	.judge = judge,
};
