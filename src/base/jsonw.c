/* SPDX-License-Identifier: MIT */
/* The JSON writer. */
#include "base/jsonw.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"

static void add_text(struct lt_buf *out, const char *text)
{
	size_t left = strlen(text);
	lt_buf_adds(out, "\"");
	while (left) {
		unsigned char c = (unsigned char)*text;
		size_t n = lt_utf8_next(text, left, NULL);
		if (n == 0)
			lt_buf_adds(out, "\xef\xbf\xbd");
		else if (c == '"' || c == '\\')
			lt_buf_addf(out, "\\%c", c);
		else if (c < 0x20 || c == 0x7f)
			lt_buf_addf(out, "\\u%04x", c);
		else
			lt_buf_add(out, text, n);
		text += n ? n : 1;
		left -= n ? n : 1;
	}
	lt_buf_adds(out, "\"");
}

static void new_line(struct lt_jsonw *w)
{
	lt_buf_addf(w->out, "\n%*s", 2 * (int)w->depth, "");
}

/* What stands before a value: comma, line, key. */
static void begin(struct lt_jsonw *w, const char *key)
{
	if (w->depth) {
		struct lt_jsonw_level *l = &w->levels[w->depth - 1];
		if (l->any)
			lt_buf_adds(w->out, l->flat ? ", " : ",");
		if (!l->flat)
			new_line(w);
		l->any = true;
	}
	if (key) {
		add_text(w->out, key);
		lt_buf_adds(w->out, ": ");
	}
}

void lt_jsonw_open(struct lt_jsonw *w, const char *key, char open, bool flat)
{
	begin(w, key);
	assert(w->depth < LT_JSONW_DEPTH);
	if (w->depth && w->levels[w->depth - 1].flat)
		flat = true;
	w->levels[w->depth++] =
		(struct lt_jsonw_level){ .close = open == '{' ? '}' : ']', .flat = flat };
	lt_buf_add(w->out, &open, 1);
}

void lt_jsonw_close(struct lt_jsonw *w)
{
	assert(w->depth > 0);
	struct lt_jsonw_level l = w->levels[--w->depth];
	if (l.any && !l.flat)
		new_line(w);
	lt_buf_add(w->out, &l.close, 1);
	if (!w->depth)
		lt_buf_adds(w->out, "\n");
}

void lt_jsonw_str(struct lt_jsonw *w, const char *key, const char *text)
{
	if (!text) {
		lt_jsonw_null(w, key);
		return;
	}
	begin(w, key);
	add_text(w->out, text);
}

void lt_jsonw_num(struct lt_jsonw *w, const char *key, double num)
{
	if (!isfinite(num)) {
		lt_jsonw_null(w, key);
		return;
	}
	if (fabs(num) <= 0x1p53 && num == (double)(int64_t)num) {
		lt_jsonw_int(w, key, (int64_t)num);
		return;
	}
	begin(w, key);
	size_t at = w->out->len;
	lt_buf_add_double(w->out, num);
	/* Beyond 2^53 a whole number still has to read as a real one. */
	if (!w->out->failed && !strpbrk(w->out->data + at, ".e"))
		lt_buf_adds(w->out, ".0");
}

void lt_jsonw_int(struct lt_jsonw *w, const char *key, int64_t num)
{
	begin(w, key);
	lt_buf_addf(w->out, "%" PRId64, num);
}

void lt_jsonw_bool(struct lt_jsonw *w, const char *key, bool b)
{
	begin(w, key);
	lt_buf_adds(w->out, b ? "true" : "false");
}

void lt_jsonw_null(struct lt_jsonw *w, const char *key)
{
	begin(w, key);
	lt_buf_adds(w->out, "null");
}
