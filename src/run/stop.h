/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stop rule of an experiment. */
#ifndef RUN_STOP_H
#define RUN_STOP_H

#include "base/err.h"
#include "run/inside.h"

/* Asked after each block. Sets x->stopped to the reason once it is over. */
int stop_rule(struct experiment *x, struct lt_err *err);

#endif
