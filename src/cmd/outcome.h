/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How an experiment ended, for the exit code and for stderr. */
#ifndef CMD_OUTCOME_H
#define CMD_OUTCOME_H

#include "record/record.h"

/* The exit code that a record asks for: signal, failed program, gate, unfit machine, or 0. */
int outcome_exit(const struct record *rec);

/* Names a failure or an early end in one line on stderr; nothing when all went well. */
void outcome_tell(const struct record *rec);

#endif
