/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a report is: record in, bytes out. It computes nothing: every number it prints is
 * in the record. One file, report_NAME.c, ending in one const descriptor, and one line in
 * table.def. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "record/record.h"

/* A sweep's answer comes in two steps: its curve is there long before the reasons. */
enum report_part {
	REPORT_WHOLE,
	REPORT_FIRST, /* text of a sweep: verdict and curve */
	REPORT_REST,  /* text of a sweep: all that follows */
};

struct report_opts {
	bool verbose;
	unsigned width; /* columns of text; 0 = 80 */
	enum report_part part;
};

struct report {
	const char *name;  /* as in --format NAME */
	const char *brief; /* one line for `leat report --help` */

	/* Why this leat cannot write it, or NULL. Null = it always can. */
	const char *(*missing)(void);

	/* Appends to `out`. The record has passed record_check. Errors: -ENOMEM, or those of
	 * record_save_json. */
	int (*write)(const struct record *rec, const struct report_opts *opts, struct lt_buf *out,
		struct lt_err *err);
};

/* Every report, in the order of table.def, ending in NULL. */
extern const struct report *const report_table[];

const struct report *report_find(const char *name);

#endif
