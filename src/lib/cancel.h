/* SPDX-License-Identifier: MIT */
/* The inside of a cancel object, for those who look at it once per item. */
#ifndef LIB_CANCEL_H
#define LIB_CANCEL_H

#include "leat/cancel.h"
#include "lib/sync.h"

struct leat_cancel {
	sync_u32 raised;
	int fd; /* an eventfd, readable while raised */
};

static inline bool cancel_raised(struct leat_cancel *c)
{
	return c && sync_load(&c->raised);
}

#endif
