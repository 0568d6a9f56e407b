/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counting with perf_event_open(2): a set of events over everything a launcher starts, or
 * over a running process, each event with its own say on whether it can be counted here. */
#ifndef SYS_PERF_H
#define SYS_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

/* What to count: the selecting part of struct perf_event_attr. */
struct sys_perf_code {
	uint32_t type;
	uint64_t config, config1, config2;
	bool exclude_user, exclude_kernel, exclude_hv, exclude_guest, exclude_host;
};

struct sys_perf_reading {
	uint64_t count;
	uint64_t enabled_ns, running_ns; /* on, and on a hardware counter, summed over tasks */
};

struct sys_perf_event {
	struct sys_perf_code code;
	int error;      /* why it cannot be counted, a negative errno; 0 = it can */
	bool user_only; /* the kernel's side is closed to us and left out */
	int *fds;       /* one per task it was opened on */
	size_t n_fds;
	struct sys_perf_reading begin;
};

struct sys_perf {
	struct sys_perf_event *events;
	size_t n_events;
	int anchor; /* see sys_perf_open_tree */
};

#define SYS_PERF_NONE        \
	{                    \
		.anchor = -1 \
	}

/* An event that changes how the kernel treats the others on `launcher`: without it they are
 * lost to the first program. A descriptor to keep as long as they, or a negative errno. */
int sys_perf_anchor(pid_t launcher);

/* Opens every code on `launcher`, so that each program it starts is counted from its exec
 * on, with all its descendants: those nobody waits for and those still running too. The
 * launcher itself is never counted; it must have called exec already.
 * Errors: -ENOMEM only; an event that cannot be counted says so itself. */
int sys_perf_open_tree(struct sys_perf *ret, pid_t launcher, const struct sys_perf_code *codes,
	size_t n, struct lt_err *err);

/* The same for a running process: its threads and what they start from now on. */
int sys_perf_open_process(struct sys_perf *ret, int root_fd, pid_t pid,
	const struct sys_perf_code *codes, size_t n, struct lt_err *err);

void sys_perf_close(struct sys_perf *p);

/* Takes note of where every event stands. */
void sys_perf_begin(struct sys_perf *p);

/* What event `i` counted since then. *ret_scaled: it shared a hardware counter with others,
 * the number is extrapolated. -ENODATA: it was never on a counter; errno of read. */
int sys_perf_counted(const struct sys_perf *p, size_t i, double *ret, bool *ret_scaled);

/* The arithmetic of it: b minus a, extrapolated to the time enabled. 0 or -ENODATA. */
int sys_perf_scale(const struct sys_perf_reading *a, const struct sys_perf_reading *b, double *ret,
	bool *ret_scaled);

/* Can this be counted here, on ourselves? 0 or a negative errno; *ret_user_only as above. */
int sys_perf_try(const struct sys_perf_code *code, bool *ret_user_only);

/* Whole sentences for a person: why `error` happened, and what would help. The id is
 * LT-PERF. */
int sys_perf_explain(int root_fd, const struct sys_perf_code *code, int error, struct lt_err *err);

#endif
