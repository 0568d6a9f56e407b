/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line on the terminal that says how far it is; nowhere else. */
#ifndef CMD_PROGRESS_H
#define CMD_PROGRESS_H

#include <stdbool.h>

#include "run/options.h"

struct progress {
	bool on;         /* stderr is a terminal */
	long long at_ns; /* when it was last drawn */
	int shown;       /* columns drawn */
};

/* Hooks that draw it; all silent when stderr is no terminal or `quiet`. */
struct run_hooks progress_hooks(struct progress *p, bool quiet);

/* Takes the line away again. */
void progress_clear(struct progress *p);

#endif
