/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a running experiment, shared by the files that carry it out. Not for other
 * rooms: they see experiment.h. */
#ifndef RUN_INSIDE_H
#define RUN_INSIDE_H

#include "record/record.h"
#include "run/environment.h"
#include "run/launch.h"
#include "run/meterset.h"
#include "run/options.h"
#include "run/program.h"
#include "run/signals.h"
#include "run/statsdir.h"
#include "run/streams.h"
#include "run/trial.h"
#include "run/work.h"
#include "stats/rng.h"

struct experiment {
	const struct run_opts *opts;
	const struct run_command *cmds;
	size_t n_cmds;
	const struct run_hooks *hooks;

	struct record *rec;
	struct launcher launcher;
	struct launcher preparer; /* of the preparation: what it leaves running is its own */
	struct signals *signals;  /* own_signals, or the caller's */
	struct signals own_signals;
	struct streams streams;
	struct streams quiet; /* of the preparation */
	struct run_opts quiet_opts;
	struct meterset meters;
	struct environment env;
	struct statsdir stats;
	struct program_watch program;
	struct work work;
	struct lt_buf output;
	struct trial_run trial;
	struct stats_rng rng;
	int root_fd;

	int64_t begin_ns;  /* of the experiment */
	int64_t budget_ns; /* since when its budget is spent */
	size_t pad;        /* of the environment, shared by a block */
	unsigned next_block;
	unsigned blocks_kept; /* runs or pairs done, warm-up apart */
	unsigned next_look;
	unsigned running; /* the variant being run */
	double reached;   /* half-width so far; NAN unknown */
	double last_wall_ns;
	bool failed;         /* a program did not do what it was run for */
	const char *stopped; /* plan.stopped; NULL = go on */
};

/* Tells the caller how far it is. Returns 0. */
int experiment_progress(struct experiment *x, unsigned variant, double running_s);

#endif
