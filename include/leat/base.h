/* SPDX-License-Identifier: MIT */
/* What every public header of libleat needs: the export mark, C linkage, and the error object.
 * A call that can fail returns 0, a count or a negative errno, and describes the failure in the
 * `struct leat_err` passed last. */
#ifndef LEAT_BASE_H
#define LEAT_BASE_H

#define LEAT_VERSION_MAJOR 0
#define LEAT_VERSION_MINOR 1

#ifdef __cplusplus
#define LEAT_BEGIN_DECLS extern "C" {
#define LEAT_END_DECLS   }
#else
#define LEAT_BEGIN_DECLS
#define LEAT_END_DECLS
#endif

#ifdef __GNUC__
#define LEAT_API               __attribute__((visibility("default")))
#define LEAT_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define LEAT_API
#define LEAT_PRINTF(fmt, args)
#endif

/* A timeout that never ends; 0 means "do not wait". All times are nanoseconds. */
#define LEAT_FOREVER (-1)

LEAT_BEGIN_DECLS

struct leat_err {
	int code;       /* negative errno; 0 while nothing failed */
	char id[32];    /* stable name, e.g. LEAT-LINK-TWICE; listed in leat_err(3) */
	char text[320]; /* names the thing and the value */
};

/* Fills in an error and returns its code, so that setting and returning are one expression.
 * A code that is not negative becomes -EIO: a failure never looks like success.
 * **Threads:** any. **Blocks:** no. **Errors:** none; err may be NULL. */
LEAT_API int leat_err_set(struct leat_err *err, int code, const char *id, const char *fmt, ...)
	LEAT_PRINTF(4, 5);

/* The last misuse or failure that a data call (send, receive, take, put, ...) of the calling
 * thread reported by its negative return value alone.
 * **Owner:** borrowed; valid until this thread's next failing call. **Threads:** any; each has its
 * own.
 * **Blocks:** no. **Errors:** none; code is 0 while nothing failed. */
LEAT_API const struct leat_err *leat_err_last(void);

LEAT_END_DECLS

#endif
