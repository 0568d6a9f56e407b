/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the reports of a verb go. Files are opened before anything is measured, so that an
 * unwritable one costs no time, and appear only when they are whole. */
#ifndef CMD_OUTPUT_H
#define CMD_OUTPUT_H

#include <stdio.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/outfile.h"
#include "cmd/options.h"
#include "record/record.h"

enum {
	OUTPUT_FILES = 4
};

struct output {
	struct lt_outfile files[OUTPUT_FILES];
	int on_stdout; /* the one that is "-" takes the place of the text; -1 = none */
	bool quiet, verbose;
	bool first_done;
	FILE *text; /* where the text report goes */
};

#define OUTPUT_NONE                                                                              \
	{                                                                                        \
		.files = { LT_OUTFILE_NONE, LT_OUTFILE_NONE, LT_OUTFILE_NONE, LT_OUTFILE_NONE }, \
		.on_stdout = -1                                                                  \
	}

/* Also opens the signals of `o`: from here on there is something to clean up, and none may come
 * between. */
int output_open(struct output *out, struct cmd_options *o, struct lt_err *err);

/* The first half of a sweep's text, where the text is what is shown; output_write then leaves
 * it out. */
int output_first(struct output *out, const struct record *rec, struct lt_err *err);
int output_write(struct output *out, const struct record *rec, struct lt_err *err);
void output_close(struct output *out);

/* A report onto a stream, whole or not without an error. */
int output_print(FILE *to, const struct lt_buf *buf, struct lt_err *err);

#endif
