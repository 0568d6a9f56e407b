/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words of evidence. */
#include "record/evidence.h"

#include "base/own.h"

static const char *const op_words[] = {
	[EVIDENCE_OP_USER] = "user",
	[EVIDENCE_OP_LOCK] = "lock",
	[EVIDENCE_OP_BARRIER] = "barrier",
	[EVIDENCE_OP_CONDITION] = "condition",
	[EVIDENCE_OP_JOIN] = "join",
	[EVIDENCE_OP_WAKE] = "wake",
	[EVIDENCE_OP_YIELD] = "yield",
	[EVIDENCE_OP_RUNQUEUE] = "run-queue",
	[EVIDENCE_OP_READ] = "read",
	[EVIDENCE_OP_WRITE] = "write",
	[EVIDENCE_OP_POLL] = "poll",
	[EVIDENCE_OP_SLEEP] = "sleep",
	[EVIDENCE_OP_CHILD] = "child",
	[EVIDENCE_OP_DISK] = "disk",
	[EVIDENCE_OP_FAULT] = "page-fault",
	[EVIDENCE_OP_MAP] = "memory-map",
	[EVIDENCE_OP_CLONE] = "clone",
	[EVIDENCE_OP_SIGNAL] = "signal",
	[EVIDENCE_OP_OTHER] = "other",
	[EVIDENCE_OP_KERNEL] = "kernel",
};

const char *evidence_op_word(enum evidence_op op)
{
	return op < EVIDENCE_OPS ? op_words[op] : NULL;
}
