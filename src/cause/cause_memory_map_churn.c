/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory goes back to the system and is taken again, page by page, all the time. Every page
 * costs a fault, and every map and unmap takes the lock of the whole address space. */
#include <math.h>

#include "cause/book.h"
#include "cause/tell.h"

/* research: more than 50 k minor faults a second of CPU, more than 60 % of it system time. */
static const double many_faults = 50e3, mostly_system = 0.6;

/* Huge pages are few faults, and maps that are hardly touched none: then by CPU time. */
static const double much_kernel = 0.3;

/* Memory is touched again, not for the first time, when so many times the most that it ever
 * held was faulted in; a byte takes the kernel 0.1 to 0.4 ns. */
static const double times_over = 3, ns_per_byte = 0.4, page_bytes = 4096;

static bool is_map(enum evidence_op op)
{
	return op == EVIDENCE_OP_FAULT || op == EVIDENCE_OP_MAP;
}

static double claim(const struct cause_book *book, const struct cause_item *item)
{
	(void)book;
	if (item->kind == CAUSE_WAIT)
		return is_map(item->wait->op) ? item->left_ns : 0;
	if (item->kind == CAUSE_USER)
		return fmin(item->sample->fresh_ns, item->left_ns);
	return item->kind == CAUSE_KERNEL && is_map(item->sample->op) ? item->left_ns : 0;
}

/* All CPU time that goes there, at the scale of the timed runs. */
static double spent_ns(const struct cause_book *book, const struct cause_account *mine)
{
	const struct curve_point *f = book->in->focus;
	double kernel = book->seen_ns[CAUSE_KERNEL], user = book->seen_ns[CAUSE_USER];
	double system = kernel > 0 ? mine->seen_ns[CAUSE_KERNEL] / kernel : 1;
	double touching = user > 0 ? mine->seen_ns[CAUSE_USER] / user : 0;
	return system * f->system_ns.num + touching * f->user_ns.num;
}

static bool is_over_and_over(const struct cause_book *book, const struct cause_account *mine)
{
	const struct evidence *ev = book->in->evidence;
	double held = times_over * (value_known(ev->peak_bytes) ? ev->peak_bytes.num : 0);
	return ev->minor_faults.num * page_bytes > held ||
		mine->seen_ns[CAUSE_KERNEL] > held * ns_per_byte;
}

static bool judge(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	const struct evidence *ev = book->in->evidence;
	const struct scaling *s = book->in->scaling;
	if (!ev || s->busy || !is_over_and_over(book, mine))
		return false;
	double cpu_ns = book->seen_ns[CAUSE_USER] + book->seen_ns[CAUSE_KERNEL];
	double touching = cpu_ns > 0 ? mine->seen_ns[CAUSE_USER] / cpu_ns : 0;
	double rate = cause_fault_rate(book), system = cause_system_share(book);
	bool much = rate > many_faults || mine->seen_ns[CAUSE_KERNEL] > much_kernel * cpu_ns;
	bool wastes = much && system + touching > mostly_system;
	if (!wastes && !(much && cause_matters(book, ret)))
		return false;
	/* It may waste every core's time alike: then it scales, and has a cure all the same. */
	ret->aside = !book->asked;
	if (ret->aside)
		ret->core_ns = NAN;
	else if (wastes)
		ret->gain_ns = ret->core_ns + spent_ns(book, mine) - mine->part_ns[LEDGER_SYSTEM] -
			mine->part_ns[LEDGER_USER];
	ret->confidence = cause_confidence(book, EVIDENCE_KERNEL, false);
	if (rate > many_faults) /* they were all counted */
		ret->confidence = CONFIDENCE_HIGH;
	cause_add_fact(ret, "faults", "count", ev->minor_faults.num);
	cause_add_fact(ret, "fault-rate", "count", rate);
	cause_add_fact(ret, "system-share", "ratio", system);
	cause_add_fact(ret, "wait-time", "ns", mine->seen_ns[CAUSE_WAIT]);
	if (touching > 0.01)
		cause_add_fact(ret, "touching-share", "ratio", touching);
	cause_add_places(book, mine, CAUSE_KERNEL, "faults", 3, ret);
	cause_add_places(book, mine, CAUSE_WAIT, "waits", 2, ret);
	return true;
}

const struct cause cause_memory_map_churn = {
	.id = "memory-map-churn",
	.what = "memory goes back to the system and is faulted in again",
	.help = "Blocks become maps of their own, or the top of the heap goes back at each free: "
		"every page is faulted in again, and threads meet at the lock of the address "
		"space. An allocator that keeps memory ends it, or buffers used again.",
	.confirm = "run with GLIBC_TUNABLES that keep memory: page faults and time fall together",
	.direct = true,
	.claim = claim,
	.judge = judge,
};
