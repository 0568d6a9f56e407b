/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The observer: a thread of leat's that takes in what the kernel tells of a run while
 * trial_run_wait watches it. */
#ifndef RUN_OBSERVER_H
#define RUN_OBSERVER_H

#include <pthread.h>

#include "record/evidence.h"
#include "run/launch.h"
#include "run/observed.h"
#include "run/observed_polls.h"
#include "sys/probe.h"
#include "sys/sampler.h"

struct observer_opts {
	int root_fd;
	const struct launcher *launcher;
	enum evidence_tier best; /* nothing above it is tried; EVIDENCE_NONE = no limit */
	double wall_ns;          /* what the run may take: longer ones are sampled less often */
	uint64_t period_ns;      /* of the clock samples; 0 = chosen */
};

struct observer {
	struct observer_opts opts;
	struct observed *seen;
	struct sys_probe *probe; /* NULL: not allowed here, why in no_probe */
	struct sys_sampler sampler;
	bool sampling; /* else no_sampler says why not */
	struct lt_err no_probe, no_sampler;
	struct observed_polls polls;
	pthread_t thread;
	bool started;
	int stop_fd;
	double cpu_ns; /* what the thread cost */
	unsigned turns;
};

#define OBSERVER_NONE                                      \
	{                                                  \
		.stop_fd = -1, .sampler = SYS_SAMPLER_NONE \
	}

/* Puts in place the best there is; what is refused is noted, not an error.
 * Errors: leat's own. */
int observer_open(struct observer *ob, const struct observer_opts *opts, struct observed *seen,
	struct lt_err *err);

/* Between these two the program runs. */
int observer_start(struct observer *ob, struct lt_err *err);
void observer_stop(struct observer *ob);

void observer_close(struct observer *ob);

#endif
