/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing reports to files and to the terminal. */
#include "cmd/output.h"

#include <string.h>

#include "report/report.h"

static const char *const formats[OUTPUT_FILES] = { "json", "csv", "markdown", "html" };

int output_open(struct output *out, struct cmd_options *o, struct lt_err *err)
{
	int r = signals_open(&o->signals, err);
	if (r < 0)
		return r;
	const char *const paths[OUTPUT_FILES] = { o->json, o->csv, o->markdown, o->html };
	out->quiet = o->quiet;
	out->verbose = o->verbose;
	out->text = stdout;
	for (int i = 0; i < OUTPUT_FILES; i++)
		for (int k = 0; k < i && paths[i]; k++)
			if (paths[k] && strcmp(paths[i], "-") && !strcmp(paths[i], paths[k]))
				return lt_fail(err, -EINVAL, "LT-OUTPUT",
					"two reports would go to '%.200s'", paths[i]);
	for (int i = 0; i < OUTPUT_FILES; i++) {
		const struct report *report = report_find(formats[i]);
		const char *missing = paths[i] && report->missing ? report->missing() : NULL;
		if (missing)
			return lt_fail(err, -ENOTSUP, "LT-OUTPUT", "this leat cannot write %s: %s",
				formats[i], missing);
		bool dash =
			paths[i] && (!strcmp(paths[i], "-") || !strcmp(paths[i], "/dev/stdout"));
		if (dash && out->on_stdout >= 0)
			return lt_fail(
				err, -EINVAL, "LT-OUTPUT", "only one report can go to stdout");
		if (dash)
			out->on_stdout = i;
		r = paths[i] && !dash ? lt_outfile_open(&out->files[i], paths[i], err) : 0;
		if (r < 0)
			return r;
	}
	return 0;
}

static int make(const char *format, bool verbose, enum report_part part, const struct record *rec,
	struct lt_buf *buf, struct lt_err *err)
{
	struct report_opts opts = { .verbose = verbose, .part = part };
	int r = report_find(format)->write(rec, &opts, buf, err);
	return r < 0 || !buf->failed ? r : lt_fail_mem(err);
}

int output_print(FILE *to, const struct lt_buf *buf, struct lt_err *err)
{
	bool whole = fwrite(buf->data ? buf->data : "", 1, buf->len, to) == buf->len;
	return fflush(to) == 0 && whole ? 0
					: lt_fail_sys(err, "LT-OUTPUT", "cannot write the report");
}

int output_first(struct output *out, const struct record *rec, struct lt_err *err)
{
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	if (out->quiet || out->on_stdout >= 0)
		return 0;
	out->first_done = true;
	int r = make("text", out->verbose, REPORT_FIRST, rec, &buf, err);
	return r < 0 ? r : output_print(out->text, &buf, err);
}

int output_write(struct output *out, const struct record *rec, struct lt_err *err)
{
	int r = 0;
	/* Files first: stdout may be a pipe that nobody reads, and its signal our end. */
	for (int i = 0; i < OUTPUT_FILES && r >= 0; i++) {
		LT_AUTO_BUF struct lt_buf buf = { 0 };
		if (out->files[i].fd < 0)
			continue;
		r = make(formats[i], true, REPORT_WHOLE, rec, &buf, err);
		if (r >= 0)
			r = lt_outfile_commit(&out->files[i], &buf, err);
	}
	if (r < 0 || (out->quiet && out->on_stdout < 0))
		return r;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	bool text = out->on_stdout < 0;
	r = make(text ? "text" : formats[out->on_stdout], text ? out->verbose : true,
		text && out->first_done ? REPORT_REST : REPORT_WHOLE, rec, &buf, err);
	return r < 0 ? r : output_print(text ? out->text : stdout, &buf, err);
}

void output_close(struct output *out)
{
	for (size_t i = 0; i < OUTPUT_FILES; i++)
		lt_outfile_close(&out->files[i]);
}
