/* SPDX-License-Identifier: MIT */
/* A byte buffer that grows. A failed allocation is remembered, not returned, so that a
 * writer may add a hundred pieces and check once. */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/own.h"

struct lt_buf {
	char *data; /* always NUL-terminated once something was added */
	size_t len; /* without the NUL */
	size_t cap;
	bool failed;
};

void lt_buf_done(struct lt_buf *buf);
void lt_buf_reset(struct lt_buf *buf);
bool lt_buf_reserve(struct lt_buf *buf, size_t more);
void lt_buf_add(struct lt_buf *buf, const void *bytes, size_t len);
void lt_buf_adds(struct lt_buf *buf, const char *text);
void lt_buf_addf(struct lt_buf *buf, const char *fmt, ...) LT_PRINTF(2, 3);
void lt_buf_vaddf(struct lt_buf *buf, const char *fmt, va_list args) LT_PRINTF(2, 0);

/* A finite number in the shortest form that reads back as the same one. */
void lt_buf_add_double(struct lt_buf *buf, double num);

/* Reads fd to its end, at most `limit` bytes; `name` is the file's, for errors. Errors: -EFBIG
 * beyond the limit, errno of read. */
int lt_buf_read_fd(struct lt_buf *buf, int fd, const char *name, size_t limit, struct lt_err *err);

#define LT_AUTO_BUF LT_AUTO(lt_buf_done)

#endif
