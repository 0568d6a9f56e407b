/* SPDX-License-Identifier: MIT */
/* Strict number parsing for option values. */
#include "base/parse.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

static int fail_value(struct lt_err *err, const char *what, const char *text, const char *want)
{
	return lt_fail(err, -EINVAL, "LT-VALUE", "%s: '%.80s' is not %s", what, text, want);
}

/* A finite number at the start of text; *ret_rest is what follows it. */
static int number(const char *text, double *ret, const char **ret_rest)
{
	char *end;
	if (!isdigit((unsigned char)text[0]) && text[0] != '.' && text[0] != '-' && text[0] != '+')
		return -EINVAL;  /* no "nan", "inf" or leading blanks */
	if (strpbrk(text, "xX")) /* nor hexadecimal ones */
		return -EINVAL;
	errno = 0;
	double v = strtod(text, &end);
	if (end == text || !isfinite(v) || errno == ERANGE)
		return -EINVAL;
	*ret = v;
	*ret_rest = end;
	return 0;
}

static const char *skip_blanks(const char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	return s;
}

int lt_parse_u64(const char *text, const char *what, uint64_t min, uint64_t max, uint64_t *ret,
	struct lt_err *err)
{
	char *end;
	if (!isdigit((unsigned char)text[0]))
		return fail_value(err, what, text, "a whole number");
	errno = 0;
	unsigned long long v = strtoull(text, &end, 10);
	if (*end)
		return fail_value(err, what, text, "a whole number");
	if (errno == ERANGE || v < min || v > max)
		return lt_fail(err, -ERANGE, "LT-VALUE", "%s: '%.80s' is not between %llu and %llu",
			what, text, (unsigned long long)min, (unsigned long long)max);
	*ret = v;
	return 0;
}

int lt_parse_double(const char *text, const char *what, double *ret, struct lt_err *err)
{
	const char *rest;
	double v;
	if (number(text, &v, &rest) < 0 || *rest)
		return fail_value(err, what, text, "a number");
	*ret = v;
	return 0;
}

int lt_parse_duration_ns(const char *text, const char *what, int64_t *ret_ns, struct lt_err *err)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {
		{ "", 1e9 },
		{ "s", 1e9 },
		{ "ms", 1e6 },
		{ "us", 1e3 },
		{ "ns", 1 },
		{ "m", 60e9 },
		{ "min", 60e9 },
		{ "h", 3600e9 },
	};
	static const char want[] = "a duration such as 30, 1.5s, 200ms or 2m";
	const char *rest;
	double v;
	if (number(text, &v, &rest) < 0)
		return fail_value(err, what, text, want);
	rest = skip_blanks(rest);
	for (size_t i = 0; i < LT_COUNT(units); i++) {
		if (strcmp(rest, units[i].name))
			continue;
		double ns = v * units[i].ns;
		if (!(ns >= 1) || ns > 1e18)
			return lt_fail(err, -ERANGE, "LT-VALUE",
				"%s: '%.80s' is not between 1 ns and 30 years", what, text);
		*ret_ns = (int64_t)ns;
		return 0;
	}
	return fail_value(err, what, text, want);
}

int lt_parse_fraction(const char *text, const char *what, double *ret, struct lt_err *err)
{
	static const char want[] = "a share such as 1% or 0.01";
	const char *rest;
	double v;
	if (number(text, &v, &rest) < 0)
		return fail_value(err, what, text, want);
	rest = skip_blanks(rest);
	if (!strcmp(rest, "%"))
		v /= 100;
	else if (*rest)
		return fail_value(err, what, text, want);
	if (!(v > 0) || v >= 10)
		return lt_fail(err, -ERANGE, "LT-VALUE",
			"%s: '%.80s' is not above 0 and below 1000 %%", what, text);
	*ret = v;
	return 0;
}
