/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remedies that are tunables of the C library, see "Tunables" in its manual. */
#ifndef REMEDY_TUNABLES_H
#define REMEDY_TUNABLES_H

#include <stdint.h>

#include "remedy/remedy.h"

struct tunable {
	const char *name; /* "glibc.malloc.mmap_max" */
	uint64_t value;
};

/* Sets all n, if the loader knows each name and allows the value. */
struct remedy_offer tunables_offer(const struct remedy_place *place, const struct tunable *list,
	size_t n, struct remedy_change *ret);

/* The range of a tunable in the loader's list; false: it is not in there. */
bool tunables_range(const char *list, const char *name, uint64_t *ret_min, uint64_t *ret_max);

#endif
