/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every descriptor of every family owes, whoever wrote it. */
#ifndef CONTRACT_CONTRACT_H
#define CONTRACT_CONTRACT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

/* Fails and names the descriptor and what it owes. */
#define owes(cond, name, what)                                             \
	do {                                                               \
		if (!(cond))                                               \
			fail_msg("'%s': %s", (name) ? (name) : "?", what); \
	} while (0)

/* Lower case letters, digits and dashes, beginning with a letter, none at the end. */
static inline bool is_name(const char *s)
{
	if (!s || *s < 'a' || *s > 'z')
		return false;
	size_t len = strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789-");
	return s[len] == '\0' && s[len - 1] != '-' && len <= 32;
}

/* One line without a full stop, short enough for a list. */
static inline bool is_line(const char *s, size_t max)
{
	size_t len = s ? strlen(s) : 0;
	return len > 0 && len <= max && !strchr(s, '\n') && s[len - 1] != '.';
}

/* Whole sentences, for the manual. */
static inline bool is_prose(const char *s)
{
	size_t len = s ? strlen(s) : 0;
	return len > 1 && !strchr(s, '\n') && s[len - 1] == '.';
}

#endif
