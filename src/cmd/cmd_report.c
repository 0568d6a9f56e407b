/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `leat report FILE`: a saved record again, in any format. */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "cmd/cmd.h"
#include "cmd/files.h"
#include "cmd/options.h"
#include "cmd/output.h"
#include "report/report.h"

struct report_input {
	const char *file, *format;
	bool verbose;
	struct lt_err err;
};

static const struct argp_option options[] = {
	{ "format", 'f', "FORMAT", 0, "text (default), json, csv, markdown, html or parts", 0 },
	{ "verbose", 'v', NULL, 0, "Every metric with its spread, scope and source", 0 },
	{ 0 },
};

static const char doc[] =
	"Print a record that 'leat run --json FILE' or 'leat compare --json FILE' saved."
	"\v"
	"Examples:\n"
	"  leat report monday.json\n"
	"  leat report -f markdown monday.json > table.md";

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct report_input *in = state->input;
	switch (key) {
	case 'f':
		in->format = arg;
		return 0;
	case 'v':
		in->verbose = true;
		return 0;
	case ARGP_KEY_ARG:
		if (in->file)
			argp_error(state, "one file at a time, not also '%.80s'", arg);
		in->file = arg;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "no record file given");
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int print(const struct report_input *in, struct lt_err *err)
{
	const struct report *report = report_find(in->format);
	if (!report) {
		lt_err_set(err, -EINVAL, "LT-OPTION", "--format: no format '%.80s'", in->format);
		return lt_hint(err, "text, json, csv, markdown, html or parts");
	}
	LT_AUTO_RECORD struct record *rec = NULL;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	struct report_opts opts = { .verbose = in->verbose };
	int r = files_load(in->file, &rec, err);
	if (r >= 0)
		r = report->write(rec, &opts, &buf, err);
	if (r < 0)
		return r;
	if (buf.failed)
		return lt_fail_mem(err);
	return output_print(stdout, &buf, err);
}

static int report_run(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options, .parser = parse_option, .args_doc = "FILE", .doc = doc
	};
	struct report_input in = { .format = "text" };
	int code = cmd_options_parse(&argp, argc, argv, 0, &in, &in.err);
	if (code != CMD_OK)
		return code;
	return print(&in, &in.err) < 0 ? cmd_fail(&in.err, cmd_exit_of(&in.err)) : CMD_OK;
}

const struct cmd cmd_report = {
	.name = "report",
	.brief = "print a saved record again, in any format",
	.run = report_run,
};
