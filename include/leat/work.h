/* SPDX-License-Identifier: MIT */
/* Telling a measuring tool how much work was done and which part of the run counts. Both write
 * to the statistics page of the process (leat/stats.h): no system call in an update. */
#ifndef LEAT_WORK_H
#define LEAT_WORK_H

#include <stdint.h>

#include <leat/base.h>

LEAT_BEGIN_DECLS

struct leat_work;
struct leat_region;

/* Finds or makes the work counter of this name; `unit` is one unit's name ("packet"); NULL: the
 * counter's own name.
 * **Owner:** the library, for the life of the process. **Threads:** any. **Blocks:** no.
 * **Errors:** LEAT-STATS-FULL, LEAT-NAME (empty or longer than 47 bytes), LEAT-STATS-PAGE. */
LEAT_API int leat_work_get(
	const char *name, const char *unit, struct leat_work **ret_work, struct leat_err *err);

/* Adds n units. **Threads:** any, at the same time. **Blocks:** no. **Errors:** none; NULL does
 * nothing. */
LEAT_API void leat_work_add(struct leat_work *work, uint64_t n);

/* The units so far. **Threads:** any. **Blocks:** no. */
LEAT_API uint64_t leat_work_total(const struct leat_work *work);

/* Finds or makes the region of this name. Rules as for leat_work_get(). */
LEAT_API int leat_region_get(
	const char *name, struct leat_region **ret_region, struct leat_err *err);

/* Marks: measure from here to there. A region may be entered any number of times, and by several
 * threads; it is open from the first begin to the last end. Costs two system calls each.
 * **Threads:** any. **Blocks:** shortly, on another thread's mark. **Errors:** none; NULL does
 * nothing; an end without a begin is ignored. */
LEAT_API void leat_region_begin(struct leat_region *region);
LEAT_API void leat_region_end(struct leat_region *region);

LEAT_END_DECLS

#endif
