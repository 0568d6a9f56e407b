/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Comparing saved records: they were not interleaved, and the result says so. */
#ifndef RUN_MERGE_H
#define RUN_MERGE_H

#include "base/err.h"
#include "record/record.h"
#include "run/options.h"

/* A new record with the variants of recs[n], named after names[n] (files), in the metrics
 * they share, compared by rank-sum with the first. The records are only read.
 * Errors: LT-MERGE when they share no metric or a record has no run that counts. */
int merge_records(struct record *const *recs, const char *const *names, size_t n,
	const struct run_opts *opts, struct record **ret, struct lt_err *err);

#endif
