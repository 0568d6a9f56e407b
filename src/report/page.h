/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of text for a terminal. Texts in a record may come from anywhere, so whatever a
 * terminal would obey is shown as an escape; widths count characters, not bytes. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stddef.h>

#include "base/buf.h"

/* Between a number and its unit: no line breaks there, and it is shown as a blank. */
#define PAGE_TIE "\xc2\xa0"

/* Appends the text made harmless; cut to `max` columns, ending in "...", unless max is 0.
 * Returns the columns used. */
size_t page_text(struct lt_buf *out, const char *text, size_t max);

/* A paragraph broken at blanks: the first line behind `first`, the others behind `rest`,
 * none longer than `width` where words allow. */
void page_wrap(
	struct lt_buf *out, const char *first, const char *rest, unsigned width, const char *text);

void page_blanks(struct lt_buf *out, size_t n);

#endif
