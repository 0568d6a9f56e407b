/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jemalloc without its special arena for huge blocks, which returns them to the kernel at once. */
#include "remedy/preload.h"

static struct remedy_offer jemalloc_oversize_offer(
	const struct remedy_place *place, struct remedy_change *ret)
{
	struct remedy_offer offer = preload_offer(place, "libjemalloc.so.2", "libjemalloc2", ret);
	if (offer.state == REMEDY_READY)
		ret->env[ret->n_env++] = "MALLOC_CONF=oversize_threshold:0";
	return offer;
}

static const char *const heals[] = { "memory-map-churn", "allocator-lock", NULL };

const struct remedy remedy_jemalloc_oversize = {
	.name = "jemalloc-oversize",
	.brief = "jemalloc that keeps huge blocks as it keeps others",
	.does = "Preloads libjemalloc and turns off its arena for huge blocks "
		"(MALLOC_CONF=oversize_threshold:0), so that blocks of many megabytes are kept for "
		"reuse.",
	.price = "More memory stays with the process.",
	.heals = heals,
	.offer = jemalloc_oversize_offer,
};
