/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the probe in the kernel and leat share: keys and values of its maps, and what it
 * sends. Both sides compile this. */
#ifndef SYS_PROBE_WIRE_H
#define SYS_PROBE_WIRE_H

#include <linux/types.h>

enum {
	PROBE_CPUS = 1024,
	PROBE_CALLS = 512, /* system calls with numbers below have a rule */
	PROBE_THREADS = 16384,
	PROBE_WAITS = 65536,
	PROBE_STACK = 8192,
	PROBE_REGS = 17,
	PROBE_COMM = 16,
	PROBE_NO_CALL = -1,
	PROBE_OTHER_ABI = -2, /* a call of 32-bit code: its numbers are others */
};

/* What tells one wait in a system call from another; one byte for each call. */
enum probe_rule {
	PROBE_RULE_FD = 1,    /* its first argument, a descriptor */
	PROBE_RULE_FUTEX = 2, /* the word and the operation */
	/* Which argument says how long, times 16, and in which unit. */
	PROBE_RULE_MS = 4,
	PROBE_RULE_TIMESPEC = 8,
	PROBE_RULE_TIMEVAL = 12,
	PROBE_RULE_UNIT = 12,
	PROBE_RULE_YIELD = 128, /* not a wait: gives the CPU away and stays runnable */
	PROBE_RULE_ARG = 0x70,
};

/* Of a thread that is off its CPU. */
enum probe_waiting {
	PROBE_WAITS_BLOCKED = 1,
	PROBE_WAITS_RUNNABLE, /* gave the CPU away */
};

struct probe_key {
	__u64 ip;  /* user code, behind the call */
	__u64 arg; /* by the rule of the call */
	__u32 tid;
	__s32 nr;
	__u32 futex_op;
	__u32 uninterruptible;
};

struct probe_wait {
	__u64 count;
	__u64 total_ns; /* time on the run queue left out where the kernel tells it */
	__u64 max_ns;
	__u64 timeout_ns;  /* of the last one; 0 = none, or endless */
	__u64 snapshot_ns; /* total_ns when its stack is taken again */
};

struct probe_thread {
	struct probe_key pending; /* what it left the CPU for */
	__u64 out_ns, in_ns;      /* of its last switches */
	__u64 delay_ns, exec_ns;  /* on run queues and CPUs, as the kernel had counted at out_ns */
	__u64 birth_ns;
	__u64 run_ns, queue_ns, blocked_ns;
	__u64 voluntary, involuntary;
	__u64 timeout_ns;
	__u32 tgid, tid;
	__u32 is_waiting; /* enum probe_waiting */
	__u32 unused;
	char comm[PROBE_COMM];
};

/* Both in one word, so that they change together: the number in the upper bits, nanoseconds
 * below, which start again after three days. */
#define PROBE_CORES_SHIFT 48
#define PROBE_CORES_TIME  ((1ull << PROBE_CORES_SHIFT) - 1)

/* One for all: which of the program's threads have a CPU. */
struct probe_cores {
	__u64 state; /* how many, and since when: see PROBE_CORES */
	__u64 ns[PROBE_CPUS];
	/* Of ns[i], when there was one more, who had come without a switch being told. */
	__u64 late_ns[PROBE_CPUS];
};

/* How many of what had no room. */
struct probe_lost {
	__u64 waits, threads, snapshots, cores;
};

enum probe_message {
	PROBE_SNAPSHOT,   /* registers and stack of a thread that begins to wait */
	PROBE_THREAD_END, /* the totals of a thread that is no more */
};

struct probe_snapshot {
	__u32 message;
	__u32 tgid;
	struct probe_key key;
	__u64 regs[PROBE_REGS]; /* in DWARF's order */
	__u32 stack_len;
	__u32 unused;
	char stack[PROBE_STACK];
};

struct probe_thread_end {
	__u32 message;
	__u32 unused;
	struct probe_thread thread;
};

#endif
