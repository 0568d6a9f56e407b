/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the trials of a sweep to its curve, its law and its verdict. Pure: record in, record
 * out. */
#ifndef RUN_CURVE_H
#define RUN_CURVE_H

#include "base/err.h"
#include "record/record.h"

/* Makes rec->curve anew from the kept trials of every variant that has levels, but for
 * scaling.one_cpu.variant. rec->scaling has cpus, baseline, focus and mode. */
int curve_points(struct record *rec, struct lt_err *err);

/* The ratio of the one-CPU experiment; whether the work is shared or grows, unless
 * `forced` says so; then curve and law again, by what was found. */
int curve_judge(struct record *rec, enum scale_mode forced, struct lt_err *err);

/* Threads of a variant by its level; 0 = no factor. */
unsigned curve_threads(const struct record *rec, unsigned variant);

/* Do two variants differ in threads alone? */
bool curve_alike(const struct record *rec, unsigned a, unsigned b);

/* Wall time of b over that of a, with its interval; unavailable without runs of both. */
struct estimate curve_ratio(const struct record *rec, unsigned a, unsigned b);

/* How many times the work of the baseline the variant does: what its CPU time is to be
 * measured against. */
double curve_work(const struct record *rec, unsigned variant);

#endif
