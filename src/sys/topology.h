/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which CPUs share what. The one place that talks to hwloc, which is loaded when it is
 * asked and not when leat starts. */
#ifndef SYS_TOPOLOGY_H
#define SYS_TOPOLOGY_H

#include <stddef.h>

#include "base/arena.h"
#include "base/cpuset.h"
#include "base/err.h"

/* One CPU and the numbers of what it is part of; CPUs with equal numbers share it. */
struct sys_topology_cpu {
	unsigned cpu;     /* as in a list of CPUs */
	unsigned core;    /* with one number: hardware threads of one core */
	unsigned cache;   /* the largest cache that more than one CPU uses; else of its own */
	unsigned package; /* the chip */
	unsigned node;    /* the memory that is nearest */
};

struct sys_topology {
	struct sys_topology_cpu *cpus; /* neighbours stand side by side */
	size_t n;
	unsigned nodes; /* kinds of memory near one of the CPUs */
};

/* Of the CPUs in `of`, as far as they are online. Owner: the arena.
 * Errors: LT-TOPOLOGY, -ENOTSUP without hwloc or where it knows nothing of this machine. */
int sys_topology(const struct lt_cpuset *of, struct lt_arena *arena, struct sys_topology *ret,
	struct lt_err *err);

#endif
