/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remedies that choose the CPUs a program may use. Choosing is pure: a topology in, a set of
 * CPUs out. */
#ifndef REMEDY_PINS_H
#define REMEDY_PINS_H

#include "remedy/remedy.h"

/* n CPUs as near to each other as there are: one cache before the next, cores of their own
 * before hardware threads of one core. */
void pins_close(const struct sys_topology *t, unsigned n, struct lt_cpuset *ret);

/* n CPUs that share as little as possible: memory, chip, cache, core, in this order. */
void pins_spread(const struct sys_topology *t, unsigned n, struct lt_cpuset *ret);

/* All CPUs of the cache that has the most of them. */
void pins_one_cache(const struct sys_topology *t, struct lt_cpuset *ret);

/* Ready with this set, unless it is all there is. */
struct remedy_offer pins_offer(const struct remedy_place *place, const struct lt_cpuset *set,
	const char *pointless, struct remedy_change *ret);

/* As many CPUs as threads, chosen by one of the above; refuses what makes no choice. */
struct remedy_offer pins_choose(const struct remedy_place *place,
	void (*choose)(const struct sys_topology *t, unsigned n, struct lt_cpuset *ret),
	struct remedy_change *ret);

#endif
