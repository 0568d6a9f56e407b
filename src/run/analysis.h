/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From trials to answers: the record's own trials in, its summaries, comparisons, gates
 * and findings out. The statistics are those of stats/; here they meet the record. */
#ifndef RUN_ANALYSIS_H
#define RUN_ANALYSIS_H

#include "base/err.h"
#include "record/record.h"
#include "run/options.h"
#include "stats/compare.h"

/* Of every variant and metric, and per unit of work where it is known. */
int analysis_summaries(struct record *rec, struct lt_err *err);

/* Every later variant against the first, in every metric; Holm over the secondary ones. */
int analysis_comparisons(struct record *rec, const struct run_opts *opts, struct lt_err *err);

/* One comparison of the primary metric as it stands now, for the stop rule. */
int analysis_now(const struct record *rec, const struct run_opts *opts, unsigned a, unsigned b,
	struct stats_comparison *ret, struct lt_err *err);

/* Checks 'METRIC +5%' without a record, so that a typo is told before anything runs. */
int analysis_gate_parse(const struct record *rec, const char *text, unsigned *ret_metric,
	double *ret_limit, struct lt_err *err);
int analysis_gates(struct record *rec, const struct run_opts *opts, struct lt_err *err);

/* Is this gate settled, one way or the other, by what is known now? */
bool analysis_gate_decided(const struct stats_comparison *c, double limit);

/* Adds one fact with two numbers and a name, which may be NULL; variant -1 is all of them. */
int analysis_found(struct record *rec, const char *id, enum severity severity, int variant,
	double a, double b, const char *name, struct lt_err *err);

/* Facts about how the runs of one variant ended, and what they did besides. */
int analysis_outcomes(
	struct record *rec, const struct run_opts *opts, int variant, struct lt_err *err);

/* Facts worth a sentence. */
int analysis_findings(struct record *rec, const struct run_opts *opts, struct lt_err *err);

/* Index of the primary metric; -1 when the record has no metric. */
int analysis_primary(const struct record *rec);

#endif
