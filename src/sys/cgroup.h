/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much CPU time the control groups of a process leave it (cgroups(7)). */
#ifndef SYS_CGROUP_H
#define SYS_CGROUP_H

#include <sys/types.h>

/* The tightest quota of the process's group and those above it, in CPUs: cpu.max of version
 * 2, cpu.cfs_quota_us of version 1. 0 or a negative errno; *ret_cpus is 0 when nothing
 * limits it, also where groups cannot be seen. root_fd as in sys/file.h. */
int sys_cgroup_quota(int root_fd, pid_t pid, double *ret_cpus);

#endif
