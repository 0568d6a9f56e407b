/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looking for a program along PATH. */
#ifndef SYS_FIND_H
#define SYS_FIND_H

#include "base/arena.h"

/* Its path, or NULL; folders of PATH that depend on where we are do not count. root_fd as in
 * sys/file.h. Owner: the arena. */
char *sys_find_program(int root_fd, const char *name, struct lt_arena *arena);

#endif
