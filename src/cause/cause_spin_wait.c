/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads wait in a loop that looks and looks: it costs a core and does no work. */
#include <math.h>

#include "cause/book.h"
#include "cause/tell.h"

/* research: registers frozen in 29-42 % of the samples of a spinning program, hardly ever
 * elsewhere. */
static const double spins_share = 0.15;

static double claim(const struct cause_book *book, const struct cause_item *item)
{
	if (item->kind != CAUSE_USER)
		return 0;
	switch (item->entry) {
	case CAUSE_ENTRY_SPINLOCK:
		return item->left_ns;
	case CAUSE_ENTRY_RUNTIME: /* it sleeps after a while: see serial-section */
		return cause_runtime_sleeps(book) ? 0 : item->left_ns;
	case CAUSE_ENTRY_NONE:
		return cause_spun_ns(item->sample);
	default:
		return 0;
	}
}

static bool judge(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	double spun = mine->seen_ns[CAUSE_USER];
	if (!cause_matters(book, ret) || spun < spins_share * book->seen_ns[CAUSE_USER])
		return false;
	ret->confidence = cause_confidence(book, EVIDENCE_SAMPLES, false);
	cause_add_fact(ret, "cpu-share", "ratio", spun / book->seen_ns[CAUSE_USER]);
	cause_add_fact(ret, "cpu-time", "ns", spun);
	cause_add_places(book, mine, CAUSE_USER, "spins", 3, ret);
	return true;
}

const struct cause cause_spin_wait = {
	.id = "spin-wait",
	.what = "threads wait in a loop that burns the CPU",
	.help = "A loop reads a flag, or tries a lock, until another thread is done. What they "
		"wait "
		"for is the cause behind: uneven shares, or a lock held for long. Sleep after "
		"some rounds (futex, condition variable), share the work more evenly.",
	.confirm = "stop it in a debugger: threads stand in the loop named here",
	.claim = claim,
	.judge = judge,
};
