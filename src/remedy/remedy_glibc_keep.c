/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keep what was freed, rather than give it back to the kernel and fault it in again. */
#include "remedy/tunables.h"

static const struct tunable tunables[] = {
	{ "glibc.malloc.mmap_max", 0 },
	{ "glibc.malloc.trim_threshold", UINT64_C(1) << 30 },
};

static struct remedy_offer glibc_keep_offer(
	const struct remedy_place *place, struct remedy_change *ret)
{
	return tunables_offer(place, tunables, LT_COUNT(tunables), ret);
}

static const char *const heals[] = { "memory-map-churn", "allocator-lock", NULL };

const struct remedy remedy_glibc_keep = {
	.name = "glibc-keep",
	.brief = "glibc's malloc keeps freed memory for itself",
	.does = "Takes no block from mmap and gives nothing back to the kernel below 1 GiB "
		"(mmap_max=0, trim_threshold=1G). "
		"Programs that take and free large blocks then stop going to the kernel for each "
		"of them.",
	.price = "Freed memory stays with the process.",
	.heals = heals,
	.offer = glibc_keep_offer,
};
