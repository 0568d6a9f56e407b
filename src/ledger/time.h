/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time ledger: where the core-seconds went that a program with several threads had and
 * did not turn into work. Pure: record and evidence in, ledger out. */
#ifndef LEDGER_TIME_H
#define LEDGER_TIME_H

#include "base/err.h"
#include "record/evidence.h"
#include "record/record.h"

/*
 * Makes rec->ledger, of the curve's point of interest against its baseline:
 *
 *   lost = min(T, P) x wall - useful CPU = extra user + extra system + idle,
 *
 * exactly, all from the same timing runs; useful is the baseline's CPU time for as much work.
 *
 * Then the three parts are shared out over what was observed. `at` is evidence of that point,
 * `base` of the baseline; each may be NULL. Extra CPU time of a place is what it took there
 * beyond what it took at the baseline; without `base` a part is shared out as the samples
 * lie. Idle cores go to the waits of threads that had something to wait for. Lines of a part
 * never add up to more than the part, or have another sign; what they leave is unexplained.
 *
 * rec->ledger stays NULL, and 0 is returned, when there is nothing to make one of: no point
 * of interest, no run of it, or no CPU times.
 */
int ledger_time(struct record *rec, const struct evidence *at, const struct evidence *base,
	struct lt_err *err);

#endif
