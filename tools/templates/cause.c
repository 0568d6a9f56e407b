/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads wait until what they write is taken. */
#include "cause/book.h"
#include "cause/tell.h"

/* How much of the piece is this cause's doing: all that is left of waits to write. */
static double claim(const struct cause_book *book, const struct cause_item *item)
{
	(void)book;
	return item->kind == CAUSE_WAIT && item->wait->op == EVIDENCE_OP_WRITE ? item->left_ns : 0;
}

/* Is what was claimed enough to be named? Then numbers and places. */
static bool judge(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	if (!cause_matters(book, ret))
		return false;
	ret->confidence = cause_confidence(book, EVIDENCE_WAITS, false);
	cause_add_waits(mine, "waits", ret);
	cause_add_places(book, mine, CAUSE_WAIT, "waits", 2, ret);
	return true;
}

const struct cause cause_this_name = {
	.id = "this-name",
	.what = "threads wait until what they write is taken",
	.help = "Whoever reads the output is slower than the program. Write less, or write to a "
		"file.",
	.confirm = "send the output to a file: the waiting is gone",
	.claim = claim,
	.judge = judge,
};
