/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of system calls, as this machine's kernel numbers them. */
#ifndef SYS_SYSCALLS_H
#define SYS_SYSCALLS_H

enum {
	SYS_SYSCALLS_MAX = 512 /* numbers are below */
};

/* NULL for a number that the headers of the build did not know. */
const char *sys_syscall_name(long nr);

#endif
