/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a verb is: `leat NAME ...`. One file, cmd_NAME.c, ending in one const descriptor,
 * and one line in table.def. Only this room prints. */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include "base/err.h"

/* How leat ends; also in leat(1). */
enum cmd_exit {
	CMD_OK = 0,
	CMD_FOUND = 1, /* done, and the answer is "worse", "unfit" or "found" */
	CMD_USAGE = 2,
	CMD_CANNOT = 3,   /* cannot be measured or decided here */
	CMD_PROGRAM = 4,  /* the measured program failed */
	CMD_INTERNAL = 5, /* leat itself failed */
	CMD_SIGNAL = 128, /* plus the signal's number */
};

struct cmd {
	const char *name;
	const char *brief;                 /* one line for `leat --help` */
	int (*run)(int argc, char **argv); /* argv[0] is "leat NAME"; returns an exit code */
};

extern const struct cmd *const cmd_table[];

/* Prints the error (and its hint) on stderr; returns `code`, so that it ends a return. */
int cmd_fail(const struct lt_err *err, int code);

/* Exit code for a failure by its errno: usage for bad input, cannot for what the machine
 * refuses, internal for the rest. */
int cmd_exit_of(const struct lt_err *err);

#endif
