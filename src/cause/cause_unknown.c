/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was found does not explain the loss. */
#include <math.h>

#include "cause/tell.h"

/* Named parts that cover less leave the question open. */
static const double covered = 0.7;

static bool judge(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	(void)mine;
	if (!book->asked || book->named_ns >= covered * book->lost_ns)
		return false;
	double rest = book->lost_ns - book->named_ns;
	/* Said with what is known, when most of it is. */
	ret->core_ns = rest;
	ret->aside = book->named_ns >= rest;
	ret->confidence = CONFIDENCE_FACT;
	const struct evidence *ev = book->in->evidence;
	if (ev && ev->sources[EVIDENCE_WAITS].tier == EVIDENCE_PROBE)
		ret->confirm = "begin at the largest line of the ledger";
	cause_add_fact(ret, "unexplained", "ns", rest);
	cause_add_fact(ret, "extra-user", "ns", book->part_ns[LEDGER_USER]);
	cause_add_fact(ret, "extra-system", "ns", book->part_ns[LEDGER_SYSTEM]);
	cause_add_fact(ret, "idle", "ns", book->part_ns[LEDGER_IDLE]);
	return true;
}

const struct cause cause_unknown = {
	.id = "unknown",
	.what = "the loss is larger than what could be named",
	.help = "The parts that have a name cover less than seven tenths of the loss. The ledger "
		"shows where the rest went: extra user time, extra system time, or idle cores.",
	.confirm = "run as root, or with CAP_BPF and CAP_PERFMON, where more can be seen",
	.judge = judge,
};
