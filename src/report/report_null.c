/* SPDX-License-Identifier: GPL-2.0-or-later */
/* No bytes at all: for when only the exit code matters, and to measure leat itself. */
#include "report/report.h"

static int null_write(const struct record *rec, const struct report_opts *opts, struct lt_buf *out,
	struct lt_err *err)
{
	(void)rec, (void)opts, (void)out, (void)err;
	return 0;
}

const struct report report_null = {
	.name = "null",
	.brief = "nothing: only the exit code speaks",
	.write = null_write,
};
