/* SPDX-License-Identifier: GPL-2.0-or-later */
/* More small blocks that a thread keeps for itself, without a lock. */
#include "remedy/tunables.h"

static const struct tunable tunables[] = {
	{ "glibc.malloc.tcache_count", 127 },
};

static struct remedy_offer glibc_tcache_offer(
	const struct remedy_place *place, struct remedy_change *ret)
{
	return tunables_offer(place, tunables, LT_COUNT(tunables), ret);
}

static const char *const heals[] = { "allocator-lock", NULL };

const struct remedy remedy_glibc_tcache = {
	.name = "glibc-tcache",
	.brief = "glibc's malloc keeps more small blocks per thread",
	.does = "Lets each thread keep 127 free blocks of each small size instead of 7 "
		"(tcache_count), so that it takes the lock of its arena less often.",
	.price = "A little more memory per thread.",
	.heals = heals,
	.offer = glibc_tcache_offer,
};
