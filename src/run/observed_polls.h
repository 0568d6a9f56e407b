/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asking procfs what threads are waiting for, again and again: all that an ordinary user can
 * learn of it, and all that is left where even perf is closed. */
#ifndef RUN_OBSERVED_POLLS_H
#define RUN_OBSERVED_POLLS_H

#include "run/observed.h"

struct observed_polls {
	int root_fd;
	OBSERVED_LIST(int) fds;   /* by thread: its syscall file; -1 = none */
	unsigned open;            /* how many of them */
	uint32_t next;            /* thread to begin with */
	double weight;            /* of this turn */
	uint64_t asked, answered; /* threads asked, and found waiting */
};

/* What a thread waits in. */
struct observed_call {
	long nr; /* -1 = in no system call */
	uint64_t args[6];
	uint64_t sp, ip;
};

void observed_polls_done(struct observed_polls *p);

/* Parses proc/TID/syscall; false when the thread is running. */
bool observed_call_parse(const char *text, struct observed_call *ret);

/* Asks every thread that is off its CPU. `settle` brings what is seen up to a moment. */
void observed_poll(struct observed_polls *p, struct observed *o,
	void (*settle)(void *ctx, uint64_t now_ns), void *ctx);

/* What the descriptor of a process is, at its first sight; until the next one is noted. NULL =
 * it cannot be told. */
const struct observed_file *observed_note_file(struct observed *o, int root_fd, pid_t pid, int fd);

/* All mappings of processes that had time to make some, at growing intervals. */
void observed_note_maps(struct observed *o, int root_fd, uint64_t now_ns);

#endif
