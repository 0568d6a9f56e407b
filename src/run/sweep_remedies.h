/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remedies in a sweep: tried at the point of interest, and the winner along the whole curve. */
#ifndef RUN_SWEEP_REMEDIES_H
#define RUN_SWEEP_REMEDIES_H

#include "run/remedies.h"
#include "run/sweep.h"

/* After sweep_time and before sweep_finish; fills rec->remedies, and adds the runs of the
 * winner at the other thread counts, from which the curve after it is made. With nothing to
 * try, or no point of interest, it runs nothing. Errors: a bad opts->list, leat's own. */
int sweep_remedies(struct sweep *s, const struct remedies_opts *opts, struct lt_err *err);

#endif
