/* SPDX-License-Identifier: MIT */
/* Filling in an error object: fixed size, no allocation, so that it works when memory
 * has run out. */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void lt_one_line(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			*text = '?';
}

LT_PRINTF(4, 0)
static void fill(struct lt_err *err, int code, const char *id, const char *fmt, va_list ap)
{
	err->code = lt_neg(code);
	snprintf(err->id, sizeof(err->id), "%s", id);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	lt_one_line(err->text);
	err->hint[0] = '\0';
}

void lt_err_set(struct lt_err *err, int code, const char *id, const char *fmt, ...)
{
	if (!err)
		return;
	va_list ap;
	va_start(ap, fmt);
	fill(err, code, id, fmt, ap);
	va_end(ap);
}

void lt_err_set_sys(struct lt_err *err, int sys_errno, const char *id, const char *fmt, ...)
{
	if (!err)
		return;
	va_list ap;
	va_start(ap, fmt);
	fill(err, -sys_errno, id, fmt, ap);
	va_end(ap);

	char reason[96] = "";
	size_t used = strlen(err->text);
	const char *text = strerror_r(sys_errno, reason, sizeof(reason));
	snprintf(err->text + used, sizeof(err->text) - used, ": %s", text);
}

void lt_err_set_hint(struct lt_err *err, const char *fmt, ...)
{
	if (!err)
		return;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(err->hint, sizeof(err->hint), fmt, ap);
	lt_one_line(err->hint);
	va_end(ap);
}
