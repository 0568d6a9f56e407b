/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread's user registers, in the order DWARF numbers them, wherever they were caught: by
 * perf, by the probe in the scheduler, or by procfs, which tells two of them only. */
#ifndef SYS_REGS_H
#define SYS_REGS_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)
enum {
	SYS_REG_AX,
	SYS_REG_DX,
	SYS_REG_CX,
	SYS_REG_BX,
	SYS_REG_SI,
	SYS_REG_DI,
	SYS_REG_BP,
	SYS_REG_SP,
	SYS_REG_R8,
	SYS_REG_R9,
	SYS_REG_R10,
	SYS_REG_R11,
	SYS_REG_R12,
	SYS_REG_R13,
	SYS_REG_R14,
	SYS_REG_R15,
	SYS_REG_IP,
	SYS_REGS,
};
#else
/* Elsewhere only where it runs and where its stack is. */
enum {
	SYS_REG_SP,
	SYS_REG_IP,
	SYS_REGS,
};
#endif

struct sys_regs {
	uint64_t r[SYS_REGS];
	uint32_t known; /* bit per register */
};

#define SYS_REGS_ALL ((UINT32_C(1) << SYS_REGS) - 1)

static inline bool sys_regs_know(const struct sys_regs *regs, unsigned i)
{
	return regs->known >> i & 1;
}

#endif
