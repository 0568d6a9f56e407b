/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options that have one name everywhere, parsed once for every verb that measures. */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/cpuset.h"
#include "base/err.h"
#include "run/command.h"
#include "run/options.h"
#include "run/signals.h"

struct cmd_options {
	struct run_opts run;
	struct run_command_opts how;
	const char *json, *csv, *markdown,
		*html; /* where reports go; "-" is stdout; NULL = nowhere */
	bool quiet, verbose;
	bool n_given, budget_given, seed_given;

	struct lt_cpuset pin;
	struct lt_arena arena; /* of option lists and commands */
	size_t cap_env, cap_gates;
	struct lt_err err; /* what was wrong with an option's value */

	struct signals signals; /* opened by output_open */
};

#define CMD_OPTIONS_NONE                \
	{                               \
		.signals = SIGNALS_NONE \
	}

/* A child parser; the caller passes its struct cmd_options as the child's input. */
extern const struct argp cmd_options_argp;

/* Keys of long options of the verbs themselves start here. */
enum {
	CMD_OPTIONS_OWN = 0x200
};

/* Finds options that contradict each other, and picks what was left open: the seed, and where
 * the output goes that work is counted in. */
int cmd_options_check(struct cmd_options *o, struct lt_err *err);

/* Adds to a growing list of words in the arena. */
int cmd_options_append(struct cmd_options *o, const char *const **list, size_t *n, size_t *cap,
	const char *word, struct lt_err *err);

/* A parser's answer to argp: -ENOSYS says that the option is not one of its own. */
error_t cmd_options_answer(int r);

/* The command to be measured begins at this argument: the rest of the line is its own. */
char **cmd_options_command(struct argp_state *state);

void cmd_options_done(struct cmd_options *o);

static inline void cmd_options_donep(struct cmd_options **o)
{
	cmd_options_done(*o);
}

/* For a local that points into a verb's input. */
#define CMD_OPTIONS_AUTO __attribute__((cleanup(cmd_options_donep)))

/* Parses with the house's exit codes and prints what was wrong. Returns CMD_OK, or the
 * code to end with. --help ends the process itself. */
int cmd_options_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input,
	struct lt_err *err);

#endif
