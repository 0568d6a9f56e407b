/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The record itself, as it is saved. */
#include "record/record_json.h"
#include "report/report.h"

static int json_write(const struct record *rec, const struct report_opts *opts, struct lt_buf *out,
	struct lt_err *err)
{
	(void)opts;
	return record_save_json(rec, out, err);
}

const struct report report_json = {
	.name = "json",
	.brief = "the whole record, by schema/record.schema.json",
	.write = json_write,
};
