/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small files of procfs and sysfs, read through a root descriptor so that a recorded tree
 * can stand in for the machine. Paths are relative: "proc/stat". */
#ifndef SYS_FILE_H
#define SYS_FILE_H

#include <dirent.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Reads at most size - 1 bytes and ends them in NUL. Returns the length or -errno. */
int sys_read_at(int root_fd, const char *path, char *buf, size_t size);

/* One whole number; 0 or -errno (-EINVAL when it is none). */
int sys_read_u64_at(int root_fd, const char *path, uint64_t *ret);

/* One line without its end; 0 or -errno. */
int sys_read_line_at(int root_fd, const char *path, char *buf, size_t size);

/* What follows "NAME:" or "NAME  :" at the start of one of the lines; NULL when none has it. */
const char *sys_field(const char *text, const char *name);

/* A directory to read through; NULL and errno. */
DIR *sys_open_dir_at(int root_fd, const char *path);

static inline void sys_closedirp(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

/* An owned directory stream, as LT_AUTO_CLOSE is for a descriptor. */
#define SYS_AUTO_DIR LT_AUTO(sys_closedirp)

#endif
