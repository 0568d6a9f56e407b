/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of the Markdown report. Inside this room only. */
#ifndef REPORT_MARKDOWN_H
#define REPORT_MARKDOWN_H

#include "base/buf.h"
#include "record/record.h"

/* Tables of threads, modules and queues of a libleat program; nothing for any other. */
void markdown_program(const struct record *rec, unsigned variant, struct lt_buf *out);

#endif
