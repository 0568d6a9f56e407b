/* SPDX-License-Identifier: MIT */
/* What leat-router is asked to do: its options and arguments, and the variables that stand for
 * them. */
#ifndef ROUTER_ARGS_H
#define ROUTER_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "router/io/reader.h"
#include "router/io/writer.h"
#include "router/node/run.h"

enum exit_code {
	EXIT_USAGE = 2,    /* options, configuration, an input that is not there */
	EXIT_DAMAGED = 3,  /* an input is damaged; what came before the damage was routed */
	EXIT_INTERNAL = 5, /* output cannot be written, or packets are missing */
};

enum {
	INPUTS_MAX = 4096
};

struct args {
	const char *config, *dir, *default_nic;
	struct io_input inputs[INPUTS_MAX];
	size_t n_inputs;
	enum io_order order;
	enum io_writer_format format;
	bool check, quiet;
	unsigned burst; /* 0: the router's own */
	struct run_opts run;
	struct lt_arena arena;
	struct lt_err err;
};

/* Fills what is all 0. Ends the program after --help and its like. Errors: LT-USAGE, those of
 * inputs. */
int args_read(struct args *args, int argc, char **argv);

/* Says what went wrong, and gives the exit code back. */
int args_fail(const struct lt_err *err, int code);

#endif
