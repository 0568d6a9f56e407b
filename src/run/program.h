/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the measured programs tell of themselves, over an experiment: sums of their parts, units of
 * work from a work counter, readings of a region they marked. */
#ifndef RUN_PROGRAM_H
#define RUN_PROGRAM_H

#include "record/program.h"
#include "run/options.h"
#include "run/pages.h"

/* What was chosen of a variant's program, at the first run that had it. */
struct program_choice {
	const char *counter, *unit, *region;
	unsigned counters, regions; /* there were to choose from */
	unsigned runs[2];           /* with a page: [0] that count, [1] others */
	unsigned outside;           /* runs that did not enter the region */
	double region_ns, wall_ns;  /* of the runs that count: inside the region, and in all */
};

struct program_watch {
	struct record *rec;
	const struct run_opts *opts;
	struct record *sums; /* parts of variant v's runs that count: key 2 v; others: 2 v + 1 */
	struct program_choice *choices;
	unsigned unread;
	const char *why_unread;
	const char *full; /* a program whose page was full */
};

/* Once the record's variants are known. Errors: LT-MEMORY. */
int program_open(struct program_watch *w, struct record *rec, const struct run_opts *opts,
	struct lt_err *err);
void program_close(struct program_watch *w);

/* A run or window has ended: adds its pages to the sums, and says in *ret_units how much work its
 * counter counted (0: none). Of a run (not of a window) in which a region was marked, the trial's
 * readings become those of the region. */
int program_take(struct program_watch *w, const struct pages *pages, struct trial *t, bool window,
	double *ret_units, struct lt_err *err);

/* The first run counts after all. */
void program_keep_first(struct program_watch *w);

/* Writes the means, the plan's words and the findings into the record. */
int program_finish(struct program_watch *w, struct lt_err *err);

#endif
