/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a program once under observation. Its times mean nothing; what it did with them does. */
#ifndef RUN_EVIDENCE_H
#define RUN_EVIDENCE_H

#include "base/err.h"
#include "record/evidence.h"
#include "run/trial.h"

struct evidence_opts {
	unsigned variant; /* noted in the evidence */
	unsigned threads;
	enum evidence_tier best; /* tries nothing above it; EVIDENCE_NONE = the best there is */
	double wall_ns;          /* what the run may take; 0 = unknown */
	uint64_t period_ns;      /* of clock samples; 0 = as suits the run's length */
};

/* As trial_run_wait, which it calls: t is set up the same way, and trial_run_end comes after.
 * Facts that cannot be had here say why in ret->sources. When a hot cache line lies in memory
 * that was allocated, the program runs a second time, to learn who did. Owner of all in `ret`:
 * `arena`. Blocks: as long as the program runs, and up to a few seconds to find its places in its
 * files. Errors: leat's own; what the program does is in the outcome. */
int evidence_run(struct trial_run *t, const struct run_command *cmd,
	const struct evidence_opts *opts, struct lt_arena *arena, struct evidence *ret,
	struct lt_err *err);

#endif
