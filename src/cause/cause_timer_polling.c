/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads look for work at intervals instead of being woken when there is some. */
#include "cause/book.h"
#include "cause/tell.h"

/* A wait with a deadline is a look at intervals when so often nobody runs who could end it. */
static const double nobody_share = 0.3;

static double claim(const struct cause_book *book, const struct cause_item *item)
{
	(void)book;
	if (item->kind != CAUSE_WAIT)
		return 0;
	if (item->wait->op == EVIDENCE_OP_SLEEP)
		return item->left_ns;
	bool looks = item->entry == CAUSE_ENTRY_TIMED && !cause_is_short(item) &&
		item->nobody_ns > nobody_share * item->core_ns;
	return looks ? item->left_ns : 0;
}

static bool judge(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	return cause_judge_outside(book, mine, "sleeps", ret);
}

const struct cause cause_timer_polling = {
	.id = "timer-polling",
	.what = "threads sleep for a fixed time between looks for work",
	.help = "Work lies ready while its threads sleep, and they wake up for nothing when there "
		"is "
		"none. Let who makes the work wake them: a condition variable, an eventfd, "
		"poll without a timeout.",
	.confirm = "halve the sleep: the time falls by as much",
	.direct = true,
	.claim = claim,
	.judge = judge,
};
