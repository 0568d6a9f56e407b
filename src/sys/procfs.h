/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What procfs says of one process, and of the machine as a whole (proc(5)). A process that
 * has ended but was not waited for yet can still be asked. */
#ifndef SYS_PROCFS_H
#define SYS_PROCFS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/cpuset.h"

/* All return 0 or a negative errno; root_fd as in sys/file.h. */

struct sys_schedstat {
	uint64_t run_ns;  /* on a CPU */
	uint64_t wait_ns; /* runnable, waiting for a CPU */
	uint64_t slices;
};

/* Of the leading thread only (PID/schedstat). */
int sys_schedstat(int root_fd, pid_t pid, struct sys_schedstat *ret);

/* Of one thread (PID/task/TID/schedstat). */
int sys_schedstat_thread(int root_fd, pid_t pid, pid_t tid, struct sys_schedstat *ret);

/* Sum over all threads alive now. */
int sys_schedstat_threads(int root_fd, pid_t pid, struct sys_schedstat *ret);

struct sys_io {
	uint64_t rchar, wchar;            /* bytes through read and write calls of any kind */
	uint64_t syscr, syscw;            /* how many such calls */
	uint64_t read_bytes, write_bytes; /* bytes that went to or came from storage */
};

/* Of the process and the descendants it waited for (PID/io). -EACCES: not ours. */
int sys_io(int root_fd, pid_t pid, struct sys_io *ret);

struct sys_stat {
	char comm[64];
	char state;   /* of the thread, or the leading one: R S D T Z ... */
	bool exiting; /* on its way out: its files are closed already */
	pid_t ppid, session;
	uint64_t minflt, majflt;
	uint64_t utime, stime; /* clock ticks */
};

int sys_stat(int root_fd, pid_t pid, struct sys_stat *ret);

/* Of one thread (PID/task/TID/stat). */
int sys_stat_thread(int root_fd, pid_t pid, pid_t tid, struct sys_stat *ret);

struct sys_switches {
	uint64_t voluntary, involuntary;
};

/* Of one thread (PID/task/TID/status). */
int sys_switches(int root_fd, pid_t pid, pid_t tid, struct sys_switches *ret);

struct sys_memory {
	uint64_t rss, peak; /* bytes resident now (VmRSS), and at most so far (VmHWM) */
};

/* Of a process, from any of its threads: the leading one may have ended before the others.
 * -ENODATA for a kernel thread or a zombie. */
int sys_memory(int root_fd, pid_t pid, struct sys_memory *ret);

/* Threads of a process: calls each(ctx, tid); stops early when it returns non-zero, and
 * returns that. */
int sys_for_threads(int root_fd, pid_t pid, int (*each)(void *ctx, pid_t tid), void *ctx);

/* Descendants of `pid`, not itself, parents before children. */
int sys_for_descendants(int root_fd, pid_t pid, int (*each)(void *ctx, pid_t child), void *ctx);

/* Is a thread of the process in read(2) on descriptor 0 just now? 1 or 0; -errno. */
int sys_reads_stdin(int root_fd, pid_t pid);

/* Machine: time stolen by the hypervisor, all CPUs, in ticks. */
int sys_steal_ticks(int root_fd, uint64_t *ret);

/* Machine: time that the CPUs of a set were busy, whoever with, in ticks. */
int sys_busy_ticks(int root_fd, const struct lt_cpuset *cpus, uint64_t *ret);

/* Load averaged over one minute. */
int sys_load(int root_fd, double *ret);

#endif
