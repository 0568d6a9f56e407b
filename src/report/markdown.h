/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces of the Markdown report. Inside this room only. */
#ifndef REPORT_MARKDOWN_H
#define REPORT_MARKDOWN_H

#include "base/buf.h"
#include "base/err.h"
#include "record/record.h"

/* A sentence between two pieces of markup. */
void markdown_line(
	struct lt_buf *out, const char *lead, const struct lt_buf *line, const char *end);

/* A command in a code span: its fence is longer than any run of backticks inside. */
void markdown_code(struct lt_buf *out, const char *text);

/* Gates, and findings that are no causes. */
void markdown_rest(const struct record *rec, struct lt_buf *out);

/* A sweep. */
int markdown_sweep(const struct record *rec, struct lt_buf *out, struct lt_err *err);

/* Tables of threads, modules and queues of a libleat program; nothing for any other. */
void markdown_program(const struct record *rec, unsigned variant, struct lt_buf *out);

#endif
