/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table is made by the build from the kernel's own header. */
#include "sys/syscalls.h"

#include <stddef.h>
#include <sys/syscall.h>

static const char *const names[SYS_SYSCALLS_MAX] = {
#define SYSCALL(name) [__NR_##name] = #name,
#include "sys/syscall_names.h"
};

const char *sys_syscall_name(long nr)
{
	return nr < 0 || nr >= SYS_SYSCALLS_MAX ? NULL : names[nr];
}
