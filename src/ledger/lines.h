/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of a time ledger: its parts shared out over what was observed. Inside this
 * room. */
#ifndef LEDGER_LINES_H
#define LEDGER_LINES_H

#include "base/err.h"
#include "record/evidence.h"
#include "record/record.h"

/* CPU time of the point of interest, all of it. */
struct ledger_cpu {
	double user_ns, system_ns;
};

/* Fills l->lines, largest first, and l->unexplained_ns. */
int ledger_lines(struct record *rec, struct time_ledger *l, const struct ledger_cpu *cpu,
	const struct evidence *at, const struct evidence *base, struct lt_err *err);

#endif
