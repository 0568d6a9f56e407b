/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Large pages for what malloc takes. */
#include "remedy/tunables.h"
#include "sys/file.h"

#include <string.h>

static const struct tunable tunables[] = {
	{ "glibc.malloc.hugetlb", 1 },
};

static struct remedy_offer glibc_hugepages_offer(
	const struct remedy_place *place, struct remedy_change *ret)
{
	char mode[80];
	if (sys_read_line_at(place->root_fd, "sys/kernel/mm/transparent_hugepage/enabled", mode,
		    sizeof(mode)) < 0)
		return remedy_refuse(
			REMEDY_MISSING, "the kernel has no huge pages to ask for", NULL);
	if (strstr(mode, "[never]"))
		return remedy_refuse(REMEDY_MISSING, "the kernel gives no huge pages to programs",
			"echo madvise >/sys/kernel/mm/transparent_hugepage/enabled");
	return tunables_offer(place, tunables, LT_COUNT(tunables), ret);
}

static const char *const heals[] = { "memory-map-churn", "memory-bandwidth", NULL };

const struct remedy remedy_glibc_hugepages = {
	.name = "glibc-hugepages",
	.brief = "glibc's malloc asks for huge pages",
	.does = "Lets glibc's malloc ask the kernel for huge pages (hugetlb=1): fewer page faults "
		"and fewer misses of the address translation.",
	.price = "Memory is used in larger pieces, and clearing them takes time at first touch: "
		 "the whole run is what counts.",
	.heals = heals,
	.offer = glibc_hugepages_offer,
};
