/* SPDX-License-Identifier: GPL-2.0-or-later */
/* As many CPUs as threads, near to each other. */
#include "remedy/pins.h"

static struct remedy_offer pin_close_offer(
	const struct remedy_place *place, struct remedy_change *ret)
{
	return pins_choose(place, pins_close, ret);
}

static const char *const heals[] = { "mutex-convoy", "condvar-handoff", "false-sharing",
	"true-sharing", "yield-storm", NULL };

const struct remedy remedy_pin_close = {
	.name = "pin-close",
	.brief = "CPUs near to each other, one for each thread",
	.does = "Limits the program to as many CPUs as it has threads, chosen to share a cache.",
	.price = "The program cannot use other CPUs, were they idle.",
	.heals = heals,
	.offer = pin_close_offer,
};
