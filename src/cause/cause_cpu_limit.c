/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program may not use the cores that it has threads for: an affinity mask, its own or
 * one from outside, or a quota of its control group. */
#include <math.h>

#include "cause/book.h"
#include "cause/tell.h"

/* research: run-queue time of more than 40 % of the run while cores stand idle. */
static const double queues = 0.4;

/* All the cores that it was to have are in use for less than so much of the time. */
static const double hardly_all = 0.1;

/* Speed-up with more threads than allowed CPUs, in what those CPUs can give. */
static const double nearly_all = 0.9;
static const double hardly_more = 1.2;

static double queue_ns(const struct evidence *ev)
{
	double sum = 0;
	for (size_t i = 0; i < ev->n_waits; i++)
		sum += ev->waits[i].op == EVIDENCE_OP_RUNQUEUE ? ev->waits[i].total_ns : 0;
	return sum;
}

static double claim(const struct cause_book *book, const struct cause_item *item)
{
	const struct evidence *ev = book->in->evidence;
	if (item->kind != CAUSE_WAIT || item->wait->op != EVIDENCE_OP_RUNQUEUE ||
		!value_known(ev->foreign_ns)) /* then it may be others that have the CPUs */
		return 0;
	size_t all = book->in->ledger ? (size_t)ceil(book->in->ledger->cores) : ev->cpus;
	return queue_ns(ev) >= queues * ev->elapsed_ns && cause_cores_share(book, all) < hardly_all
		? item->left_ns
		: 0;
}

/* The limit comes from outside: all that it allows is used, and more threads, for which the
 * machine has CPUs, gain nothing. */
static bool is_outside(const struct cause_book *book)
{
	const struct scaling *s = book->in->scaling;
	const struct curve_point *focus = book->in->focus;
	const struct curve_point *past =
		focus && focus->threads > s->cpus ? focus : book->in->beyond;
	if (s->busy || s->cpus >= book->in->online || !past || past->threads > book->in->online ||
		!value_known(past->speedup.value))
		return false;
	double gain = past->speedup.value.num / s->cpus;
	return gain >= nearly_all && gain < hardly_more;
}

static bool judge(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	const struct scaling *s = book->in->scaling;
	bool outside = is_outside(book);
	if (!outside && !cause_matters(book, ret))
		return false;
	if (outside)
		ret->core_ns = NAN;
	ret->confidence = outside ? CONFIDENCE_HIGH : cause_confidence(book, EVIDENCE_WAITS, false);
	cause_add_fact(ret, "cpus-online", "count", book->in->online);
	cause_add_fact(ret, "cpus-allowed", "count", s->allowed);
	cause_add_fact(ret, "cpu-quota", "ratio", s->quota > 0 ? s->quota : NAN);
	cause_add_fact(ret, "queue-time", "ns",
		mine->seen_ns[CAUSE_WAIT] > 0 ? mine->seen_ns[CAUSE_WAIT] : NAN);
	cause_add_places(book, mine, CAUSE_WAIT, "queues", 2, ret);
	return true;
}

const struct cause cause_cpu_limit = {
	.id = "cpu-limit",
	.what = "it may not use the cores that it has threads for",
	.help = "An affinity mask (taskset, sched_setaffinity, a batch system) or the CPU quota "
		"of a control group keeps threads that could run from running. Widen the mask or "
		"the quota, or start only as many threads as CPUs are allowed.",
	.confirm = "see Cpus_allowed_list in /proc/PID/status, and cpu.max of its control group",
	.claim = claim,
	.judge = judge,
};
