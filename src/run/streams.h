/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The three streams of the measured program: what it reads, where its output goes, and
 * what leat keeps of its talk. */
#ifndef RUN_STREAMS_H
#define RUN_STREAMS_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "run/digest.h"
#include "run/options.h"

enum {
	STREAMS_TALK = 4096,
	STREAMS_POLL = 2
};

#define STREAMS_NONE                                                                            \
	{                                                                                       \
		.null_fd = -1, .in_write = -1, .err_read = -1, .err_write = -1, .out_read = -1, \
		.out_write = -1, .out_file = -1                                                 \
	}

struct streams {
	const struct run_opts *opts;
	int null_fd;
	bool probe;   /* an empty stdin does not end until streams_end_stdin */
	int in_write; /* what keeps it from ending */
	int err_read,
		err_write; /* one pipe for all runs: leat's write end keeps it from hanging up */
	int out_read, out_write;     /* pipe or terminal, new for each run */
	int out_file;                /* unnamed file of RUN_STDOUT_FILE */
	bool keep;                   /* output is wanted afterwards: read it rather than drop it */
	struct lt_buf kept;          /* from the pipe or terminal, when wanted */
	char talk[STREAMS_TALK + 1]; /* the end of its stderr; a NUL behind it */
	size_t talk_len;
	char asked[8]; /* of its terminal: the begin of a question; a NUL behind it */
	size_t asked_len;
	double out_bytes;
	int64_t hung_up_ns; /* when its last writer closed stdout; 0 = not, or unseen */
};

int streams_open(struct streams *s, const struct run_opts *opts, struct lt_err *err);
void streams_close(struct streams *s);

/* Fresh streams for one run, in ret_fds; they are leat's and closed by _started. */
int streams_begin(struct streams *s, int ret_fds[3], struct lt_err *err);
void streams_started(struct streams *s, int fds[3]);

/* Ends a stdin that was kept open. */
void streams_end_stdin(struct streams *s);

/* What to poll while it runs; handle with _serve. Returns how many. */
int streams_poll(struct streams *s, struct pollfd on[STREAMS_POLL]);
void streams_serve(struct streams *s, const struct pollfd *on, int n);

/* After the run: empties what is left. */
void streams_end(struct streams *s);

/* The run's output, as far as it was kept (at most 64 MiB). Owner: the caller's buffer. */
int streams_output(struct streams *s, struct lt_buf *ret, struct lt_err *err);

/* Of all of the run's output, which has to go to a file: s->out_file >= 0. */
int streams_digest(struct streams *s, struct digest *ret, struct lt_err *err);

#endif
