/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Harmless text and line breaks. */
#include "report/page.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* Control characters, line and paragraph separators, and those that turn the direction. */
static bool obeyed(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x200e && c <= 0x200f) ||
		(c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

/* The next character of `text` as it is shown; returns its bytes in the text. */
static size_t next_shown(const char *text, char shown[16], size_t *ret_columns)
{
	uint32_t c = 0;
	size_t n = lt_utf8_next(text, strnlen(text, 4), &c);
	if (n == 0)
		snprintf(shown, 16, "\\x%02x", (unsigned char)*text);
	else if (c == 0xa0)
		snprintf(shown, 16, " ");
	else if (obeyed(c))
		snprintf(shown, 16, c < 0x100 ? "\\x%02x" : "\\u%04x", c);
	else {
		memcpy(shown, text, n);
		shown[n] = '\0';
		*ret_columns = 1;
		return n;
	}
	*ret_columns = strlen(shown);
	return n ? n : 1;
}

size_t page_text(struct lt_buf *out, const char *text, size_t max)
{
	char shown[16];
	size_t used = 0, columns = 0;
	size_t fits = out->len; /* where the text may be cut */
	for (const char *s = text; *s;) {
		s += next_shown(s, shown, &columns);
		if (max && used + columns > max) {
			if (!out->failed)
				out->len = fits;
			lt_buf_adds(out, "...");
			return max;
		}
		lt_buf_adds(out, shown);
		used += columns;
		if (used + 3 <= max)
			fits = out->len;
	}
	return used;
}

void page_blanks(struct lt_buf *out, size_t n)
{
	lt_buf_addf(out, "%*s", (int)n, "");
}

void page_wrap(
	struct lt_buf *out, const char *first, const char *rest, unsigned width, const char *text)
{
	char shown[16];
	size_t columns = 0;
	lt_buf_adds(out, first);
	const char *line = strrchr(first, '\n');
	size_t used = strlen(line ? line + 1 : first);
	bool empty = true; /* nothing but the lead on this line */
	for (const char *s = text; *s;) {
		s += strspn(s, " ");
		size_t word = 0;
		const char *end = s;
		while (*end && *end != ' ') {
			end += next_shown(end, shown, &columns);
			word += columns;
		}
		if (!word)
			break;
		if (!empty && used + 1 + word > width) {
			lt_buf_addf(out, "\n%s", rest);
			used = strlen(rest);
			empty = true;
		}
		if (!empty) {
			lt_buf_adds(out, " ");
			used++;
		}
		while (s < end) {
			s += next_shown(s, shown, &columns);
			/* Only a word longer than a line gets here with the line full. */
			if (!empty && used + columns > width) {
				lt_buf_addf(out, "\n%s", rest);
				used = strlen(rest);
			}
			lt_buf_adds(out, shown);
			used += columns;
			empty = false;
		}
	}
	lt_buf_adds(out, "\n");
}
