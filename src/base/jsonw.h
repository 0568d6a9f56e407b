/* SPDX-License-Identifier: MIT */
/* Writing JSON into a buffer: indented, members in the order they are written, every
 * number readable back to the same bits. */
#ifndef BASE_JSONW_H
#define BASE_JSONW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

enum {
	LT_JSONW_DEPTH = 8
};

/* Zeros and `out` make a writer; a failed allocation is remembered by `out`. */
struct lt_jsonw {
	struct lt_buf *out;
	unsigned depth;
	struct lt_jsonw_level {
		char close;
		bool flat; /* on one line with everything inside */
		bool any;  /* holds something already */
	} levels[LT_JSONW_DEPTH];
};

/* `key` is NULL for the outermost value and in arrays. `open` is '{' or '['. */
void lt_jsonw_open(struct lt_jsonw *w, const char *key, char open, bool flat);
void lt_jsonw_close(struct lt_jsonw *w);

/* NULL is written as null. Bytes that are no UTF-8 become U+FFFD. */
void lt_jsonw_str(struct lt_jsonw *w, const char *key, const char *text);
/* Whole numbers up to 2^53 as such; what is not finite as null. */
void lt_jsonw_num(struct lt_jsonw *w, const char *key, double num);
void lt_jsonw_int(struct lt_jsonw *w, const char *key, int64_t num);
void lt_jsonw_bool(struct lt_jsonw *w, const char *key, bool b);
void lt_jsonw_null(struct lt_jsonw *w, const char *key);

#endif
