/* SPDX-License-Identifier: MIT */
/* The growing byte buffer. */
#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lt_buf_done(struct lt_buf *buf)
{
	free(buf->data);
	*buf = (struct lt_buf){ 0 };
}

void lt_buf_reset(struct lt_buf *buf)
{
	buf->len = 0;
	if (buf->data)
		buf->data[0] = '\0';
}

bool lt_buf_reserve(struct lt_buf *buf, size_t more)
{
	if (buf->failed)
		return false;
	size_t need = buf->len + more + 1;
	if (more < need && need <= buf->cap)
		return true;
	size_t cap = buf->cap ? buf->cap : 128;
	while (cap < need && cap < (size_t)-1 / 2)
		cap *= 2;
	bool fits = more < need && need <= cap; /* what cannot even be counted does not */
	char *data = fits ? realloc(buf->data, cap) : NULL;
	if (!data) {
		buf->failed = true;
		return false;
	}
	buf->data = data;
	buf->cap = cap;
	return true;
}

void lt_buf_add(struct lt_buf *buf, const void *bytes, size_t len)
{
	if (!lt_buf_reserve(buf, len))
		return;
	if (len)
		memcpy(buf->data + buf->len, bytes, len);
	buf->len += len;
	buf->data[buf->len] = '\0';
}

void lt_buf_adds(struct lt_buf *buf, const char *text)
{
	lt_buf_add(buf, text, strlen(text));
}

void lt_buf_vaddf(struct lt_buf *buf, const char *fmt, va_list args)
{
	va_list again;
	va_copy(again, args);
	int len = vsnprintf(NULL, 0, fmt, args);
	if (len < 0)
		buf->failed = true;
	else if (lt_buf_reserve(buf, (size_t)len)) {
		vsnprintf(buf->data + buf->len, (size_t)len + 1, fmt, again);
		buf->len += (size_t)len;
	}
	va_end(again);
}

void lt_buf_addf(struct lt_buf *buf, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	lt_buf_vaddf(buf, fmt, args);
	va_end(args);
}

void lt_buf_add_double(struct lt_buf *buf, double num)
{
	char text[40];
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, num);
		if (strtod(text, NULL) == num)
			break;
	}
	lt_buf_adds(buf, text);
}

int lt_buf_read_fd(struct lt_buf *buf, int fd, const char *name, size_t limit, struct lt_err *err)
{
	size_t start = buf->len;
	for (;;) {
		if (!lt_buf_reserve(buf, 4096))
			return lt_fail_mem(err);
		ssize_t got = read(fd, buf->data + buf->len, buf->cap - buf->len - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return lt_fail_sys(err, "LT-READ", "cannot read '%.200s'", name);
		buf->len += (size_t)got;
		buf->data[buf->len] = '\0';
		if (got == 0)
			return 0;
		if (buf->len - start > limit)
			return lt_fail(err, -EFBIG, "LT-READ-LIMIT",
				"'%.200s' holds more than %zu bytes", name, limit);
	}
}
