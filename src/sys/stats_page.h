/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The statistics page that a libleat program keeps (leat/stats.h), read from its file. The
 * program may be running, may have died at any moment, and may have written anything. */
#ifndef SYS_STATS_PAGE_H
#define SYS_STATS_PAGE_H

#include "base/err.h"
#include "leat/stats.h"

enum {
	SYS_STATS_SLOTS = 4096 /* read at most */
};

struct sys_stats_page {
	struct leat_stats_head head;   /* its texts end, here and in the slots */
	struct leat_stats_slot *slots; /* each as it was at one moment; kind FREE: not in use */
	uint32_t n;
	uint32_t torn; /* slots caught half written, their `seq` is odd: values may not fit */
};

#define SYS_STATS_PAGE_NONE   \
	{                     \
		.slots = NULL \
	}

/* Copies the page; never maps it, as a mapped file that is cut short ends its reader. A parent
 * that is out of range becomes 0. Errors: -ENODATA (no id) when it is not made yet; LT-PAGE when
 * it is no page of a version known here; LT-MEMORY. */
int sys_stats_page_read(int fd, struct sys_stats_page *ret, struct lt_err *err);
void sys_stats_page_done(struct sys_stats_page *page);

#define SYS_AUTO_STATS_PAGE LT_AUTO(sys_stats_page_done)

#endif
