/* SPDX-License-Identifier: MIT */
/* Text to numbers for option values: the whole text must be the number, in range, finite;
 * the error names `what`, the text and what was expected. */
#ifndef BASE_PARSE_H
#define BASE_PARSE_H

#include <stdint.h>

#include "base/err.h"

int lt_parse_u64(const char *text, const char *what, uint64_t min, uint64_t max, uint64_t *ret,
	struct lt_err *err);

/* "1.5", "30s", "200ms", "50us", "2m", "1h" in seconds; a bare number is seconds. > 0. */
int lt_parse_duration_ns(const char *text, const char *what, int64_t *ret_ns, struct lt_err *err);

/* "1%", "0.5 %" or "0.01" as a fraction, 0 < value < 10. */
int lt_parse_fraction(const char *text, const char *what, double *ret, struct lt_err *err);

int lt_parse_double(const char *text, const char *what, double *ret, struct lt_err *err);

#endif
