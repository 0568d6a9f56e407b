/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Quoting, and numbers with as many digits as they need. */
#include "report/csv.h"

#include <math.h>
#include <string.h>

void csv_cell(struct lt_buf *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		lt_buf_adds(out, text);
		return;
	}
	lt_buf_adds(out, "\"");
	for (; *text; text++)
		lt_buf_adds(out, *text == '"' ? "\"\"" : (char[]){ *text, '\0' });
	lt_buf_adds(out, "\"");
}

void csv_num(struct lt_buf *out, double num)
{
	if (isfinite(num))
		lt_buf_add_double(out, num);
}
