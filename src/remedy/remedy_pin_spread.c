/* SPDX-License-Identifier: GPL-2.0-or-later */
/* As many CPUs as threads, far from each other. */
#include "remedy/pins.h"

static struct remedy_offer pin_spread_offer(
	const struct remedy_place *place, struct remedy_change *ret)
{
	return pins_choose(place, pins_spread, ret);
}

static const char *const heals[] = { "memory-bandwidth", NULL };

const struct remedy remedy_pin_spread = {
	.name = "pin-spread",
	.brief = "CPUs far from each other, one for each thread",
	.does = "Limits the program to as many CPUs as it has threads, chosen to share as little "
		"as possible: memory, chips, caches, cores.",
	.price = "Threads that talk to each other take longer.",
	.heals = heals,
	.offer = pin_spread_offer,
};
