/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Escaping, tables, and the files that the page is made with. */
#include "report/html.h"

#include <string.h>

#include "base/embed.h"
#include "report/page.h"

void html_text(struct lt_buf *out, const char *text)
{
	LT_AUTO_BUF struct lt_buf safe = { 0 };
	page_text(&safe, text, 0);
	for (const char *s = safe.data ? safe.data : ""; *s; s++) {
		switch (*s) {
		case '&':
			lt_buf_adds(out, "&amp;");
			break;
		case '<':
			lt_buf_adds(out, "&lt;");
			break;
		case '>':
			lt_buf_adds(out, "&gt;");
			break;
		case '"':
			lt_buf_adds(out, "&quot;");
			break;
		case '\'':
			lt_buf_adds(out, "&#39;");
			break;
		default:
			lt_buf_add(out, s, 1);
			break;
		}
	}
	out->failed = out->failed || safe.failed;
}

void html_grid(const struct grid *g, const char *id, struct lt_buf *out)
{
	size_t n = strlen(g->align);
	lt_buf_addf(out, "<div class=\"wide\"><table id=\"%s\">\n", id);
	for (size_t i = 0; i < g->n; i++) {
		size_t col = i % n;
		const char *cell = i < n ? "th" : "td";
		if (col == 0)
			lt_buf_adds(out, i == 0 ? "<thead><tr>" : i == n ? "<tbody><tr>" : "<tr>");
		lt_buf_addf(out, "<%s%s>", cell, g->align[col] == 'r' ? " class=\"num\"" : "");
		html_text(out, g->cells[i]);
		lt_buf_addf(out, "</%s>", cell);
		if (col + 1 == n)
			lt_buf_adds(out, i + 1 == n ? "</tr></thead>\n" : "</tr>\n");
	}
	lt_buf_adds(out, g->n > n ? "</tbody></table></div>\n" : "</table></div>\n");
	out->failed = out->failed || g->failed;
}

LT_EMBED(html_uplot_js, LEAT_CHARTS "/uplot.js");
LT_EMBED(html_uplot_css, LEAT_CHARTS "/uplot.css");
LT_EMBED(html_uplot_license, LEAT_CHARTS "/uplot.license");
LT_EMBED(html_why, LEAT_CHARTS "/why");
LT_EMBED(html_page_js, LEAT_PAGE "/page.js");
LT_EMBED(html_page_css, LEAT_PAGE "/page.css");

struct html_asset html_asset(enum html_assets which)
{
	switch (which) {
	case HTML_UPLOT_JS:
		return (struct html_asset){ html_uplot_js, html_uplot_js_end };
	case HTML_UPLOT_CSS:
		return (struct html_asset){ html_uplot_css, html_uplot_css_end };
	case HTML_UPLOT_LICENSE:
		return (struct html_asset){ html_uplot_license, html_uplot_license_end };
	case HTML_PAGE_JS:
		return (struct html_asset){ html_page_js, html_page_js_end };
	case HTML_PAGE_CSS:
		return (struct html_asset){ html_page_css, html_page_css_end };
	case HTML_WHY:
	case HTML_ASSETS:
		break;
	}
	return (struct html_asset){ html_why, html_why_end };
}
