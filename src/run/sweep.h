/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sweep: a command at every point of its factors, in rounds of random order, with a look
 * at the machine before each. It stays open, so that evidence and remedies can be run with
 * the same launcher, the same streams and the same seed. */
#ifndef RUN_SWEEP_H
#define RUN_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpuset.h"
#include "base/err.h"
#include "record/evidence.h"
#include "record/record.h"
#include "run/command.h"
#include "run/options.h"

struct sweep_opts {
	struct run_opts run; /* budget_ns: of everything together; n: rounds */
	struct run_command_opts how;
	char *const *words;
	const char *threads;        /* list; NULL = default counts */
	const char *const *factors; /* "NAME=a,b" */
	size_t n_factors;
	unsigned focus;       /* threads of the point of interest; 0 = all CPUs' worth */
	enum scale_mode mode; /* SCALE_UNKNOWN = find out */
	bool curve_only;      /* all of the budget is for timing runs */
	bool even_busy;       /* judge although the machine is busy */
};

struct sweep;

/* Everything that can be wrong is found here. Errors: bad options, leat's own failures. */
int sweep_open(struct sweep **ret, const struct sweep_opts *opts, const struct run_hooks *hooks,
	struct lt_err *err);
void sweep_close(struct sweep *s);

static inline void sweep_closep(struct sweep **s)
{
	sweep_close(*s);
}

#define SWEEP_AUTO LT_AUTO(sweep_closep)

/* The timing runs, and from them curve, law and verdict in the record. Blocks for about a
 * fifth of the budget. A program that fails does so in the record. */
int sweep_time(struct sweep *s, struct lt_err *err);

/* The record as it stands; the sweep's. */
struct record *sweep_record(struct sweep *s);

/* A signal told leat to stop, or a preparation failed: nothing more can be run. */
bool sweep_over(const struct sweep *s);

/* Of the budget; negative when it is spent. */
int64_t sweep_left_ns(const struct sweep *s);

/* The file that a variant runs, its words and its variables; borrowed. */
const struct run_command *sweep_command(const struct sweep *s, unsigned variant);

/* What can be changed about a variant. Strings and arrays must live as long as the sweep:
 * the record's arena is a good place. */
struct sweep_change {
	const char *name;       /* of the remedy */
	const char *const *env; /* "NAME=VALUE", over those that the variant has */
	size_t n_env;
	const char *const *prefix; /* words before the command */
	size_t n_prefix;
	const struct lt_cpuset *pin; /* NULL = as it is */
	unsigned threads;            /* another number; 0 = as it is */
};

/* Another variant of the record: `variant` with the change. Errors: no room, no such file. */
int sweep_vary(struct sweep *s, unsigned variant, const struct sweep_change *change,
	unsigned *ret_variant, struct lt_err *err);

/* One block: these variants once each, in random order and one environment. A variant may
 * appear more than once. *ret_first is the index of the block's first trial. */
int sweep_block(struct sweep *s, const int *variants, size_t n, bool warmup, size_t *ret_first,
	struct lt_err *err);

/* One run of a variant under observation, apart from all timing. *ret is of the record's
 * arena; NULL when the program failed, or leat was told to stop. */
int sweep_observe(struct sweep *s, unsigned variant, struct evidence **ret, struct lt_err *err);

/* Notes in the record's check whether the CPUs share cores. Takes 0.2 s. */
int sweep_look_for_units(struct sweep *s, struct lt_err *err);

/* Sums everything up: curve, summaries, findings about the runs, leat's own cost. */
int sweep_finish(struct sweep *s, struct lt_err *err);

/* Hands the record over; the sweep can only be closed then. */
struct record *sweep_take_record(struct sweep *s);

#endif
