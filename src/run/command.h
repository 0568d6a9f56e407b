/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From what the user typed to a file that can be executed, or a clear reason why not. */
#ifndef RUN_COMMAND_H
#define RUN_COMMAND_H

#include "base/arena.h"
#include "base/err.h"
#include "run/options.h"

struct run_command_opts {
	bool shell;      /* the line goes to sh -c */
	bool literal;    /* words are passed on even if only a shell would understand them */
	const char *cwd; /* where relative names start; NULL = here */
};

/* A command given as one line ("sort -u big.txt"); what names it ("NAME=line") the caller has
 * taken off. Owner: strings live in the arena. */
int run_command_line(const char *line, const struct run_command_opts *opts, struct lt_arena *arena,
	struct run_command *ret, struct lt_err *err);

/* A command given as words; a single word with blanks in it that names no file is taken as
 * a line. */
int run_command_words(char *const *words, const struct run_command_opts *opts,
	struct lt_arena *arena, struct run_command *ret, struct lt_err *err);

#endif
