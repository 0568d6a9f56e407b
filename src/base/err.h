/* SPDX-License-Identifier: MIT */
/* The one error idiom: functions return 0, a count or a negative errno, and describe a
 * failure in the `struct lt_err` passed last. Setting and returning are one expression. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <errno.h>

#include "base/own.h"

struct lt_err {
	int code;       /* negative errno; 0 while nothing failed */
	char id[32];    /* stable name, e.g. LT-RECORD-SYNTAX; listed in leat(1) */
	char text[640]; /* names the thing and the value */
	char hint[480]; /* what to do about it; may be empty */
};

/* All accept err == NULL. Texts that do not fit are cut, never overrun. */
void lt_err_set(struct lt_err *err, int code, const char *id, const char *fmt, ...) LT_PRINTF(4, 5);
void lt_err_set_sys(struct lt_err *err, int sys_errno, const char *id, const char *fmt, ...)
	LT_PRINTF(4, 5);

void lt_err_set_hint(struct lt_err *err, const char *fmt, ...) LT_PRINTF(2, 3);

static inline int lt_neg(int code)
{
	return code < 0 ? code : -EIO; /* never "success" by accident */
}

/* Texts quote what users and files hold: replaces control characters, which would break the
 * one line or reach a terminal. */
void lt_one_line(char *text);

#define lt_fail(err, code, id, ...) (lt_err_set((err), (code), (id), __VA_ARGS__), lt_neg(code))

/* The same for a failed system call: takes errno and adds its text. */
#define lt_fail_sys(err, id, ...)                                     \
	__extension__({                                               \
		int sys_errno_ = errno;                               \
		lt_err_set_sys((err), sys_errno_, (id), __VA_ARGS__); \
		lt_neg(-sys_errno_);                                  \
	})

/* Adds what the user can do; gives err->code so that it can end a return expression. */
#define lt_hint(err, ...) (lt_err_set_hint((err), __VA_ARGS__), lt_err_code(err))

static inline int lt_err_code(const struct lt_err *err)
{
	return lt_neg(err ? err->code : -EIO);
}

#define lt_fail_mem(err) lt_fail((err), -ENOMEM, "LT-MEMORY", "out of memory")

#endif
