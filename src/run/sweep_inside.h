/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a sweep, shared by the files that carry it out. */
#ifndef RUN_SWEEP_INSIDE_H
#define RUN_SWEEP_INSIDE_H

#include "run/inside.h"
#include "run/points.h"
#include "run/quiet.h"
#include "run/sweep.h"

enum {
	SWEEP_ROUNDS_MAX = 60
};

/* What the sweep knows of a variant while it runs. */
struct sweep_slot {
	unsigned threads;
	bool over;      /* more threads than CPUs */
	bool dead;      /* it failed: not run again */
	double wall_ns; /* of its last run; 0 = none yet */
};

struct sweep {
	struct sweep_opts opts;
	struct run_opts run;
	struct experiment x;
	struct points_opts points_opts;
	struct points points;
	struct run_command cmds[EXPERIMENT_VARIANTS];
	struct sweep_slot slots[EXPERIMENT_VARIANTS];

	struct lt_cpuset allowed;
	unsigned *cpu_order;
	unsigned n_cpus;

	struct quiet quiet;
	int64_t looked_ns;                     /* when the machine was last looked at */
	bool was_quiet;                        /* then */
	bool round_busy[SWEEP_ROUNDS_MAX + 1]; /* before or after it the machine was not quiet */
	unsigned round_block[SWEEP_ROUNDS_MAX + 1];
	unsigned rounds;
	int64_t waited_ns; /* for the machine to become quiet */

	const struct evidence *at, *base; /* of focus and baseline; NULL = none */

	int64_t begin_ns;
	const char *stopped;
};

/* One more variant. */
int sweep_add(struct sweep *s, const struct run_command *cmd, const char **levels,
	const char *remedy, unsigned *ret, struct lt_err *err);

/* Facts worth a sentence, causes apart. */
int sweep_findings(struct sweep *s, struct lt_err *err);

#endif
