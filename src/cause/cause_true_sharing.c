/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads change the same variable all the time. */
#include "cause/book.h"
#include "cause/tell.h"

static double claim(const struct cause_book *book, const struct cause_item *item)
{
	(void)book;
	return item->kind == CAUSE_USER ? item->shared_ns : 0;
}

static bool judge(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	return cause_judge_line(book, mine, true, ret);
}

const struct cause cause_true_sharing = {
	.id = "true-sharing",
	.what = "threads change the same variable all the time",
	.help = "A counter, a reference count or a flag that everybody writes travels between the "
		"cores at each write. Keep one for each thread and add them up when asked, "
		"count in batches, or pass by reference what was counted.",
	.confirm = "run the same threads on one CPU: the line stays in one cache, it gets faster",
	.contention = true,
	.direct = true,
	.claim = claim,
	.judge = judge,
};
