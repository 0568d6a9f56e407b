/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The statistics pages of one run, or of one window on a running process. */
#ifndef RUN_PAGES_H
#define RUN_PAGES_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "run/statsdir.h"
#include "sys/stats_page.h"

enum {
	PAGES_MAX = 4096 /* of one run; a program may fork without end */
};

struct pages_one {
	struct sys_stats_page page;
	bool main;   /* of the program itself, not of a descendant */
	bool killed; /* it ended without closing its accounts */
};

struct pages {
	struct pages_one *list; /* the main one first, then as they began */
	size_t n, cap;
	unsigned unread;    /* there, but none of ours or of another version */
	int64_t end_ns;     /* of the run or window */
	struct lt_err last; /* why the last one was not read */
};

#define PAGES_NONE           \
	{                    \
		.list = NULL \
	}

/* What the processes of a run have left. `pid` is the program; end_ns when it ended, begin_ns when
 * it began: older pages are of other programs. `left`: descendants may still run, and their
 * accounts are settled as of now. Errors: LT-MEMORY. */
int pages_of_run(struct pages *ret, struct statsdir *dir, int root_fd, pid_t pid, int64_t begin_ns,
	int64_t end_ns, bool left, struct lt_err *err);

/* What a running process tells now: one page, or none. max_fds: as in sys_stats_open. Errors:
 * LT-MEMORY. */
int pages_of_process(
	struct pages *ret, int root_fd, pid_t pid, unsigned max_fds, struct lt_err *err);

/* Takes off `after` what `before`, of the same process, told already: what is left happened
 * between the two. */
void pages_subtract(struct pages *after, const struct pages *before);

void pages_done(struct pages *p);

#define PAGES_AUTO LT_AUTO(pages_done)

#endif
