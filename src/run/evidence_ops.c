/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of system calls. Calls that are not in it are EVIDENCE_OP_OTHER. */
#include "run/evidence_ops.h"

#include <string.h>

#include "base/clock.h"
#include "base/own.h"
#include "sys/syscalls.h"

/* A patience: which argument it is, from 1, and its unit. */
#define MS(arg)       ((arg) << 4 | PROBE_RULE_MS)
#define TIMESPEC(arg) ((arg) << 4 | PROBE_RULE_TIMESPEC)
#define TIMEVAL(arg)  ((arg) << 4 | PROBE_RULE_TIMEVAL)
#define FD            PROBE_RULE_FD

/* More is as good as endless. */
enum {
	PATIENCE_MAX_S = 1000000
};

/* Works on files: where it cannot be interrupted, it waits for a disk. Not of the probe's
 * rules, which are a byte. */
#define FILES 0x100

static const struct call {
	const char *name;
	enum evidence_op op;
	unsigned rule;
} calls[] = {
	{ "futex", EVIDENCE_OP_LOCK, PROBE_RULE_FUTEX },
	{ "sched_yield", EVIDENCE_OP_YIELD, PROBE_RULE_YIELD },
	{ "read", EVIDENCE_OP_READ, FD },
	{ "readv", EVIDENCE_OP_READ, FD },
	{ "pread64", EVIDENCE_OP_READ, FD },
	{ "preadv", EVIDENCE_OP_READ, FD },
	{ "preadv2", EVIDENCE_OP_READ, FD },
	{ "recvfrom", EVIDENCE_OP_READ, FD },
	{ "recvmsg", EVIDENCE_OP_READ, FD },
	{ "recvmmsg", EVIDENCE_OP_READ, FD },
	{ "accept", EVIDENCE_OP_READ, FD },
	{ "accept4", EVIDENCE_OP_READ, FD },
	{ "msgrcv", EVIDENCE_OP_READ, 0 },
	{ "mq_timedreceive", EVIDENCE_OP_READ, FD },
	{ "splice", EVIDENCE_OP_READ, FD },
	{ "tee", EVIDENCE_OP_READ, FD },
	{ "io_getevents", EVIDENCE_OP_READ, 0 },
	{ "io_uring_enter", EVIDENCE_OP_READ, FD },
	{ "write", EVIDENCE_OP_WRITE, FD },
	{ "writev", EVIDENCE_OP_WRITE, FD },
	{ "pwrite64", EVIDENCE_OP_WRITE, FD },
	{ "pwritev", EVIDENCE_OP_WRITE, FD },
	{ "pwritev2", EVIDENCE_OP_WRITE, FD },
	{ "sendto", EVIDENCE_OP_WRITE, FD },
	{ "sendmsg", EVIDENCE_OP_WRITE, FD },
	{ "sendmmsg", EVIDENCE_OP_WRITE, FD },
	{ "sendfile", EVIDENCE_OP_WRITE, FD },
	{ "connect", EVIDENCE_OP_WRITE, FD },
	{ "msgsnd", EVIDENCE_OP_WRITE, 0 },
	{ "mq_timedsend", EVIDENCE_OP_WRITE, FD },
	{ "poll", EVIDENCE_OP_POLL, MS(3) },
	{ "ppoll", EVIDENCE_OP_POLL, TIMESPEC(3) },
	{ "select", EVIDENCE_OP_POLL, TIMEVAL(5) },
	{ "pselect6", EVIDENCE_OP_POLL, TIMESPEC(5) },
	{ "epoll_wait", EVIDENCE_OP_POLL, FD | MS(4) },
	{ "epoll_pwait", EVIDENCE_OP_POLL, FD | MS(4) },
	{ "epoll_pwait2", EVIDENCE_OP_POLL, FD | TIMESPEC(4) },
	{ "nanosleep", EVIDENCE_OP_SLEEP, 0 },
	{ "clock_nanosleep", EVIDENCE_OP_SLEEP, 0 },
	{ "semop", EVIDENCE_OP_LOCK, 0 },
	{ "semtimedop", EVIDENCE_OP_LOCK, 0 },
	{ "futex_wait", EVIDENCE_OP_LOCK, 0 },
	{ "futex_waitv", EVIDENCE_OP_LOCK, 0 },
	{ "flock", EVIDENCE_OP_LOCK, FD },
	{ "wait4", EVIDENCE_OP_CHILD, 0 },
	{ "waitid", EVIDENCE_OP_CHILD, 0 },
	{ "open", EVIDENCE_OP_OTHER, FILES },
	{ "openat", EVIDENCE_OP_OTHER, FILES },
	{ "openat2", EVIDENCE_OP_OTHER, FILES },
	{ "creat", EVIDENCE_OP_OTHER, FILES },
	{ "close", EVIDENCE_OP_OTHER, FILES | FD },
	{ "stat", EVIDENCE_OP_OTHER, FILES },
	{ "lstat", EVIDENCE_OP_OTHER, FILES },
	{ "newfstatat", EVIDENCE_OP_OTHER, FILES },
	{ "statx", EVIDENCE_OP_OTHER, FILES },
	{ "access", EVIDENCE_OP_OTHER, FILES },
	{ "getdents64", EVIDENCE_OP_OTHER, FILES | FD },
	{ "rename", EVIDENCE_OP_OTHER, FILES },
	{ "renameat2", EVIDENCE_OP_OTHER, FILES },
	{ "unlink", EVIDENCE_OP_OTHER, FILES },
	{ "unlinkat", EVIDENCE_OP_OTHER, FILES },
	{ "mkdir", EVIDENCE_OP_OTHER, FILES },
	{ "ftruncate", EVIDENCE_OP_OTHER, FILES | FD },
	{ "truncate", EVIDENCE_OP_OTHER, FILES },
	{ "fallocate", EVIDENCE_OP_OTHER, FILES | FD },
	{ "io_submit", EVIDENCE_OP_OTHER, FILES },
	{ "fsync", EVIDENCE_OP_DISK, FD },
	{ "fdatasync", EVIDENCE_OP_DISK, FD },
	{ "sync_file_range", EVIDENCE_OP_DISK, FD },
	{ "sync", EVIDENCE_OP_DISK, 0 },
	{ "syncfs", EVIDENCE_OP_DISK, FD },
	{ "msync", EVIDENCE_OP_DISK, 0 },
	{ "mmap", EVIDENCE_OP_MAP, 0 },
	{ "munmap", EVIDENCE_OP_MAP, 0 },
	{ "mremap", EVIDENCE_OP_MAP, 0 },
	{ "madvise", EVIDENCE_OP_MAP, 0 },
	{ "mprotect", EVIDENCE_OP_MAP, 0 },
	{ "brk", EVIDENCE_OP_MAP, 0 },
	{ "mlock", EVIDENCE_OP_MAP, 0 },
	{ "munlock", EVIDENCE_OP_MAP, 0 },
	{ "mbind", EVIDENCE_OP_MAP, 0 },
	{ "clone", EVIDENCE_OP_CLONE, 0 },
	{ "clone3", EVIDENCE_OP_CLONE, 0 },
	{ "fork", EVIDENCE_OP_CLONE, 0 },
	{ "vfork", EVIDENCE_OP_CLONE, 0 },
	{ "execve", EVIDENCE_OP_CLONE, 0 },
	{ "execveat", EVIDENCE_OP_CLONE, 0 },
	{ "exit", EVIDENCE_OP_CLONE, 0 },
	{ "exit_group", EVIDENCE_OP_CLONE, 0 },
	{ "pause", EVIDENCE_OP_SIGNAL, 0 },
	{ "rt_sigsuspend", EVIDENCE_OP_SIGNAL, 0 },
	{ "rt_sigtimedwait", EVIDENCE_OP_SIGNAL, 0 },
};

static const struct call *find(long nr)
{
	const char *name = sys_syscall_name(nr);
	for (size_t i = 0; name && i < LT_COUNT(calls); i++)
		if (!strcmp(calls[i].name, name))
			return &calls[i];
	return NULL;
}

/* linux/futex.h; FUTEX_PRIVATE_FLAG and FUTEX_CLOCK_REALTIME are masked away. */
static enum evidence_op futex_op_of(unsigned op)
{
	static const enum evidence_op ops[] = {
		[0] = EVIDENCE_OP_LOCK,       /* WAIT */
		[1] = EVIDENCE_OP_WAKE,       /* WAKE */
		[3] = EVIDENCE_OP_WAKE,       /* REQUEUE */
		[4] = EVIDENCE_OP_WAKE,       /* CMP_REQUEUE */
		[5] = EVIDENCE_OP_WAKE,       /* WAKE_OP */
		[6] = EVIDENCE_OP_LOCK,       /* LOCK_PI */
		[7] = EVIDENCE_OP_WAKE,       /* UNLOCK_PI */
		[8] = EVIDENCE_OP_LOCK,       /* TRYLOCK_PI */
		[9] = EVIDENCE_OP_CONDITION,  /* WAIT_BITSET */
		[10] = EVIDENCE_OP_WAKE,      /* WAKE_BITSET */
		[11] = EVIDENCE_OP_CONDITION, /* WAIT_REQUEUE_PI */
		[12] = EVIDENCE_OP_WAKE,      /* CMP_REQUEUE_PI */
		[13] = EVIDENCE_OP_LOCK,      /* LOCK_PI2 */
	};
	return op < LT_COUNT(ops) && ops[op] ? ops[op] : EVIDENCE_OP_LOCK;
}

enum evidence_op evidence_op_of_wait(long nr, unsigned futex_op, bool uninterruptible, bool timed)
{
	if (nr == PROBE_NO_CALL)
		return EVIDENCE_OP_FAULT;
	const struct call *c = find(nr);
	enum evidence_op op = c ? c->op : EVIDENCE_OP_OTHER;
	if (c && (c->rule & PROBE_RULE_FUTEX))
		return futex_op_of(futex_op);
	bool files = c && (op == EVIDENCE_OP_READ || op == EVIDENCE_OP_WRITE || c->rule & FILES);
	if (uninterruptible && files)
		return EVIDENCE_OP_DISK;
	return op == EVIDENCE_OP_POLL && timed ? EVIDENCE_OP_SLEEP : op;
}

enum evidence_op evidence_op_of_work(long nr, unsigned futex_op)
{
	return evidence_op_of_wait(nr, futex_op, false, false);
}

bool evidence_call_has_fd(long nr)
{
	const struct call *c = find(nr);
	return c && (c->rule & PROBE_RULE_FD);
}

bool evidence_call_is_futex(long nr)
{
	const struct call *c = find(nr);
	return c && (c->rule & PROBE_RULE_FUTEX);
}

struct evidence_patience evidence_call_patience(long nr)
{
	const struct call *c = find(nr);
	unsigned unit = c ? c->rule & PROBE_RULE_UNIT : 0;
	if (!unit)
		return (struct evidence_patience){ 0 };
	return (struct evidence_patience){
		.arg = (c->rule & PROBE_RULE_ARG) >> 4,
		.pointed = unit != PROBE_RULE_MS,
		.unit_ns = unit == PROBE_RULE_MS     ? 1000000
			: unit == PROBE_RULE_TIMEVAL ? 1000
						     : 1,
	};
}

uint64_t evidence_patience_ns(struct evidence_patience how, uint64_t arg, const int64_t time[2])
{
	if (!how.arg)
		return 0;
	if (!how.pointed)
		return (int32_t)arg > 0 ? (uint64_t)(int32_t)arg * how.unit_ns : 0;
	bool sane = time[0] >= 0 && time[0] <= PATIENCE_MAX_S && time[1] >= 0 &&
		time[1] < LT_NS_PER_S / how.unit_ns;
	return sane ? (uint64_t)time[0] * LT_NS_PER_S + (uint64_t)time[1] * how.unit_ns : 0;
}

void evidence_probe_rules(uint8_t ret[PROBE_CALLS])
{
	for (long nr = 0; nr < PROBE_CALLS; nr++) {
		const struct call *c = find(nr);
		ret[nr] = c ? (uint8_t)(c->rule & 0xff) : 0;
	}
}
