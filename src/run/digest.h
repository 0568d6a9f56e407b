/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is kept of a program's output to compare it with that of another run. Pure. */
#ifndef RUN_DIGEST_H
#define RUN_DIGEST_H

#include <stddef.h>
#include <stdint.h>

enum {
	DIGEST_LINES = 4096, /* distinct lines told apart */
	DIGEST_ROOM = 8192   /* for them, half of it gaps */
};

enum digest_state {
	DIGEST_TEXT,
	DIGEST_NUMBER,
	DIGEST_EXPONENT, /* an e that may belong to it */
	DIGEST_GAP,      /* blanks behind a number */
	DIGEST_UNIT,     /* the word behind a number */
};

/* Zeros, then digest_begin. */
struct digest {
	uint64_t all, line;
	double bytes;
	enum digest_state state;
	size_t in_line; /* bytes of the current line */
	size_t n_lines;
	uint64_t lines[DIGEST_ROOM]; /* a table with gaps: 0 = free */
};

void digest_begin(struct digest *d);
void digest_add(struct digest *d, const char *bytes, size_t len);

/* Of all bytes, never 0. */
uint64_t digest_hash(const struct digest *d);

/* Of the words, never 0: without numbers and the unit behind each, blanks, the order of lines
 * and their number. The same for a program that prints times, or whose threads print in
 * turns, however fast it was. */
uint64_t digest_text(const struct digest *d);

#endif
