/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trying remedies: each once, the best of them in pairs with the default, a winner only with
 * proof. Who can run the program is given by the caller, so that the same rules serve a sweep
 * and a test without any program. */
#ifndef RUN_REMEDIES_H
#define RUN_REMEDIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "record/record.h"
#include "remedy/remedy.h"

/* What one run showed. */
struct remedies_seen {
	bool ran;        /* false: leat was told to stop before */
	bool late;       /* ended by the limit of its block */
	const char *bad; /* it did not do what it was run for: "exit code 5"; NULL = it did */
	double wall_ns;
	struct value peak;    /* bytes */
	uint64_t output;      /* hash of all it wrote; 0 = not known */
	uint64_t output_text; /* the same without digits and the order of lines */
	const char *unloaded; /* the process that did the work without the library that it should
				 have been given; NULL = all is well, or it was not looked at */
};

/* What remedies need of the experiment they are part of. */
struct remedies_host {
	void *ctx;

	/* Another variant: the program at the point of interest with a change (NULL: as it is).
	 * Errors: those of leat. */
	int (*add)(void *ctx, const char *name, const struct remedy_change *change,
		unsigned *ret_variant, struct lt_err *err);

	/* Runs each variant once, in random order; seen[i] is what variants[i] showed. No run
	 * lasts longer than limit_ns (0 = no limit). `look`: the maps of the running program are
	 * looked at, which costs it a little. */
	int (*block)(void *ctx, const unsigned *variants, size_t n, int64_t limit_ns, bool look,
		struct remedies_seen *seen, struct lt_err *err);

	/* Files that the program mapped in a block that looked. Owner: the host. */
	size_t (*maps)(void *ctx, const char *const **ret);

	int64_t (*left_ns)(void *ctx); /* of the time there is; INT64_MAX = no end */
	bool (*over)(void *ctx);       /* told to stop: nothing can be run any more */
};

struct remedies_opts {
	const char *list;          /* "all", "none" or names parted by commas; NULL = by causes */
	const char *const *causes; /* ids, of n_causes */
	size_t n_causes;
	unsigned pairs, pairs_max; /* at least, at most; 0 = 8 and 16 */
	uint64_t seed;             /* of random permutations, where there are too many for all */
};

/* Is it "all", "none" or a list of remedies? To be asked before anything is run.
 * Errors: -EINVAL, LT-TRY. */
int remedies_check(const char *list, struct lt_err *err);

/* Adds one remedy_result to the record for each remedy that was asked for, and for the
 * control, "null". `place` is completed with the maps of the running program. *ret_best is the
 * winner, or NULL. Blocks for as long as it takes, within the host's time.
 * Errors: those of leat and of the host; what a program does is in the results. */
int remedies_try(struct record *rec, struct remedy_place *place, const struct remedies_opts *opts,
	const struct remedies_host *host, const struct remedy **ret_best, struct lt_err *err);

#endif
