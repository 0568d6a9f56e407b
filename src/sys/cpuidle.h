/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Idle states of the machine's CPUs, as cpuidle counts them in sysfs. */
#ifndef SYS_CPUIDLE_H
#define SYS_CPUIDLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/cpuset.h"
#include "base/err.h"

enum {
	SYS_CPUIDLE_STATES = 16,
	SYS_CPUIDLE_NAME = 24,
};

/* CPUs of one machine may differ in their states; here a state is its name. */
struct sys_cpuidle {
	struct lt_cpuset cpus; /* those that count idle states */
	unsigned n_cpus;
	size_t n;
	char names[SYS_CPUIDLE_STATES][SYS_CPUIDLE_NAME]; /* as the driver calls them: "C1E" */
};

struct sys_cpuidle_counts {
	uint64_t time_us[SYS_CPUIDLE_STATES]; /* summed over CPUs */
	uint64_t entries[SYS_CPUIDLE_STATES];
};

/* Which CPUs and states there are. 0 or a negative errno; -ENODATA: none. */
int sys_cpuidle_find(int root_fd, struct sys_cpuidle *ret);

/* Cheaper: is there any? */
int sys_cpuidle_present(int root_fd);

/* A sleep is counted when it ends: one that is under way is missing until then. */
int sys_cpuidle_read(int root_fd, const struct sys_cpuidle *idle, struct sys_cpuidle_counts *ret);

/* Ends the sleep under way on every CPU of the set, by moving there and back. Returns how
 * many CPUs this process may not run on. */
unsigned sys_cpuidle_rouse(const struct lt_cpuset *cpus);

#endif
