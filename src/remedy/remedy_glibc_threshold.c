/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The milder form of glibc-keep: only blocks above 32 MiB still come from mmap. */
#include "remedy/tunables.h"

static const struct tunable tunables[] = {
	{ "glibc.malloc.mmap_threshold", UINT64_C(32) << 20 },
	{ "glibc.malloc.trim_threshold", UINT64_C(1) << 30 },
};

static struct remedy_offer glibc_threshold_offer(
	const struct remedy_place *place, struct remedy_change *ret)
{
	return tunables_offer(place, tunables, LT_COUNT(tunables), ret);
}

static const char *const heals[] = { "memory-map-churn", "allocator-lock", NULL };

const struct remedy remedy_glibc_threshold = {
	.name = "glibc-threshold",
	.brief = "glibc's malloc uses mmap from 32 MiB on only",
	.does = "Raises the sizes from which glibc's malloc takes a block from mmap and gives "
		"memory back (mmap_threshold=32M, trim_threshold=1G).",
	.price = "Freed memory stays with the process, as far as it did not come from mmap.",
	.heals = heals,
	.offer = glibc_threshold_offer,
};
