/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which files the processes of a trial load, seen while they run: the only proof that a library
 * was really put in front of others. */
#ifndef RUN_LOADED_H
#define RUN_LOADED_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/arena.h"

enum {
	LOADED_FILES = 256,
	LOADED_PROCESSES = 64,
};

struct loaded_process {
	pid_t pid;
	char comm[64];
	double run_ns; /* CPU time so far */
	bool has;      /* the wanted file */
	bool loading;  /* the dynamic loader was still at work: it maps the C library last */
};

struct loaded {
	int root_fd;
	pid_t launcher; /* parent of all */
	char launcher_comm[64];
	struct lt_arena *arena;
	const char *wanted; /* file that every process should have; NULL = none */

	const char *files[LOADED_FILES]; /* mapped as code by any of them */
	size_t n_files;
	struct loaded_process list[LOADED_PROCESSES];
	size_t n;
};

/* `wanted` may be a symbolic link. Owner: strings live in the arena. */
void loaded_begin(
	struct loaded *l, int root_fd, pid_t launcher, const char *wanted, struct lt_arena *arena);

/* One look, as trial_run's: returns when the next is due, in ns. */
int64_t loaded_look(void *ctx, int64_t running_ns);

/* The process that used most CPU time, if it did not have the wanted file; NULL: it had, or
 * nothing was seen of it after its start. */
const char *loaded_without(const struct loaded *l);

#endif
