/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an experiment is, written into its record before it runs. */
#ifndef RUN_DESCRIBE_H
#define RUN_DESCRIBE_H

#include "base/err.h"
#include "run/inside.h"

/* Needs the metrics in place. Errors: LT-METRIC for a primary metric that is not measured
 * or cannot be judged. */
int describe_plan(struct experiment *x, const char *verb, struct lt_err *err);
int describe_machine(struct experiment *x, struct lt_err *err);

/* The commands, and with the A/A check two stand-ins for the first. */
int describe_variants(struct experiment *x, struct lt_err *err);

#endif
