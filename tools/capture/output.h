/* SPDX-License-Identifier: MIT */
/* Where make-capture's packets go: a file for each NIC that packets come in by, or lines of text.
 */
#ifndef TOOLS_CAPTURE_OUTPUT_H
#define TOOLS_CAPTURE_OUTPUT_H

#include "base/buf.h"
#include "base/outfile.h"
#include "capture/args.h"
#include "router/io/writer.h"

struct output {
	const struct args *args;
	struct io_writer *writers[2]; /* inside, outside; the second only with answers */
	struct lt_outfile text;
	struct lt_buf lines;
};

int output_open(struct output *output, const struct args *args, struct lt_err *err);
int output_packet(struct output *output, const struct capture_packet *packet, struct lt_err *err);
int output_commit(struct output *output, struct lt_err *err);
void output_close(struct output *output);

#endif
