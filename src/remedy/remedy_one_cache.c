/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPUs of one shared cache. */
#include "remedy/pins.h"

static struct remedy_offer one_cache_offer(
	const struct remedy_place *place, struct remedy_change *ret)
{
	struct lt_cpuset set;
	pins_one_cache(&place->topology, &set);
	return pins_offer(place, &set, "all CPUs share one cache, or none do", ret);
}

static const char *const heals[] = { "mutex-convoy", "condvar-handoff", "false-sharing",
	"true-sharing", "yield-storm", NULL };

const struct remedy remedy_one_cache = {
	.name = "one-cache",
	.brief = "the CPUs of one cache",
	.does = "Limits the program to the CPUs that share one cache, so that a contended line "
		"does not leave it.",
	.price = "Fewer CPUs than there are.",
	.heals = heals,
	.offer = one_cache_offer,
};
