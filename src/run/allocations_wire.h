/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the library that notes allocations leaves for leat, in memory that both map: a table
 * by cache line, in which a later block replaces an earlier one. */
#ifndef RUN_ALLOCATIONS_WIRE_H
#define RUN_ALLOCATIONS_WIRE_H

#include <stdint.h>

#define ALLOCATIONS_VARIABLE "LEAT_ALLOCATIONS"

enum {
	ALLOCATIONS_LINE = 64,
	ALLOCATIONS_SLOTS = 1 << 14,
	ALLOCATIONS_STACK = 960, /* bytes kept of the caller's stack */
};

/* A block that begins in the slot's line. The caller's frame is told by three registers and
 * the stack above it. */
struct allocation {
	uint64_t addr, size;
	uint64_t ip, sp, bp;
	uint32_t pid, stack_len;
	uint64_t unused[2];
	char stack[ALLOCATIONS_STACK];
};

static inline unsigned allocations_slot(uint64_t addr)
{
	uint64_t line = addr / ALLOCATIONS_LINE;
	return (unsigned)((line ^ line >> 14 ^ line >> 28) % ALLOCATIONS_SLOTS);
}

#endif
