/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The points of a sweep: the command with every combination of its factors' levels. */
#ifndef RUN_POINTS_H
#define RUN_POINTS_H

#include "base/arena.h"
#include "base/err.h"
#include "record/scale.h"
#include "run/command.h"
#include "run/factors.h"
#include "run/options.h"

enum {
	POINTS_MAX = 128 /* of one sweep, remedies apart */
};

struct points_opts {
	struct run_command_opts how;
	char *const *words;     /* the command, with placeholders */
	const char *const *env; /* of --env, perhaps with placeholders */
	size_t n_env;
	const char *threads;        /* list; NULL = default counts, if the command takes them */
	const char *const *factors; /* "NAME=a,b" */
	size_t n_factors;
	const unsigned *cpu_order; /* CPUs, in the order in which few threads use them */
	unsigned n_cpus;
	double cpus; /* that may be used at once */
};

struct point {
	struct run_command cmd;
	const char **levels; /* one per factor */
	unsigned threads;    /* 0 = not a factor */
};

struct points {
	struct factor_spec specs[FACTORS_MAX];
	struct factor factors[FACTORS_MAX];
	size_t n_factors;
	int threads; /* index of that factor; -1 = not swept */
	struct point *list;
	size_t n;
};

/* Everything lives in the arena. Threads are the last factor, so that points that differ in
 * them alone are neighbours. Errors: LT-FACTOR, LT-THREADS, LT-POINTS, those of commands. */
int points_make(const struct points_opts *opts, struct lt_arena *arena, struct points *ret,
	struct lt_err *err);

/* One more command: as `like`, but with this level of the factor of threads. */
int points_with_threads(const struct points_opts *opts, const struct points *all,
	const struct point *like, unsigned threads, struct lt_arena *arena, struct point *ret,
	struct lt_err *err);

#endif
