/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All cores wait for memory, and memory is as fast as it can. */
#include <math.h>

#include "cause/book.h"
#include "cause/tell.h"

/* Smaller data stays in the caches of any machine of today. */
static const double large_bytes = 24 << 20;

/* research: extra user time is the greater part of the loss, hardly any of it at lines in
 * dispute; on one CPU the same threads need 2.5 s of CPU instead of 4.9 s in the same time. */
static const double mostly_user = 0.5, few_disputed = 0.2, less_cpu = 0.8;

/* On one CPU contention is far faster, and work that has all it needs far slower. */
static const double one_cpu_lo = 0.8;

static double disputed_ns(const struct cause_book *book)
{
	double sum = 0;
	for (size_t i = 0; i < book->n_items; i++) {
		const struct cause_item *item = &book->items[i];
		if (item->kind != CAUSE_USER)
			continue;
		bool library = item->entry != CAUSE_ENTRY_NONE && book->contended[item->entry];
		sum += library
			? item->ns
			: fmax(item->private_ns + item->shared_ns, cause_spun_ns(item->sample));
	}
	return sum;
}

static bool is_plausible(const struct cause_book *book)
{
	const struct evidence *ev = book->in->evidence;
	const struct scaling *s = book->in->scaling;
	double one_cpu = cause_one_cpu(book);
	if (!value_known(ev->peak_bytes) || ev->peak_bytes.num < large_bytes)
		return false;
	if (one_cpu < one_cpu_lo || (value_known(s->one_cpu.cpu) && s->one_cpu.cpu.num > less_cpu))
		return false;
	return book->part_ns[LEDGER_USER] >= mostly_user * book->lost_ns &&
		disputed_ns(book) < few_disputed * book->seen_ns[CAUSE_USER];
}

static double claim(const struct cause_book *book, const struct cause_item *item)
{
	return item->kind == CAUSE_USER && is_plausible(book) ? item->left_ns : 0;
}

static bool judge(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	const struct scaling *s = book->in->scaling;
	if (!cause_matters(book, ret))
		return false;
	/* Nothing counts the traffic itself here: what else could be was seen not to be. */
	ret->confidence = value_known(s->one_cpu.cpu) ? CONFIDENCE_MEDIUM : CONFIDENCE_LOW;
	cause_add_fact(ret, "footprint", "bytes", book->in->evidence->peak_bytes.num);
	cause_add_fact(ret, "one-cpu", "ratio", cause_one_cpu(book));
	cause_add_fact(ret, "one-cpu-cpu", "ratio",
		value_known(s->one_cpu.cpu) ? s->one_cpu.cpu.num : NAN);
	cause_add_places(book, mine, CAUSE_USER, "runs", 3, ret);
	return true;
}

const struct cause cause_memory_bandwidth = {
	.id = "memory-bandwidth",
	.what = "the cores together ask for more memory traffic than there is",
	.help = "The same work takes more CPU time when more cores do it, no line is in dispute, "
		"and the data is larger than the caches. Touch memory less often: work in blocks "
		"that fit a cache, smaller types, fewer passes; spread threads over sockets.",
	.confirm = "halve the data type or the number of passes: the time falls by as much",
	.claim = claim,
	.judge = judge,
};
