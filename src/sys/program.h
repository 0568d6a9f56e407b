/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What kind of file a program is: may the dynamic loader be asked to change it? */
#ifndef SYS_PROGRAM_H
#define SYS_PROGRAM_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"

enum sys_program_kind {
	SYS_PROGRAM_DYNAMIC, /* starts through a dynamic loader */
	SYS_PROGRAM_STATIC,  /* has no loader: nothing can be preloaded */
	SYS_PROGRAM_SCRIPT,  /* text with a #! line: `loader` is the program named there */
	SYS_PROGRAM_OTHER,   /* none of these, or not readable */
};

struct sys_program {
	enum sys_program_kind kind;
	const char *loader; /* dynamic, script; else NULL */
	bool go;            /* made by the Go tool chain, with an allocator of its own */
	bool privileged;    /* starts with rights that its user lacks (setuid, setgid, file
			       capabilities), so that the loader distrusts the environment */
};

/* Owner: strings live in the arena. Errors: errno of open, LT-PROGRAM. */
int sys_program(
	const char *path, struct lt_arena *arena, struct sys_program *ret, struct lt_err *err);

/* The program behind a script, however many #! lines deep it is (at most 4); `path` itself
 * when it is none. */
int sys_program_behind(const char *path, struct lt_arena *arena, const char **ret_path,
	struct sys_program *ret, struct lt_err *err);

/* Does the file hold this text? False also when it cannot be read. */
bool sys_program_mentions(const char *path, const char *text);

#endif
