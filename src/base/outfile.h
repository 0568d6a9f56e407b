/* SPDX-License-Identifier: MIT */
/* A file that appears whole or not at all: written beside its name, then renamed. */
#ifndef BASE_OUTFILE_H
#define BASE_OUTFILE_H

#include "base/buf.h"
#include "base/err.h"

struct lt_outfile {
	int fd;      /* -1 when not open */
	char *path;  /* where it will appear */
	char *other; /* the name it has until then */
};

#define LT_OUTFILE_NONE  \
	{                \
		.fd = -1 \
	}

/* Opens the file beside `path`, so that an unwritable place is known before any work is
 * done. A path that exists and is not a regular file (a pipe, a terminal, the null device)
 * is written in place. Errors: LT-OUTPUT with errno. */
int lt_outfile_open(struct lt_outfile *out, const char *path, struct lt_err *err);

/* Writes it all, gives it its mode and renames. On failure nothing is left behind. */
int lt_outfile_commit(struct lt_outfile *out, const struct lt_buf *bytes, struct lt_err *err);

/* Drops an open file; harmless after commit. */
void lt_outfile_close(struct lt_outfile *out);

/* Writes all of it, going on after interruptions and short writes. */
int lt_write_all(int fd, const void *bytes, size_t len, struct lt_err *err);

#endif
