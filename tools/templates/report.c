/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of what was measured, a line each. */
#include "report/report.h"

/* Required. Appends to `out` and computes nothing: every number is in the record. */
static int this_name_write(const struct record *rec, const struct report_opts *opts,
	struct lt_buf *out, struct lt_err *err)
{
	(void)opts;
	for (size_t i = 0; i < rec->n_variants; i++)
		lt_buf_addf(out, "%s\n", rec->variants[i].name);
	return out->failed ? lt_fail_mem(err) : 0;
}

const struct report report_this_name = {
	.name = "this-name",
	.brief = "the names of what was measured",
	.write = this_name_write,
};
