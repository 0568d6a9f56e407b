/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading proc/PID/maps, see proc(5). */
#include "sys/mapped.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/own.h"

static void fclosep(FILE **f)
{
	if (*f)
		fclose(*f);
}

/* "55d0-55d9 r-xp 00001000 08:01 1234    /usr/bin/cat": the path of code, or NULL. */
static char *path_of_code(char *line)
{
	char *rights = strchr(line, ' ');
	char *path = strchr(line, '/');
	if (!rights || !path || rights[3] != 'x')
		return NULL;
	path[strcspn(path, "\n")] = '\0';
	return path;
}

int sys_for_mapped(int root_fd, pid_t pid, int (*each)(void *ctx, const char *path), void *ctx)
{
	char name[64];
	LT_AUTO_FREE char *line = NULL;
	size_t room = 0;
	int r = 0;
	snprintf(name, sizeof(name), "proc/%d/maps", (int)pid);
	LT_AUTO_CLOSE int fd = openat(root_fd, name, O_RDONLY | O_CLOEXEC);
	LT_AUTO(fclosep) FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	if (!f)
		return -errno;
	fd = -1; /* the stream owns it now */
	while (r == 0 && getline(&line, &room, f) > 0) {
		const char *path = path_of_code(line);
		if (path)
			r = each(ctx, path);
	}
	return r;
}
