/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Watching a program through perf, as any user may: samples of the clock and of page faults
 * with registers and a piece of stack, every switch, every file mapped, every thread born.
 * One ring of records for each CPU; they are handed out in the order of time. */
#ifndef SYS_SAMPLER_H
#define SYS_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/cpuset.h"
#include "base/err.h"
#include "sys/regs.h"

enum sys_record_kind {
	SYS_RECORD_CLOCK,  /* a sample of the clock */
	SYS_RECORD_FAULT,  /* a sample of page faults; addr */
	SYS_RECORD_IN,     /* got a CPU */
	SYS_RECORD_OUT,    /* left it */
	SYS_RECORD_MAP,    /* mapped a file for execution */
	SYS_RECORD_NAME,   /* got a name; `exec`: by exec */
	SYS_RECORD_BIRTH,  /* a thread or process was made */
	SYS_RECORD_DEATH,  /* and ended */
	SYS_RECORD_LOST,   /* `count` records did not fit in the ring */
	SYS_RECORD_SLOWED, /* the kernel held samples back */
};

struct sys_record {
	enum sys_record_kind kind;
	pid_t pid, tid;
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	uint32_t cpu;

	bool in_kernel;         /* samples: taken there */
	bool regs32;            /* samples: of 32-bit code; no registers */
	uint64_t ip;            /* samples: where, in the kernel if it was there */
	uint64_t addr;          /* fault, map */
	uint64_t count;         /* fault: since the last sample of them; lost: records */
	struct sys_regs regs;   /* samples: user's; known = 0: none */
	const void *stack;      /* samples: bytes from the stack pointer up */
	size_t stack_len;       /* how many of them are there */
	bool preempted;         /* out: it would have gone on */
	bool exec;              /* name */
	pid_t parent, creator;  /* birth: process and thread that made it */
	uint64_t len, file_off; /* map */
	const char *text;       /* name or file; borrowed until the call returns */
};

struct sys_sampler_opts {
	int root_fd;          /* to explain a refusal */
	pid_t launcher;       /* every program it starts is watched, from exec on */
	uint64_t period_ns;   /* of the clock */
	uint32_t stack_bytes; /* kept of each sample's stack */
	bool switches;        /* IN and OUT are wanted */
	bool user_only;       /* do not even ask for the kernel's side */
};

struct sys_sampler_ring;

struct sys_sampler {
	struct sys_sampler_ring *rings; /* one per CPU */
	size_t n_rings;
	int anchor;
	bool kernel; /* samples of the kernel's side come too */
	bool wide;   /* clock samples of all programs come, whoever has the CPU */
	struct sys_sampler_opts opts;
};

#define SYS_SAMPLER_NONE     \
	{                    \
		.anchor = -1 \
	}

/* Opens on the launcher, which must have called exec already and must not run anything.
 * Errors: LT-PERF and why, with a hint. */
int sys_sampler_open(
	struct sys_sampler *ret, const struct sys_sampler_opts *opts, struct lt_err *err);
void sys_sampler_close(struct sys_sampler *s);

/* Hands out every record older than `until_ns`, oldest first. */
void sys_sampler_drain(struct sys_sampler *s, uint64_t until_ns,
	void (*each)(void *ctx, const struct sys_record *rec), void *ctx);

/* One descriptor per ring, readable when it fills; returns how many were put into `fds`. */
size_t sys_sampler_fds(const struct sys_sampler *s, int *fds, size_t max);

#endif
