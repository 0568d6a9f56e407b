/* SPDX-License-Identifier: MIT */
/* Small questions about text. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <string.h>

/* The same text, or no text both. */
static inline bool lt_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* What follows the next `parting` of a list such as "a,b,c"; NULL at its last item. */
static inline const char *lt_next_item(const char *item, char parting)
{
	const char *end = strchr(item, parting);
	return end ? end + 1 : NULL;
}

#endif
