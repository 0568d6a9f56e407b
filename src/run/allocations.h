/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who asked for a block of memory: learnt by a library that is loaded into the program, in a
 * run of its own. Static and setuid programs take no notice of it. */
#ifndef RUN_ALLOCATIONS_H
#define RUN_ALLOCATIONS_H

#include "base/arena.h"
#include "base/err.h"
#include "run/allocations_wire.h"

struct allocations {
	int library_fd, table_fd;
	struct allocation *table;
};

#define ALLOCATIONS_NONE                          \
	{                                         \
		.library_fd = -1, .table_fd = -1, \
	}

/* Errors: LT-ALLOCATIONS. */
int allocations_open(struct allocations *ret, struct lt_err *err);
void allocations_close(struct allocations *a);

/* The environment with what the library needs; leat must live as long as the program.
 * Owner: `arena`; NULL when memory has run out. */
char **allocations_environment(
	const struct allocations *a, char *const *envp, struct lt_arena *arena);

/* The block that holds `addr` in process `pid`, as it was last given out, or NULL. */
const struct allocation *allocations_find(const struct allocations *a, uint64_t addr, uint64_t pid);

#endif
