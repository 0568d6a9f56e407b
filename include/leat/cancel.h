/* SPDX-License-Identifier: MIT */
/* Cancel: one flag that any thread or signal handler may raise, with a file descriptor that
 * becomes readable, so that a stage blocked in poll(2) wakes up. */
#ifndef LEAT_CANCEL_H
#define LEAT_CANCEL_H

#include <stdbool.h>

#include <leat/base.h>

LEAT_BEGIN_DECLS

struct leat_cancel;

/* Makes a cancel object that is not raised.
 * **Owner:** the caller, until leat_cancel_free(). **Threads:** any. **Blocks:** no.
 * **Errors:** LEAT-MEMORY, LEAT-CANCEL-FD (no file descriptor left). */
LEAT_API int leat_cancel_new(struct leat_cancel **ret_cancel, struct leat_err *err);

/* Frees it; nothing that was given it may still run. NULL is allowed. */
LEAT_API void leat_cancel_free(struct leat_cancel *cancel);

/* Raises it. Everything that was given it ends with -ECANCELED.
 * **Threads:** any, and signal handlers. **Blocks:** no. **Errors:** none. */
LEAT_API void leat_cancel_now(struct leat_cancel *cancel);

/* Lowers it again, for the next run. **Threads:** one caller, with nothing running on it. */
LEAT_API void leat_cancel_reset(struct leat_cancel *cancel);

/* Whether it is raised. **Threads:** any. **Blocks:** no. */
LEAT_API bool leat_cancel_raised(const struct leat_cancel *cancel);

/* The descriptor that is readable while it is raised.
 * **Owner:** borrowed; poll it, do not read or close it. **Threads:** any. **Blocks:** no. */
LEAT_API int leat_cancel_fd(const struct leat_cancel *cancel);

LEAT_END_DECLS

#endif
