/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judging results that somebody else published. */
#ifndef RUN_PUBLISHED_H
#define RUN_PUBLISHED_H

#include "base/err.h"
#include "record/record.h"
#include "run/options.h"
#include "stats/reported.h"

/* texts: two results "VALUE ± SPREAD"; opts->n is from how many runs each (0 = unknown).
 * Errors: LT-REPORTED for a text that is none, or an SD without -n. */
int published_judge(const char *const texts[2], enum stats_spread spread,
	const struct run_opts *opts, struct record **ret, struct lt_err *err);

#endif
