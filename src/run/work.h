/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much work a run did: a constant, or a number in a line of its output. */
#ifndef RUN_WORK_H
#define RUN_WORK_H

#include <regex.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

struct work {
	double constant; /* 0 = not stated */
	bool matching;
	regex_t regex;
};

/* POSIX extended syntax; group 1, or the whole match without groups, is the number.
 * Errors: LT-WORK-REGEX with the library's own words. */
int work_open(struct work *w, double constant, const char *regex, struct lt_err *err);
void work_close(struct work *w);

/* Units of one run, from its output of `len` bytes, whatever they are, and a NUL behind
 * them; the last match counts.
 * 0 = no match, or a number that is not above 0. */
double work_of(const struct work *w, const char *output, size_t len);

#endif
