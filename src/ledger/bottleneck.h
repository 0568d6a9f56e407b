/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which part of a libleat program holds up the others, by what the program tells of itself.
 * Pure: record in, finding out. */
#ifndef LEDGER_BOTTLENECK_H
#define LEDGER_BOTTLENECK_H

#include "base/err.h"
#include "record/record.h"

/*
 * Adds at most one finding about the variant's program:
 *
 * bottleneck-stage: of its pipelines the stage that is in use for the largest share of the
 * time, half of it or more; a stage that takes one item at a time can be in use all the time,
 * others by all workers at once (bottleneck-stages).
 * bottleneck-module: a thread that is busy, or ready, for 0.6 of its time or more, and 1.5
 * times as long as the average of the others, which wait; of its modules the one whose input
 * was found full most often.
 *
 * num[0] is the share, `name` the part, `where` its thread. Nothing is added for a program
 * that tells nothing, or has no such part. Errors: -ENOMEM.
 */
int ledger_bottleneck(struct record *rec, unsigned variant, struct lt_err *err);

#endif
