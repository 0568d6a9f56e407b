/* SPDX-License-Identifier: GPL-2.0-or-later */
/* render FORMAT [-v] FILE: prints a saved record as any report, for the golden tests. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "record/record_json.h"
#include "report/report.h"

static int render(const char *format, bool verbose, const char *file, struct lt_err *err)
{
	const struct report *report = report_find(format);
	if (!report)
		return lt_fail(err, -EINVAL, "LT-FORMAT", "no format '%s'", format);
	LT_AUTO_CLOSE int fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return lt_fail_sys(err, "LT-OPEN", "cannot open '%s'", file);
	LT_AUTO_BUF struct lt_buf in = { 0 }, out = { 0 };
	LT_AUTO_RECORD struct record *rec = NULL;
	struct report_opts opts = { .verbose = verbose };
	int r = lt_buf_read_fd(&in, fd, file, RECORD_MAX_BYTES, err);
	if (r >= 0)
		r = record_load_json(in.data, in.len, file, &rec, err);
	if (r >= 0)
		r = report->write(rec, &opts, &out, err);
	if (r >= 0 && out.len)
		fwrite(out.data, 1, out.len, stdout);
	return r;
}

int main(int argc, char **argv)
{
	struct lt_err err = { 0 };
	bool verbose = argc == 4 && !strcmp(argv[2], "-v");
	if (argc != (verbose ? 4 : 3)) {
		fprintf(stderr, "usage: render FORMAT [-v] FILE\n");
		return 2;
	}
	if (render(argv[1], verbose, argv[argc - 1], &err) < 0) {
		fprintf(stderr, "render: %s\n", err.text);
		return 1;
	}
	return fflush(stdout) == 0 ? 0 : 1;
}
