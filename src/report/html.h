/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces of an HTML page. Inside this room only. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "base/buf.h"
#include "record/record.h"
#include "report/grid.h"

/* Text that a browser takes literally, also in an attribute. */
void html_text(struct lt_buf *out, const char *text);

/* A table whose first row is the header; columns aligned 'r' are of class "num". */
void html_grid(const struct grid *g, const char *id, struct lt_buf *out);

/* What is embedded: bytes up to the end. */
struct html_asset {
	const char *begin, *end;
};

/* The chart library with its style and licence, the page's own style and script. */
enum html_assets {
	HTML_UPLOT_JS,
	HTML_UPLOT_CSS,
	HTML_UPLOT_LICENSE,
	HTML_PAGE_JS,
	HTML_PAGE_CSS,
	HTML_WHY, /* why the chart library is missing; empty when it is there */
	HTML_ASSETS,
};
struct html_asset html_asset(enum html_assets which);

/* The numbers that the charts of a sweep are drawn from, as JSON that may stand in a page. */
void html_charts(const struct record *rec, struct lt_buf *out);

#endif
