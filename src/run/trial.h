/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of one program: started, watched, ended whatever it does, and named as what it
 * was. */
#ifndef RUN_TRIAL_H
#define RUN_TRIAL_H

#include "base/arena.h"
#include "meter/meter.h"
#include "record/record.h"
#include "run/launch.h"
#include "run/options.h"
#include "run/signals.h"
#include "run/streams.h"

struct trial_run {
	/* set by the caller */
	const struct run_opts *opts;
	struct launcher *launcher;
	struct signals *signals;
	struct streams *streams;
	int root_fd;
	char *const *envp;
	struct lt_arena *arena;                    /* for names in the outcome */
	void (*tick)(void *ctx, double running_s); /* once a second; NULL = none */
	void *tick_ctx;
	/* Looks at the running program, first 1 ms after its start; says in how many ns it wants
	 * to look again. Costs the program something: not in timing runs. NULL = none */
	int64_t (*look)(void *ctx, int64_t running_ns);
	void *look_ctx;

	/* set by trial_run_wait */
	struct launch_reply reply;
	struct meter_window window;
	struct outcome outcome;
	double poured;      /* bytes written through calls in the first second */
	double own_wakeups; /* leat's and the launcher's within the window */
};

/* Starts `cmd` and waits for its end, which it brings about after the timeout or a signal.
 * The program stays a zombie, for meters to read, until trial_run_end.
 * Errors: leat's own only; what the program does is in the outcome. */
int trial_run_wait(struct trial_run *t, const struct run_command *cmd, struct lt_err *err);

/* Ends and reaps whatever the program left running. The program itself stays a zombie until
 * the next run, which costs less than a message of its own. */
int trial_run_end(struct trial_run *t, struct lt_err *err);

/* Did it do what it was run for? `success` lists the exit codes that say so; NULL = 0. */
bool trial_succeeded(const struct outcome *o, const char *success);

#endif
