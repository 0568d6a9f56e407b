/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that the kernel keeps for each thread alone. The sum over a process falls when a
 * thread ends, so the change over a window is taken thread by thread. */
#ifndef METER_THREADS_H
#define METER_THREADS_H

#include "base/err.h"
#include "meter/meter.h"

enum {
	THREADS_NUMBERS = 2
};

struct thread_numbers {
	pid_t tid;
	uint64_t num[THREADS_NUMBERS];
};

struct threads {
	struct thread_numbers *list;
	size_t n, cap;
};

/* Reads the numbers of one thread; 0 or a negative errno. */
typedef int threads_reader(int root_fd, pid_t pid, pid_t tid, uint64_t ret[THREADS_NUMBERS]);

/* All threads alive now. 0 or a negative errno. */
int threads_read(struct threads *ret, int root_fd, pid_t pid, threads_reader *reader);
void threads_done(struct threads *t);

/* What was added between two readings: of threads in both, and of those new in `b`. Returns
 * how many of `a` have ended; what those added is not known. */
size_t threads_added(const struct threads *a, const struct threads *b, double ret[THREADS_NUMBERS]);

#endif
