/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which files a running process has mapped as code: its program, loader and libraries. */
#ifndef SYS_MAPPED_H
#define SYS_MAPPED_H

#include <sys/types.h>

/* Calls each(ctx, path) for every mapping of code of a file, in the order of addresses, a path
 * perhaps more than once; stops early when it returns non-zero, and returns that. Negative
 * errno: the process is gone, or not ours. A process on its way out has none. */
int sys_for_mapped(int root_fd, pid_t pid, int (*each)(void *ctx, const char *path), void *ctx);

#endif
