/* SPDX-License-Identifier: MIT */
/* Error objects: fixed size, no allocation. */
#include "lib/err.h"

#include <stdarg.h>
#include <stdio.h>

int leat_err_set(struct leat_err *err, int code, const char *id, const char *fmt, ...)
{
	if (code >= 0)
		code = -EIO;
	if (!err)
		return code;
	err->code = code;
	snprintf(err->id, sizeof(err->id), "%s", id);
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	return code;
}

static _Thread_local struct leat_err last;

struct leat_err *err_last(void)
{
	return &last;
}

const struct leat_err *leat_err_last(void)
{
	return &last;
}
