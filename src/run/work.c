/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding the units of work in what a program printed. */
#include "run/work.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

int work_open(struct work *w, double constant, const char *regex, struct lt_err *err)
{
	*w = (struct work){ .constant = constant };
	if (!regex)
		return 0;
	if (!*regex)
		return lt_fail(err, -EINVAL, "LT-WORK-REGEX", "the regular expression is empty");
	int r = regcomp(&w->regex, regex, REG_EXTENDED | REG_NEWLINE);
	if (r != 0) {
		char why[128];
		regerror(r, &w->regex, why, sizeof(why));
		lt_err_set(err, -EINVAL, "LT-WORK-REGEX",
			"'%.200s' is not a regular expression: %s", regex, why);
		return lt_hint(err, "an extended one, such as 'packets: ([0-9]+)'");
	}
	w->matching = true;
	return 0;
}

void work_close(struct work *w)
{
	if (w->matching)
		regfree(&w->regex);
	w->matching = false;
}

/* "1,234,567" and "1.5e6" alike; 0 for anything else. */
static double number(const char *text, regoff_t len)
{
	char plain[64];
	size_t n = 0;
	for (regoff_t i = 0; i < len; i++) {
		if (text[i] == ',' || isspace((unsigned char)text[i]))
			continue;
		if (n + 1 == sizeof(plain))
			return 0; /* its first digits are another number */
		plain[n++] = text[i];
	}
	plain[n] = '\0';
	char *end;
	double v = strtod(plain, &end);
	return end != plain && *end == '\0' && isfinite(v) && v > 0 ? v : 0;
}

double work_of(const struct work *w, const char *output, size_t len)
{
	if (!w->matching)
		return w->constant;
	double found = 0;
	size_t at = 0;
	while (at <= len) {
		/* REG_STARTEND: the ends are given, so a zero byte is a byte like any other. */
		regmatch_t m[2] = { { .rm_so = (regoff_t)at, .rm_eo = (regoff_t)len } };
		if (regexec(&w->regex, output, 2, m, REG_STARTEND | (at ? REG_NOTBOL : 0)) != 0)
			break;
		regmatch_t num = w->regex.re_nsub > 0 && m[1].rm_so >= 0 ? m[1] : m[0];
		found = number(output + num.rm_so, num.rm_eo - num.rm_so);
		at = (size_t)m[0].rm_eo > at ? (size_t)m[0].rm_eo : at + 1;
	}
	return found;
}
