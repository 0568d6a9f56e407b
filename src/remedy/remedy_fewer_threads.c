/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fewer threads than asked for. */
#include "remedy/remedy.h"

static struct remedy_offer fewer_threads_offer(
	const struct remedy_place *place, struct remedy_change *ret)
{
	if (place->program && !place->threads)
		return remedy_refuse(
			REMEDY_POINTLESS, "the number of threads is not leat's to choose", NULL);
	if (place->threads == 1)
		return remedy_refuse(REMEDY_POINTLESS, "there is one thread only", NULL);
	if (place->grows)
		return remedy_refuse(REMEDY_POINTLESS,
			"each thread brings its own work: fewer threads would do less", NULL);
	if (place->threads && place->threads_best >= place->threads)
		return remedy_refuse(
			REMEDY_POINTLESS, "no smaller number of threads was faster", NULL);
	*ret = (struct remedy_change){ .threads = place->threads_best ? place->threads_best
								      : place->threads / 2 };
	return remedy_ready();
}

static const char *const heals[] = { "mutex-convoy", "condvar-handoff", "false-sharing",
	"true-sharing", "yield-storm", "spin-wait", "memory-bandwidth", "oversubscribed", NULL };

const struct remedy remedy_fewer_threads = {
	.name = "fewer-threads",
	.brief = "the number of threads that was fastest, or half of them",
	.does = "Runs the same work with fewer threads: as many as were fastest on the curve, else "
		"half of them.",
	.price = "What scales in the program gets fewer threads, too.",
	.heals = heals,
	.offer = fewer_threads_offer,
};
