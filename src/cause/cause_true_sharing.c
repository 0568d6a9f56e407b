/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads change the same variable all the time. */
#include "cause/book.h"
#include "cause/tell.h"

/* As for false sharing. */
static const double hot_share = 0.2;

static double claim(const struct cause_book *book, const struct cause_item *item)
{
	(void)book;
	return item->kind == CAUSE_USER ? item->shared_ns : 0;
}

static bool judge(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	double hot = mine->seen_ns[CAUSE_USER];
	if (!cause_matters(book, ret) || hot < hot_share * book->seen_ns[CAUSE_USER])
		return false;
	ret->confidence = cause_confidence(book, EVIDENCE_LINES, true);
	cause_add_fact(ret, "cpu-share", "ratio", hot / book->seen_ns[CAUSE_USER]);
	cause_add_fact(ret, "one-cpu", "ratio", cause_one_cpu(book));
	cause_add_line(book, true, ret);
	return true;
}

const struct cause cause_true_sharing = {
	.id = "true-sharing",
	.what = "threads change the same variable all the time",
	.help = "A counter, a reference count or a flag that everybody writes travels between the "
		"cores at each write. Keep one for each thread and add them up when asked, "
		"count in batches, or pass by reference what was counted.",
	.confirm = "run the same threads on one CPU: the line stays in one cache, it gets faster",
	.contention = true,
	.claim = claim,
	.judge = judge,
};
