/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells of CSV, quoted as in RFC 4180. Inside this room only. */
#ifndef REPORT_CSV_H
#define REPORT_CSV_H

#include "base/buf.h"

void csv_cell(struct lt_buf *out, const char *text);

/* Readable back to the same bits; what is not finite is an empty cell. */
void csv_num(struct lt_buf *out, double num);

#endif
