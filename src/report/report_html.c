/* SPDX-License-Identifier: GPL-2.0-or-later */
/* HTML: one page that needs nothing else, no network and no other file. What it says is text
 * and tables; a sweep has charts besides, drawn by the chart library that is part of it. */
#include <string.h>

#include "report/html.h"
#include "report/report.h"
#include "report/scale_grids.h"
#include "report/scale_sentences.h"
#include "report/sentences.h"

static void put_asset(struct lt_buf *out, enum html_assets which)
{
	struct html_asset a = html_asset(which);
	lt_buf_add(out, a.begin, (size_t)(a.end - a.begin));
}

static const char *html_missing(void)
{
	struct html_asset why = html_asset(HTML_WHY);
	return why.begin < why.end ? why.begin : NULL;
}

/* A sentence as a paragraph; nothing when it is empty. `kind` is its class, or NULL. */
static void say(const struct record *rec, const char *kind, struct lt_buf *out,
	void (*sentence)(const struct record *rec, struct lt_buf *line))
{
	LT_AUTO_BUF struct lt_buf line = { 0 };
	sentence(rec, &line);
	out->failed = out->failed || line.failed;
	if (!line.len)
		return;
	if (kind)
		lt_buf_addf(out, "<p class=\"%s\">", kind);
	else
		lt_buf_adds(out, "<p>");
	html_text(out, line.data);
	lt_buf_adds(out, "</p>\n");
}

static void put_table(const struct record *rec, const char *id, struct lt_buf *out,
	void (*fill)(const struct record *rec, struct grid *g))
{
	GRID_AUTO struct grid g = { 0 };
	fill(rec, &g);
	html_grid(&g, id, out);
}

/* Where the script draws; without one the tables say the same. */
static void put_chart(const char *id, const char *what, struct lt_buf *out)
{
	lt_buf_addf(out, "<figure id=\"%s\" role=\"img\" aria-label=\"%s\"></figure>\n", id, what);
}

/* What was measured: a sweep's command, or all that were compared. */
static void put_commands(const struct record *rec, struct lt_buf *out)
{
	if (rec->scaling && rec->scaling->command) {
		html_text(out, rec->scaling->command);
		return;
	}
	for (size_t i = 0; i < rec->n_variants; i++) {
		const struct variant *v = &rec->variants[i];
		if (v->aa)
			continue;
		lt_buf_adds(out, i ? ", " : "");
		html_text(out, v->command ? v->command : v->name);
	}
}

static void put_head(const struct record *rec, struct lt_buf *out)
{
	lt_buf_adds(out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		"style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>leat ");
	html_text(out, rec->plan.verb ? rec->plan.verb : "");
	lt_buf_adds(out, ": ");
	put_commands(rec, out);
	lt_buf_adds(out, "</title>\n<style>\n");
	put_asset(out, HTML_UPLOT_CSS);
	lt_buf_adds(out, "\n");
	put_asset(out, HTML_PAGE_CSS);
	lt_buf_adds(out, "</style>\n</head>\n<body>\n<main>\n<h1><code>");
	put_commands(rec, out);
	lt_buf_adds(out, "</code></h1>\n");
}

static void put_curve(const struct record *rec, struct lt_buf *out)
{
	lt_buf_adds(out, "<section>\n");
	say(rec, "answer", out, scale_verdict);
	if (record_factor(rec, "threads") >= 0)
		put_chart("chart-curve", "Speed-up over threads, with intervals", out);
	put_table(rec, "curve", out, scale_grid_curve);
	say(rec, NULL, out, scale_basis);
	if (!rec->scaling->busy) {
		say(rec, NULL, out, scale_law);
		say(rec, NULL, out, scale_one_cpu);
	}
	lt_buf_adds(out, "</section>\n");
}

static void put_ledger(const struct record *rec, struct lt_buf *out)
{
	lt_buf_adds(out, "<section>\n<h2>Where the time went</h2>\n");
	say(rec, NULL, out, scale_loss);
	put_chart("chart-ledger", "Core time by part, stacked by what it was lost to", out);
	put_table(rec, "ledger", out, scale_grid_ledger);
	if (rec->ledger->n_used)
		put_chart("chart-used", "For how long so many cores were in use", out);
	say(rec, NULL, out, scale_used);
	lt_buf_adds(out, "</section>\n");
}

static void put_place(const struct finding_place *where, struct lt_buf *out)
{
	LT_AUTO_BUF struct lt_buf place = { 0 };
	if (where->role)
		lt_buf_addf(&place, "%s: ", where->role);
	scale_place(where, &place);
	lt_buf_adds(out, "<li>");
	html_text(out, place.data ? place.data : "");
	lt_buf_adds(out, "</li>\n");
	out->failed = out->failed || place.failed;
}

static void put_cause(const struct record *rec, const struct finding *f, struct lt_buf *out)
{
	LT_AUTO_BUF struct lt_buf line = { 0 };
	scale_cause(rec, f, &line);
	lt_buf_adds(out, "<li data-cause=\"");
	html_text(out, f->id);
	lt_buf_adds(out, "\">");
	html_text(out, line.data ? line.data : "");
	if (f->n_where)
		lt_buf_adds(out, "\n<ul>\n");
	for (size_t i = 0; i < f->n_where; i++)
		put_place(&f->where[i], out);
	if (f->n_where)
		lt_buf_adds(out, "</ul>\n");
	if (f->confirm) {
		lt_buf_adds(out, "<p>To confirm: ");
		html_text(out, f->confirm);
		lt_buf_adds(out, "</p>\n");
	}
	lt_buf_adds(out, "</li>\n");
	out->failed = out->failed || line.failed;
}

static void put_causes(const struct record *rec, struct lt_buf *out)
{
	bool any = false;
	for (size_t i = 0; i < rec->n_findings; i++) {
		if (!scale_is_cause(&rec->findings[i]))
			continue;
		if (!any)
			lt_buf_adds(out, "<section>\n<h2>Why</h2>\n<ul id=\"causes\">\n");
		any = true;
		put_cause(rec, &rec->findings[i], out);
	}
	if (any)
		lt_buf_adds(out, "</ul>\n</section>\n");
}

static void put_remedies(const struct record *rec, struct lt_buf *out)
{
	lt_buf_adds(out, "<section>\n<h2>What helps</h2>\n");
	say(rec, "answer", out, scale_remedies);
	for (size_t i = 0; i < rec->n_remedies; i++) {
		if (!rec->remedies[i].best || !rec->remedies[i].change)
			continue;
		lt_buf_adds(out, "<pre id=\"change\">");
		html_text(out, rec->remedies[i].change);
		lt_buf_adds(out, "</pre>\n");
	}
	put_chart("chart-remedies", "How many times faster with each remedy, with intervals", out);
	put_table(rec, "remedies", out, scale_grid_remedies);
	lt_buf_adds(out, "</section>\n");
}

static void put_sweep(const struct record *rec, struct lt_buf *out)
{
	put_curve(rec, out);
	if (rec->ledger)
		put_ledger(rec, out);
	put_causes(rec, out);
	if (rec->n_remedies)
		put_remedies(rec, out);
}

/* All there is to say, as on a terminal. */
static int put_text(const struct record *rec, struct lt_buf *out, struct lt_err *err)
{
	LT_AUTO_BUF struct lt_buf text = { 0 };
	const struct report_opts opts = { .verbose = true, .width = 100 };
	int r = report_find("text")->write(rec, &opts, &text, err);
	if (r < 0 || text.failed)
		return r < 0 ? r : lt_fail_mem(err);
	lt_buf_adds(out,
		rec->scaling ? "<details>\n<summary>The whole report</summary>\n<pre>" : "<pre>");
	for (char *line = text.data, *end; line && *line; line = end) {
		end = line + strcspn(line, "\n");
		bool more = *end != '\0';
		*end = '\0';
		html_text(out, line);
		lt_buf_adds(out, "\n");
		end += more;
	}
	lt_buf_adds(out, rec->scaling ? "</pre>\n</details>\n" : "</pre>\n");
	return 0;
}

static void put_scripts(const struct record *rec, struct lt_buf *out)
{
	lt_buf_adds(out, "<script type=\"application/json\" id=\"numbers\">\n");
	html_charts(rec, out);
	lt_buf_adds(out, "</script>\n<!-- uPlot, which draws the charts:\n\n");
	put_asset(out, HTML_UPLOT_LICENSE);
	lt_buf_adds(out, "-->\n<script>\n");
	put_asset(out, HTML_UPLOT_JS);
	lt_buf_adds(out, "\n</script>\n<script>\n");
	put_asset(out, HTML_PAGE_JS);
	lt_buf_adds(out, "</script>\n");
}

static int html_write(const struct record *rec, const struct report_opts *opts, struct lt_buf *out,
	struct lt_err *err)
{
	(void)opts;
	if (html_missing()) {
		lt_err_set(err, -ENOTSUP, "LT-HTML", "this leat cannot write HTML: %s",
			html_missing());
		return lt_hint(err, "build it again where npm and the network are there");
	}
	put_head(rec, out);
	if (rec->partial)
		say(rec, "partial", out, sentence_partial);
	if (rec->scaling)
		put_sweep(rec, out);
	int r = put_text(rec, out, err);
	if (r < 0)
		return r;
	lt_buf_adds(out, "</main>\n<footer>leat ");
	html_text(out, rec->version ? rec->version : "");
	lt_buf_adds(out, "</footer>\n");
	if (rec->scaling)
		put_scripts(rec, out);
	lt_buf_adds(out, "</body>\n</html>\n");
	return out->failed ? lt_fail_mem(err) : 0;
}

const struct report report_html = {
	.name = "html",
	.brief = "one page for a browser, with the charts of a sweep",
	.missing = html_missing,
	.write = html_write,
};
