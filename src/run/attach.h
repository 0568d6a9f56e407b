/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measuring a process that runs already: windows of a second or more, one after the other. */
#ifndef RUN_ATTACH_H
#define RUN_ATTACH_H

#include "base/err.h"
#include "run/inside.h"

/* Slices x->opts->attach_ns into windows of at least a second and reads every meter at
 * their borders. Ends early, with what there is, when the process ends or a signal comes.
 * Errors: LT-ATTACH when the process is not there or may not be looked at. */
int attach_run(struct experiment *x, struct lt_err *err);

#endif
