/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All threads on one CPU. */
#include "remedy/pins.h"

static struct remedy_offer one_cpu_offer(
	const struct remedy_place *place, struct remedy_change *ret)
{
	struct lt_cpuset set = { 0 };
	for (unsigned cpu = 0; cpu < LT_CPUS_MAX && !lt_cpuset_count(&set); cpu++)
		if (lt_cpuset_has(&place->allowed, cpu))
			lt_cpuset_add(&set, cpu);
	if (place->threads == 1)
		return remedy_refuse(REMEDY_POINTLESS, "there is one thread only", NULL);
	if (lt_cpuset_count(&place->allowed) < 2)
		return remedy_refuse(REMEDY_POINTLESS, "the program may use one CPU only", NULL);
	*ret = (struct remedy_change){ .pinned = true, .pin = set };
	return remedy_ready();
}

static const char *const heals[] = { "mutex-convoy", "condvar-handoff", "false-sharing",
	"true-sharing", "yield-storm", NULL };

const struct remedy remedy_one_cpu = {
	.name = "one-cpu",
	.brief = "one CPU for all threads",
	.does = "Limits the program to one CPU. "
		"Threads that fight for a line or a lock then take turns instead, which can be "
		"several times faster.",
	.price = "Nothing runs at the same time any more.",
	.heals = heals,
	.offer = one_cpu_offer,
};
