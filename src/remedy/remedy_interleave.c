/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory from all nodes in turn. */
#include "remedy/remedy.h"
#include "sys/find.h"

static struct remedy_offer interleave_offer(
	const struct remedy_place *place, struct remedy_change *ret)
{
	if (!place->topology.n)
		return remedy_refuse(REMEDY_MISSING, place->topology_why, NULL);
	if (place->topology.nodes < 2)
		return remedy_refuse(REMEDY_POINTLESS, "there is one memory node only", NULL);
	const char *numactl = sys_find_program(place->root_fd, "numactl", place->arena);
	if (!numactl)
		return remedy_refuse(REMEDY_MISSING, "numactl is not installed",
			"the package numactl brings it");
	*ret = (struct remedy_change){ .prefix = { numactl, "--interleave=all" }, .n_prefix = 2 };
	return remedy_ready();
}

static const char *const heals[] = { "memory-bandwidth", NULL };

const struct remedy remedy_interleave = {
	.name = "interleave",
	.brief = "memory pages from all nodes in turn",
	.does = "Takes memory from all nodes in turn (numactl --interleave=all), so that no single "
		"memory controller carries all of it.",
	.price = "Each access is as near or far as it happens to be.",
	.heals = heals,
	.offer = interleave_offer,
};
