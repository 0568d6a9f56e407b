/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads wait for storage. */
#include "cause/book.h"
#include "cause/tell.h"

/* A page fault that reads from a disk is a major one. */
static bool reads_pages(const struct cause_book *book, const struct cause_item *item)
{
	const struct evidence *ev = book->in->evidence;
	return item->wait->op == EVIDENCE_OP_FAULT && value_known(ev->major_faults) &&
		ev->major_faults.num > item->wait->count / 2;
}

static double claim(const struct cause_book *book, const struct cause_item *item)
{
	if (item->kind != CAUSE_WAIT)
		return 0;
	return item->wait->op == EVIDENCE_OP_DISK || reads_pages(book, item) ? item->left_ns : 0;
}

static bool judge(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	return cause_judge_outside(book, mine, "waits", ret);
}

const struct cause cause_disk = {
	.id = "disk",
	.what = "threads wait for the disk",
	.help = "Reads, writes or syncs are done one after the other while cores stand idle. Sync "
		"once for many records, read ahead, keep more requests under way at once, or "
		"move the files to faster storage.",
	.confirm = "run it on a file system in memory: the waiting is gone",
	.direct = true,
	.claim = claim,
	.judge = judge,
};
