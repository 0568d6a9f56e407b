/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tcmalloc in place of the C library's allocator. */
#include "remedy/preload.h"

static struct remedy_offer tcmalloc_offer(
	const struct remedy_place *place, struct remedy_change *ret)
{
	return preload_offer(place, "libtcmalloc_minimal.so.4", "libtcmalloc-minimal4", ret);
}

static const char *const heals[] = { "memory-map-churn", "allocator-lock", NULL };

const struct remedy remedy_tcmalloc = {
	.name = "tcmalloc",
	.brief = "the memory allocator tcmalloc",
	.does = "Preloads libtcmalloc_minimal, which keeps free blocks per thread and moves them "
		"between threads in lots.",
	.price = "It may hold more or less memory than glibc does: see the peak beside the time.",
	.heals = heals,
	.offer = tcmalloc_offer,
};
