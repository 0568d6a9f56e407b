/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The allocator of oneTBB in place of the C library's. */
#include "remedy/preload.h"

static struct remedy_offer tbbmalloc_offer(
	const struct remedy_place *place, struct remedy_change *ret)
{
	return preload_offer(place, "libtbbmalloc_proxy.so.2", "libtbbmalloc2", ret);
}

static const char *const heals[] = { "memory-map-churn", "allocator-lock", NULL };

const struct remedy remedy_tbbmalloc = {
	.name = "tbbmalloc",
	.brief = "the memory allocator of oneTBB",
	.does = "Preloads libtbbmalloc_proxy, which keeps free blocks per thread and size and maps "
		"memory in large pieces.",
	.price = "It may hold more or less memory than glibc does: see the peak beside the time.",
	.heals = heals,
	.offer = tbbmalloc_offer,
};
