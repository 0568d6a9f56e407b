/* SPDX-License-Identifier: MIT */
/* Sets of CPUs and their text form, the kernel's "0-3,5" (cpuset(7), List format). */
#ifndef BASE_CPUSET_H
#define BASE_CPUSET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

enum {
	LT_CPUS_MAX = 4096
};

struct lt_cpuset {
	uint64_t bits[LT_CPUS_MAX / 64]; /* also what sched_setaffinity(2) takes */
};

static inline bool lt_cpuset_has(const struct lt_cpuset *set, unsigned cpu)
{
	return cpu < LT_CPUS_MAX && (set->bits[cpu / 64] >> (cpu % 64) & 1);
}

static inline void lt_cpuset_add(struct lt_cpuset *set, unsigned cpu)
{
	set->bits[cpu / 64] |= UINT64_C(1) << (cpu % 64);
}

unsigned lt_cpuset_count(const struct lt_cpuset *set);

/* Errors: -EINVAL for anything but a list, an empty set, or a number beyond LT_CPUS_MAX. */
int lt_cpuset_parse(struct lt_cpuset *ret, const char *list, struct lt_err *err);
char *lt_cpuset_format(const struct lt_cpuset *set, struct lt_arena *arena);

/* The CPUs this process may run on. */
int lt_cpuset_allowed(struct lt_cpuset *ret, struct lt_err *err);

#endif
