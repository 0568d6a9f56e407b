/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An experiment: programs, in a random order within blocks, until a rule says stop; all it
 * learns goes into a record. */
#ifndef RUN_EXPERIMENT_H
#define RUN_EXPERIMENT_H

#include "base/err.h"
#include "record/record.h"
#include "run/options.h"

/* Runs it all: trials, evidence, then summaries, comparisons, gates and findings.
 * `verb` names the experiment in the record. The record is complete whatever happened to
 * the programs: rec->partial and plan.stopped say how it ended. Owner: *ret_rec is the
 * caller's. Blocks: for as long as it takes; SIGINT, SIGTERM, SIGHUP and SIGQUIT end it
 * early with what was measured.
 * Errors: bad options and leat's own failures; then no record is returned. */
int experiment_run(const char *verb, const struct run_opts *opts, const struct run_command *cmds,
	size_t n_cmds, const struct run_hooks *hooks, struct record **ret_rec, struct lt_err *err);

#endif
