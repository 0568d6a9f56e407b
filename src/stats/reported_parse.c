/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading "value ± spread" as tools print it. Works on the text alone: no strtod,
 * whose idea of a decimal point depends on the locale.
 */
#include "stats/reported.h"

#include <math.h>
#include <string.h>

/* A stretch of the text, such as a unit. */
struct span {
	const char *at;
	size_t len;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static void skip_blanks(const char **s)
{
	*s += strspn(*s, " \t");
}

/* Does the text go on with word? Then step over it. */
static bool take(const char **s, const char *word)
{
	const size_t len = strlen(word);

	if (strncmp(*s, word, len) != 0)
		return false;
	*s += len;
	return true;
}

static bool take_mark(const char **s)
{
	return take(s, "\u00b1") || take(s, "+-") || take(s, "+/-");
}

/* Digits before the point; commas must stand before groups of three. */
static bool take_whole(const char **s, long double *ret)
{
	size_t in_group = 0;
	bool commas = false;

	if (!is_digit(**s))
		return false;
	for (;; (*s)++) {
		if (is_digit(**s)) {
			*ret = *ret * 10 + (**s - '0');
			in_group++;
		} else if (**s == ',' && (commas ? in_group == 3 : in_group <= 3)) {
			commas = true;
			in_group = 0;
		} else {
			return !commas || in_group == 3;
		}
	}
}

/* A power of ten behind the digits; none if what follows is not one. */
static int take_exponent(const char **s)
{
	const char *p = *s + 1;
	int exponent = 0;

	if (**s != 'e' && **s != 'E')
		return 0;

	const bool negative = *p == '-';

	p += *p == '-' || *p == '+';
	if (!is_digit(*p))
		return 0;
	for (; is_digit(*p); p++)
		exponent = exponent < 10000 ? exponent * 10 + (*p - '0') : exponent;
	*s = p;
	return negative ? -exponent : exponent;
}

/* A number without sign: costs are positive and so are their spreads. */
static bool take_number(const char **s, double *ret)
{
	long double x = 0;
	int places = 0;

	if (!take_whole(s, &x))
		return false;
	if (**s == '.' && is_digit((*s)[1]))
		for ((*s)++; is_digit(**s); (*s)++) {
			x = x * 10 + (**s - '0');
			places++;
		}

	const int exponent = take_exponent(s) - places;

	*ret = (double)(exponent < 0 ? x / powl(10, -exponent) : x * powl(10, exponent));
	return isfinite(*ret);
}

static bool begins_word(const char *s)
{
	const char *p = s;
	const unsigned char c = (unsigned char)*s;

	/* Beyond ASCII for the sake of µ. */
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= 0x80 && !take_mark(&p));
}

/* A unit or the name of an event, several words long maybe. */
static struct span take_words(const char **s)
{
	struct span ret = { *s, 0 };

	skip_blanks(s);
	ret.at = *s;
	while (begins_word(*s)) {
		while (begins_word(*s) || is_digit(**s) || (**s && strchr("-_:/.", **s)))
			(*s)++;
		ret.len = (size_t)(*s - ret.at);
		skip_blanks(s);
	}
	return ret;
}

static bool same_unit(struct span a, struct span b)
{
	return a.len == 0 || b.len == 0 || (a.len == b.len && memcmp(a.at, b.at, a.len) == 0);
}

/* The mark and the spread, with their parentheses if there are. */
static bool take_spread(const char **s, struct span unit, struct stats_reported *ret)
{
	skip_blanks(s);

	const bool parentheses = take(s, "(");

	skip_blanks(s);
	if (!take_mark(s))
		return false;
	skip_blanks(s);
	if (!take_number(s, &ret->spread))
		return false;
	skip_blanks(s);
	ret->spread_is_percent = take(s, "%");
	if (!same_unit(unit, take_words(s)))
		return false;
	skip_blanks(s);
	return !parentheses || take(s, ")");
}

bool stats_reported_parse(const char *s, struct stats_reported *ret)
{
	struct stats_reported r = { .kind = STATS_SPREAD_SE };
	struct stats_reported again = r;
	struct span unit;

	skip_blanks(&s);
	if (!take_number(&s, &r.value) || !(r.value > 0))
		return false;
	unit = take_words(&s);

	/* perf stat's remark, up to the parenthesis of the spread. */
	if (*s == '#')
		s += strcspn(s, "(");
	if (!take_spread(&s, unit, &r))
		return false;
	skip_blanks(&s);

	/* "0.0123 +- 0.0001 seconds time elapsed  ( +-  0.81% )": the same spread twice. */
	if (*s == '(' && (!take_spread(&s, unit, &again) || !again.spread_is_percent))
		return false;
	s += strspn(s, " \t\r\n");
	if (*s != '\0')
		return false;
	*ret = r;
	return true;
}
