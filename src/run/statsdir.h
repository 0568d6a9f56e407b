/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The directory where libleat programs leave their statistics pages for us: one for the whole
 * experiment, private, in memory where the system has a place for that. */
#ifndef RUN_STATSDIR_H
#define RUN_STATSDIR_H

#include <dirent.h>
#include <stdbool.h>
#include <sys/types.h>

struct statsdir {
	DIR *dir;   /* NULL: there is none */
	char *path; /* absolute */
	bool own;   /* made by us: pages are removed once read, and the directory at the end */
};

#define STATSDIR_NONE       \
	{                   \
		.dir = NULL \
	}

/* Makes one, and removes those whose leat was killed. Where none can be made there is none. */
void statsdir_open(struct statsdir *d);

/* Uses one that the user named, as seen from `cwd` (NULL: ours); "" and one that is not there are
 * none. */
void statsdir_use(struct statsdir *d, const char *path, const char *cwd);

void statsdir_close(struct statsdir *d);

/* Calls each(ctx, fd, pid) for every page: `fd` is closed afterwards, `pid` the number in its
 * name. Stops early when it returns non-zero, and returns that. Empty costs two system calls. */
int statsdir_each(struct statsdir *d, int (*each)(void *ctx, int fd, pid_t pid), void *ctx);

#endif
