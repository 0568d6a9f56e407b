/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mimalloc in place of the C library's allocator. */
#include "remedy/preload.h"

static struct remedy_offer mimalloc_offer(
	const struct remedy_place *place, struct remedy_change *ret)
{
	return preload_offer(place, "libmimalloc.so.2", "libmimalloc2.0", ret);
}

static const char *const heals[] = { "memory-map-churn", "allocator-lock", NULL };

const struct remedy remedy_mimalloc = {
	.name = "mimalloc",
	.brief = "the memory allocator mimalloc",
	.does = "Preloads libmimalloc, which gives each thread pages of its own.",
	.price = "It may hold more or less memory than glibc does: see the peak beside the time.",
	.heals = heals,
	.offer = mimalloc_offer,
};
