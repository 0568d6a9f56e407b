/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads write bytes of their own that lie in one cache line: the line travels at each
 * write, though nothing is shared. */
#include "cause/book.h"
#include "cause/tell.h"

static double claim(const struct cause_book *book, const struct cause_item *item)
{
	(void)book;
	return item->kind == CAUSE_USER ? item->private_ns : 0;
}

static bool judge(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	return cause_judge_line(book, mine, false, ret);
}

const struct cause cause_false_sharing = {
	.id = "false-sharing",
	.what = "threads write different bytes of the same cache line",
	.help = "Each write takes the line away from the other cores. Give each thread's data a "
		"line of its own: align and pad it to 64 bytes (128 where lines come in "
		"pairs), or count in a local variable and store once.",
	.confirm = "run the same threads on one CPU: the line stays in one cache, it gets faster",
	.contention = true,
	.direct = true,
	.claim = claim,
	.judge = judge,
};
