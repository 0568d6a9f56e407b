/* SPDX-License-Identifier: GPL-2.0-or-later */
/* It uses all cores already with the least number of threads asked for, as each of them starts
 * a team of its own; or so many threads meet at barriers that they queue for cores. */
#include <math.h>

#include "cause/book.h"
#include "cause/tell.h"

/* With one thread asked for it uses clearly more than one core, ... */
static const double several = 1.25;

/* ... and so explains the curve: cores divided by those is nearly all that could be gained;
 * less of it will do where more threads than cores are seen to queue for them. */
static const double explains = 0.8, explains_queue = 0.65;

/* Waiting for a CPU, as a share of the run. */
static const double queues = 0.25;

/* More threads than cores that cost so much are worth a word. */
static const double collapse = 1.5;

static bool is_queueing(const struct cause_book *book)
{
	const struct cause_input *in = book->in;
	const struct evidence *ev = in->evidence;
	return ev && ev->peak_threads > in->focus->threads + 1 &&
		cause_queued_ns(book) > queues * ev->elapsed_ns;
}

static bool is_meeting(enum cause_entry entry)
{
	return entry == CAUSE_ENTRY_BARRIER || entry == CAUSE_ENTRY_RUNTIME;
}

static double claim(const struct cause_book *book, const struct cause_item *item)
{
	bool queued = item->kind == CAUSE_WAIT && item->wait->op == EVIDENCE_OP_RUNQUEUE;
	return book->crowded && (queued || is_meeting(item->entry)) ? item->left_ns : 0;
}

static bool starts_teams(const struct cause_book *book)
{
	const struct cause_input *in = book->in;
	if (!book->asked || !in->base || !in->base->threads || !in->focus ||
		!value_known(in->focus->speedup.value))
		return false;
	double used = cause_cores_used(in->base) / in->base->threads;
	double most = fmin(in->scaling->cpus / used, in->focus->threads);
	return used >= several &&
		in->focus->speedup.value.num >=
		(is_queueing(book) ? explains_queue : explains) * most;
}

static bool collapses(const struct cause_book *book)
{
	const struct curve_point *f = book->in->focus, *b = book->in->beyond;
	if (!f || !b || book->in->scaling->busy || book->in->scaling->mode == SCALE_WEAK ||
		!estimate_bounded(&f->wall_ns))
		return false;
	if (b->given_up_ns > 0)
		return b->given_up_ns > collapse * f->wall_ns.hi;
	return estimate_bounded(&b->wall_ns) && b->wall_ns.lo > f->wall_ns.hi &&
		b->wall_ns.value.num > collapse * f->wall_ns.value.num;
}

/* The barriers' part of the loss. */
static void tell_crowd(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	ret->confidence = cause_confidence(book, EVIDENCE_WAITS, false);
	cause_add_waits(mine, "waits", ret);
	cause_add_fact(
		ret, "queued", "ratio", cause_queued_ns(book) / book->in->evidence->elapsed_ns);
	cause_add_places(book, mine, CAUSE_WAIT, "waits", 3, ret);
}

/* All cores are at work: there is no loss, and no gain either. */
static void tell_teams(const struct cause_input *in, struct cause_finding *ret)
{
	const struct evidence *ev = in->evidence;
	ret->core_ns = NAN;
	ret->confidence = CONFIDENCE_HIGH;
	cause_add_fact(ret, "cores-by-one", "ratio", cause_cores_used(in->base));
	if (ev && ev->n_samples > 0 && ev->samples[0].site >= 0)
		cause_add_place(ret, "runs", ev->samples[0].group, ev->samples[0].site);
}

static void tell_collapse(const struct cause_input *in, struct cause_finding *ret)
{
	ret->core_ns = NAN;
	ret->aside = true;
	ret->confidence = CONFIDENCE_HIGH;
	if (in->beyond->given_up_ns > 0)
		cause_add_fact(ret, "slower-at-least", "ratio",
			in->beyond->given_up_ns / in->focus->wall_ns.value.num);
	else
		cause_add_fact(ret, "slower-beyond", "ratio",
			in->beyond->wall_ns.value.num / in->focus->wall_ns.value.num);
}

static bool judge(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	const struct cause_input *in = book->in;
	cause_add_fact(ret, "cpus", "count", in->scaling->cpus);
	if (starts_teams(book))
		tell_teams(in, ret);
	else if (book->crowded && cause_matters(book, ret))
		tell_crowd(book, mine, ret);
	else if (collapses(book))
		tell_collapse(in, ret);
	else
		return false;
	if (in->evidence && in->evidence->peak_threads > 0)
		cause_add_fact(ret, "peak-threads", "count", in->evidence->peak_threads);
	return true;
}

const struct cause cause_oversubscribed = {
	.id = "oversubscribed",
	.what = "more threads run than there are cores: each starts others",
	.help = "More threads are started than asked for, by each of them, by a library, or by a "
		"nested team that takes as many as there are CPUs: all cores are in use already "
		"with "
		"fewer, or barriers wait for threads that wait for a core. Give the inner teams "
		"one "
		"thread each (OMP_NUM_THREADS, OPENBLAS_NUM_THREADS, ...), or only the inner.",
	.confirm = "run with the inner teams held to one thread: the curve rises",
	.claim = claim,
	.judge = judge,
};
