/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What valgrind's cachegrind leaves behind: for each process PID.out with its counts, and
 * PID.log for each that was started by exec and not by fork alone. */
#ifndef SYS_CACHEGRIND_H
#define SYS_CACHEGRIND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct sys_cachegrind {
	uint64_t instructions; /* of all processes that left counts */
	uint64_t branches;     /* conditional and indirect */
	unsigned counted;      /* processes with counts */
	unsigned forked;       /* of those, without exec: their counts repeat their parent's */
	unsigned uncounted;    /* started, but left no counts: killed, or still running */
	bool unknown_code;     /* met an instruction that valgrind does not know */
};

/* Sums the directory up. 0 or a negative errno. */
int sys_cachegrind_sum(int dir_fd, struct sys_cachegrind *ret);

/* Removes the files in it. */
void sys_cachegrind_clear(int dir_fd);

#endif
