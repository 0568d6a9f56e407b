/* SPDX-License-Identifier: MIT */
/* Reading the text of a packet. */
#include <string.h>

#include "router/node/class_app.h"

bool class_skip(struct class_text *t, const char *what)
{
	size_t len = strlen(what);
	if ((size_t)(t->end - t->p) < len || memcmp(t->p, what, len))
		return false;
	t->p += len;
	return true;
}

bool class_skip_any_case(struct class_text *t, const char *what)
{
	const char *p = t->p;
	for (; *what; what++, p++) {
		if (p == t->end)
			return false;
		char c = *p >= 'a' && *p <= 'z' ? (char)(*p - 'a' + 'A') : *p;
		if (c != *what)
			return false;
	}
	t->p = p;
	return true;
}

bool class_number(struct class_text *t, unsigned most, unsigned *ret)
{
	unsigned value = 0;
	const char *p = t->p;
	for (; p < t->end && *p >= '0' && *p <= '9'; p++) {
		value = value * 10 + (unsigned)(*p - '0');
		if (value > most)
			return false;
	}
	if (p == t->p)
		return false;
	t->p = p;
	*ret = value;
	return true;
}

bool class_line(struct class_text *t, struct class_text *ret_line, bool *ret_whole)
{
	if (t->p == t->end)
		return false;
	const char *newline = memchr(t->p, '\n', (size_t)(t->end - t->p));
	const char *end = newline ? newline : t->end;
	*ret_whole = newline != NULL;
	*ret_line = (struct class_text){ t->p, end };
	t->p = newline ? newline + 1 : t->end;
	if (ret_line->end > ret_line->p && ret_line->end[-1] == '\r')
		ret_line->end--;
	return true;
}

bool class_has(const struct class_text *line, const char *what)
{
	return memmem(line->p, (size_t)(line->end - line->p), what, strlen(what)) != NULL;
}
