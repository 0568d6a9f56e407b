/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jemalloc in place of the C library's allocator. */
#include "remedy/preload.h"

static struct remedy_offer jemalloc_offer(
	const struct remedy_place *place, struct remedy_change *ret)
{
	return preload_offer(place, "libjemalloc.so.2", "libjemalloc2", ret);
}

static const char *const heals[] = { "memory-map-churn", "allocator-lock", NULL };

const struct remedy remedy_jemalloc = {
	.name = "jemalloc",
	.brief = "the memory allocator jemalloc",
	.does = "Preloads libjemalloc, which gives each thread caches and spreads threads over "
		"arenas.",
	.price = "It may hold more or less memory than glibc does: see the peak beside the time. "
		 "Blocks of 8 MiB and more go through one arena that returns them at once: see "
		 "jemalloc-oversize.",
	.heals = heals,
	.offer = jemalloc_offer,
};
