/* SPDX-License-Identifier: MIT */
/* tools/make-capture: captures of real traffic shape for the router, its tests and its benches. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/parse.h"
#include "capture/args.h"
#include "capture/output.h"

static int make(const struct args *args, struct lt_err *err)
{
	static struct capture_packet packet;
	struct capture *capture;
	struct output output = { 0 };
	int r = capture_new(&args->capture, &capture, err);
	if (r < 0)
		return r;
	r = output_open(&output, args, err);
	while (r == 0 && capture_next(capture, &packet))
		r = output_packet(&output, &packet, err);
	capture_free(capture);
	if (r == 0)
		r = output_commit(&output, err);
	output_close(&output);
	return r;
}

int main(int argc, char **argv)
{
	struct args args;
	struct lt_err err = { 0 };
	int r = args_parse(&args, argc, argv, &err);
	bool usage = r < 0;
	if (r == 0)
		r = make(&args, &err);
	args_done(&args);
	if (r == 0)
		return 0;
	fprintf(stderr, "make-capture: error: %s\n", err.text);
	if (err.hint[0])
		fprintf(stderr, "make-capture: %s\n", err.hint);
	return usage ? 2 : 5;
}
