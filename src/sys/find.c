/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PATH, folder by folder. */
#include "sys/find.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

char *sys_find_program(int root_fd, const char *name, struct lt_arena *arena)
{
	const char *path = getenv("PATH");
	for (const char *at = path, *end; at && *at; at = *end ? end + 1 : end) {
		char file[512];
		end = strchrnul(at, ':');
		int n = snprintf(file, sizeof(file), "%.*s/%s", (int)(end - at), at, name);
		if (*at == '/' && n < (int)sizeof(file) &&
			faccessat(root_fd, file + 1, X_OK, 0) == 0)
			return lt_arena_strdup(arena, file);
	}
	return NULL;
}
