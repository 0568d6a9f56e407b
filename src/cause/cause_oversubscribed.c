/* SPDX-License-Identifier: GPL-2.0-or-later */
/* It uses all cores already with the least number of threads asked for: each of them starts
 * a team of its own. */
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

static bool is_queueing(const struct cause_input *in)
{
	const struct evidence *ev = in->evidence;
	double queued = 0;
	for (size_t i = 0; ev && i < ev->n_waits; i++)
		queued += ev->waits[i].op == EVIDENCE_OP_RUNQUEUE ? ev->waits[i].total_ns : 0;
	return ev && ev->peak_threads > in->focus->threads + 1 && queued > queues * ev->elapsed_ns;
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
		(is_queueing(in) ? explains_queue : explains) * most;
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

static bool judge(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	const struct cause_input *in = book->in;
	(void)mine;
	bool teams = starts_teams(book);
	if (!teams && !collapses(book))
		return false;
	ret->core_ns = NAN; /* all cores are at work: there is no loss, and no gain either */
	ret->aside = !teams;
	ret->confidence = CONFIDENCE_HIGH;
	cause_add_fact(ret, "cpus", "count", in->scaling->cpus);
	if (teams)
		cause_add_fact(ret, "cores-by-one", "ratio", cause_cores_used(in->base));
	else if (in->beyond->given_up_ns > 0)
		cause_add_fact(ret, "slower-at-least", "ratio",
			in->beyond->given_up_ns / in->focus->wall_ns.value.num);
	else
		cause_add_fact(ret, "slower-beyond", "ratio",
			in->beyond->wall_ns.value.num / in->focus->wall_ns.value.num);
	if (in->evidence && in->evidence->peak_threads > 0)
		cause_add_fact(ret, "peak-threads", "count", in->evidence->peak_threads);
	if (teams && in->evidence && in->evidence->n_samples > 0 &&
		in->evidence->samples[0].site >= 0)
		ret->places[ret->n_places++] = (struct cause_place){ .role = "runs",
			.group = (int)in->evidence->samples[0].group,
			.site = in->evidence->samples[0].site,
			.frame = -1,
			.offset = NAN };
	return true;
}

const struct cause cause_oversubscribed = {
	.id = "oversubscribed",
	.what = "more threads run than there are cores: each starts others",
	.help = "The cores are all in use already with fewer threads than asked for, because a "
		"library "
		"or a nested team starts as many as there are CPUs. Give the inner teams one "
		"thread each (OMP_NUM_THREADS, OPENBLAS_NUM_THREADS, ...), or only the inner.",
	.confirm = "run with the inner teams held to one thread: the curve rises",
	.judge = judge,
};
