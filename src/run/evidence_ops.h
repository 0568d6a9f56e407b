/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What system calls are for: which of a program's waits each one is, and what tells one such
 * wait from another. One table for the probe, for procfs and for samples. */
#ifndef RUN_EVIDENCE_OPS_H
#define RUN_EVIDENCE_OPS_H

#include <stdbool.h>
#include <stdint.h>

#include "record/evidence.h"
#include "sys/probe_wire.h"

/* The operation of a wait. `timed`: with a patience that mostly ran out. */
enum evidence_op evidence_op_of_wait(long nr, unsigned futex_op, bool uninterruptible, bool timed);

/* The operation of time on a CPU inside the kernel; -1 = in no system call: a fault. */
enum evidence_op evidence_op_of_work(long nr, unsigned futex_op);

/* What distinguishes waits in this call. */
bool evidence_call_has_fd(long nr);
bool evidence_call_is_futex(long nr);

/* How long a call is willing to wait, as its arguments say it. */
struct evidence_patience {
	unsigned arg;     /* which one, from 1; 0 = it has none */
	bool pointed;     /* it points to two numbers: seconds and a fraction */
	unsigned unit_ns; /* of the argument, or of the fraction */
};

struct evidence_patience evidence_call_patience(long nr);

/* In ns, of the argument or what it points to; 0 = endless, or no time at all. */
uint64_t evidence_patience_ns(struct evidence_patience how, uint64_t arg, const int64_t time[2]);

/* The same table as rules for the probe. */
void evidence_probe_rules(uint8_t ret[PROBE_CALLS]);

#endif
