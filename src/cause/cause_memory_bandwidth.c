/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All cores wait for memory, and memory is as fast as it can. */
#include <math.h>

#include "cause/book.h"
#include "cause/tell.h"

/* Smaller data stays in the caches of any machine of today. */
static const double large_bytes = 24 << 20;

/* research: on one CPU the same threads need 2.5 s of CPU instead of 4.9 s in the same time. */
static const double less_cpu = 0.8;

/* On one CPU contention is far faster, and work that has all it needs far slower. */
static const double one_cpu_lo = 0.8;

static bool is_plausible(const struct cause_book *book)
{
	const struct evidence *ev = book->in->evidence;
	if (!value_known(ev->peak_bytes) || ev->peak_bytes.num < large_bytes)
		return false;
	if (cause_one_cpu(book) < one_cpu_lo || cause_one_cpu_cpu(book) > less_cpu)
		return false;
	return cause_undisputed_user(book);
}

static double claim(const struct cause_book *book, const struct cause_item *item)
{
	return item->kind == CAUSE_USER && is_plausible(book) ? item->left_ns : 0;
}

static bool judge(
	const struct cause_book *book, const struct cause_account *mine, struct cause_finding *ret)
{
	if (!cause_matters(book, ret))
		return false;
	/* Nothing counts the traffic itself here: what else could be was seen not to be. */
	ret->confidence = isnan(cause_one_cpu_cpu(book)) ? CONFIDENCE_LOW : CONFIDENCE_MEDIUM;
	cause_add_fact(ret, "footprint", "bytes", book->in->evidence->peak_bytes.num);
	cause_add_fact(ret, "one-cpu", "ratio", cause_one_cpu(book));
	cause_add_fact(ret, "one-cpu-cpu", "ratio", cause_one_cpu_cpu(book));
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
