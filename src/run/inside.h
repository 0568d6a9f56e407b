/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a running experiment, shared by the files that carry it out. Not for other
 * rooms: they see experiment.h. */
#ifndef RUN_INSIDE_H
#define RUN_INSIDE_H

#include <math.h>

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

enum {
	EXPERIMENT_COMMANDS = 64,  /* that can be compared with each other */
	EXPERIMENT_VARIANTS = 256, /* of a sweep, remedies included */
};

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

	int64_t begin_ns;       /* of the experiment */
	int64_t budget_from_ns; /* since when its budget is spent */
	size_t pad;             /* of the environment, shared by a block */
	unsigned next_block;
	unsigned blocks_kept; /* runs or pairs done, warm-up apart */
	unsigned next_look;
	unsigned running; /* the variant being run */
	double reached;   /* half-width so far; NAN unknown */
	double last_wall_ns;
	bool go_on;          /* a failed run ends nothing: the caller looks */
	bool hash;           /* the programs' output is hashed */
	bool failed;         /* a program did not do what it was run for */
	const char *stopped; /* plan.stopped; NULL = go on */
};

#define EXPERIMENT_NONE                                                                            \
	{                                                                                          \
		.launcher = LAUNCHER_NONE, .preparer = LAUNCHER_NONE, .own_signals = SIGNALS_NONE, \
		.streams = STREAMS_NONE, .quiet = STREAMS_NONE, .root_fd = -1, .reached = NAN      \
	}

/* With opts, cmds, hooks and signals set: opens all the rest. Everything that can be wrong is
 * found here, before the first run. */
int experiment_open(struct experiment *x, const char *verb, struct lt_err *err);
void experiment_close(struct experiment *x);

/* One trial of one variant. `evidence` is the index of the instrument, or -1. */
int experiment_trial(struct experiment *x, unsigned variant, unsigned block, int evidence,
	bool warmup, struct lt_err *err);

/* Every variant of `list` once, in random order; all of them see the same environment. */
int experiment_block(
	struct experiment *x, const int *list, size_t n, bool warmup, struct lt_err *err);

/* Did it do what it was run for, by what the options say? */
bool experiment_succeeded(const struct experiment *x, const struct outcome *o);

/* A program failed, or leat was told to stop. */
bool experiment_must_stop(const struct experiment *x);

/* Handing runs to the launcher and back costs least on one CPU (run/launcher.c); leat stays
 * on the one where it is, unless it has output to take away while the program works. */
void experiment_stay(const struct experiment *x);

/* What leat itself has cost so far, into the record. */
void experiment_own_cost(struct experiment *x);

/* Tells the caller how far it is. */
void experiment_progress(struct experiment *x, unsigned variant, double running_s);

#endif
