/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an instruction does to memory: its operand's address from the registers, and whether
 * it reads, writes, locks the bus. By Zydis, which is loaded when first needed. */
#ifndef SYS_INSN_H
#define SYS_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "sys/regs.h"

/* Can instructions be read here? 0, or LT-INSN and why not. */
int sys_insn_ready(struct lt_err *err);

struct sys_access {
	uint64_t addr;
	unsigned size;
	bool read, write;
	bool locked; /* with a lock prefix, or an exchange with memory */
	bool stored; /* only read, but instructions behind it write there before any branch */
};

enum {
	SYS_INSN_MAX = 16,  /* bytes of the longest */
	SYS_INSN_LOOP = 64, /* bytes of a loop of a few instructions */
	SYS_INSN_BACK = 4,  /* instructions looked back at */
};

/* One place in code, looked at once. Positions are offsets in `code`. */
struct sys_insn_place {
	size_t at;                    /* the instruction itself */
	size_t before[SYS_INSN_BACK]; /* those in front of it, nearest first */
	unsigned n_before;
	bool in_loop;        /* part of a loop no longer than SYS_INSN_LOOP, without calls */
	bool pauses;         /* with a pause in it */
	bool stores;         /* with a store in it that does not lock */
	bool idles;          /* nothing in it changes but what it reads from memory */
	bool behind_syscall; /* the instruction in front is a system call */
	long syscall;        /* behind_syscall: its number, -1 = not to be seen */
};

/* `code` begins with a function; `pos` is where in it the thread was. false: not an
 * instruction's first byte, or not to be read. */
bool sys_insn_look(const uint8_t *code, size_t len, size_t pos, struct sys_insn_place *ret);

/* The memory the instruction at `pos` works on, when a thread with these registers runs it;
 * `ip` is the address of code[pos]. false: none, or not to be computed. */
bool sys_insn_access(const uint8_t *code, size_t len, size_t pos, uint64_t ip,
	const struct sys_regs *regs, struct sys_access *ret);

/* Does it lock the bus? */
bool sys_insn_is_locked(const uint8_t *code, size_t len, size_t pos);

/* Does running the instruction at `pos` change a register that the operand's address of the
 * one at `mem_pos` is made of? */
bool sys_insn_changes(const uint8_t *code, size_t len, size_t pos, size_t mem_pos);

#endif
