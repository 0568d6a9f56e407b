/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts about the machine that go into every record. */
#ifndef SYS_MACHINE_H
#define SYS_MACHINE_H

#include "base/arena.h"
#include "base/cpuset.h"
#include "base/err.h"

struct sys_machine {
	const char *cpu;    /* model name; "unknown" where the kernel does not say */
	const char *arch;   /* uname -m */
	const char *kernel; /* uname -r */
	const char *virt;   /* the hypervisor's vendor, "yes" if unnamed, NULL on metal */
	unsigned cpus_online;
};

/* 0 or a negative errno. */
int sys_cpus_online(int root_fd, struct lt_cpuset *ret);

/* root_fd as in sys/file.h. Owner: strings live in the arena. */
int sys_machine(int root_fd, struct lt_arena *arena, struct sys_machine *ret, struct lt_err *err);

#endif
