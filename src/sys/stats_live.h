/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The statistics page of a running process: where it is, and its threads' time so far. */
#ifndef SYS_STATS_LIVE_H
#define SYS_STATS_LIVE_H

#include <sys/types.h>

#include "sys/stats_page.h"

enum {
	SYS_STATS_FDS = 65536, /* enough for any process, but as many calls */
	SYS_STATS_FDS_FEW = 512,
};

/* Opens the page that process `pid` keeps, wherever it is: it holds it open, among the first
 * max_fds of its descriptors. -ENOENT when it has none, or -errno: -EACCES when the process may
 * not be looked at. A page that it had from its parent is not taken for its own, also in a
 * container. */
int sys_stats_open(int root_fd, pid_t pid, unsigned max_fds);

/* Makes the account of each thread that still runs one of a thread that ended just now, at now_ns:
 * its sleep so far, and its CPU time from procfs. Where that cannot be had,
 * LEAT_V_THREAD_HAS_SCHEDSTAT becomes 0. */
void sys_stats_settle(int root_fd, pid_t pid, uint64_t now_ns, struct sys_stats_page *page);

#endif
