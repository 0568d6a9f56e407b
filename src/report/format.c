/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scales, digits, thousands. */
#include "report/format.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/own.h"
#include "report/page.h"

struct scale {
	double from; /* smallest magnitude shown on it; ascending, the first also below */
	double div;
	const char *prefix;
};

static const struct scale times[] = { { 0, 1, "ns" }, { 1e3, 1e3, "µs" }, { 1e6, 1e6, "ms" },
	{ 1e9, 1e9, "s" }, {} };
static const struct scale sizes[] = { { 0, 1, "B" }, { 0x1p10, 0x1p10, "KiB" },
	{ 0x1p20, 0x1p20, "MiB" }, { 0x1p30, 0x1p30, "GiB" }, { 0x1p40, 0x1p40, "TiB" }, {} };
static const struct scale energies[] = { { 0, 1, "µJ" }, { 1e3, 1e3, "mJ" }, { 1e6, 1e6, "J" },
	{ 1e9, 1e9, "kJ" }, {} };
static const struct scale counts[] = { { 0, 1, "" }, { 1e7, 1e6, "M" }, { 1e9, 1e9, "G" },
	{ 1e12, 1e12, "T" }, {} };
static const struct scale plain[] = { { 0, 1, "" }, {} };

static const struct {
	const char *unit;
	const struct scale *scales;
} units[] = {
	{ "ns", times },
	{ "bytes", sizes },
	{ "uJ", energies },
	{ "count", counts },
	{ "ratio", plain },
};

struct view {
	const struct scale *scale;
	const char *unit; /* written after the prefix; "" when the prefix says it all */
	int decimals;
};

/* At most six digits in all, at least two; three where nothing says how many. */
static int decimals_for(double x, double half)
{
	if (!isfinite(x))
		return 0;
	/* What rounds up to one digit more has it: 9.999 is 10.0. */
	int whole = x == 0 ? 1 : (int)floor(log10(fabs(x)) + 0.0002) + 1;
	int most = 6 - whole, least = 2 - whole, want = 3 - whole;
	if (half >= DBL_MIN && isfinite(half))
		want = (int)ceil(-log10(half / 2));
	want = want > most ? most : want < least ? least : want;
	return want < 0 ? 0 : want > 9 ? 9 : want;
}

static struct view view_of(const char *unit, double ref, double x, double half)
{
	struct view v = { counts, unit, 0 };
	for (size_t i = 0; i < LT_COUNT(units); i++)
		if (!strcmp(units[i].unit, unit)) {
			v.scale = units[i].scales;
			v.unit = "";
		}
	/* A change may be next to nothing beside its interval. */
	if (half > fabs(ref) && isfinite(half))
		ref = half;
	/* What rounds up to the next scale belongs there: 999.9 ms is 1 s. */
	while (v.scale[1].prefix && fabs(ref) >= v.scale[1].from * 0.9995)
		v.scale++;
	x /= v.scale->div;
	bool exact = !(half > 0) && v.scale->div == 1 && x == floor(x);
	v.decimals = exact ? 0 : decimals_for(x, half / v.scale->div);
	return v;
}

/* "-12,345.6" */
static void put_number(char *to, size_t size, double x, int decimals)
{
	char digits[40];
	if (!isfinite(x)) {
		snprintf(to, size, "n/a");
		return;
	}
	if (fabs(x) >= 1e15) {
		snprintf(to, size, "%.3g", x);
		return;
	}
	snprintf(digits, sizeof(digits), "%.*f", decimals, x);
	const char *d = digits;
	size_t used = 0;
	if (*d == '-') {
		/* No "-0.0": the sign of nothing is noise. */
		if (strspn(d + 1, "0.") != strlen(d + 1))
			to[used++] = '-';
		d++;
	}
	size_t whole = strcspn(d, ".");
	for (size_t i = 0; d[i] && used + 3 < size; i++) {
		if (i && i < whole && (whole - i) % 3 == 0)
			to[used++] = ',';
		to[used++] = d[i];
	}
	to[used] = '\0';
}

struct format format_beside(const char *unit, double ref, double x, double half)
{
	struct format f = { "" };
	char number[40];
	if (!isfinite(x)) {
		snprintf(f.s, sizeof(f.s), "n/a");
		return f;
	}
	struct view v = view_of(unit, ref, x, half);
	put_number(number, sizeof(number), x / v.scale->div, v.decimals);
	const char *gap = *v.scale->prefix || *v.unit ? PAGE_TIE : "";
	snprintf(f.s, sizeof(f.s), "%s%s%s%.16s", number, gap, v.scale->prefix, v.unit);
	return f;
}

struct format format_value(const char *unit, double x, double half)
{
	return format_beside(unit, x, x, half);
}

struct format format_change(const char *unit, double x, double half)
{
	struct format v = format_value(unit, x, half), f = { "" };
	snprintf(f.s, sizeof(f.s), "%s%.60s", x > 0 ? "+" : "", v.s);
	return f;
}

struct format format_range(const char *unit, double x, double half, double lo, double hi)
{
	struct format f = { "" };
	char from[26], to[26];
	struct view v = view_of(unit, x, x, half);
	put_number(from, sizeof(from), lo / v.scale->div, v.decimals);
	put_number(to, sizeof(to), hi / v.scale->div, v.decimals);
	snprintf(f.s, sizeof(f.s), "%s" PAGE_TIE ".." PAGE_TIE "%s", from, to);
	return f;
}

/* Digits it takes to tell `x` from 1. */
static int decimals_off_one(double x)
{
	double off = fabs(x - 1);
	return off > 1e-6 ? (int)ceil(-log10(off)) : 0;
}

static int ratio_decimals(double x, double lo, double hi)
{
	if (!isfinite(x))
		return 3;
	bool bounded = isfinite(lo) && isfinite(hi);
	int n = decimals_for(x, bounded ? fmax(hi - x, x - lo) : NAN);
	if (bounded && decimals_off_one(lo) > n)
		n = decimals_off_one(lo);
	if (bounded && decimals_off_one(hi) > n)
		n = decimals_off_one(hi);
	return n < 3 && fabs(x) < 100 ? 3 : n > 6 ? 6 : n;
}

struct format format_ratio(double x, double lo, double hi)
{
	struct format f = { "" };
	put_number(f.s, sizeof(f.s), x, ratio_decimals(x, lo, hi));
	return f;
}

struct format format_ratio_range(double x, double lo, double hi)
{
	struct format f = { "" };
	char from[26], to[26];
	int decimals = ratio_decimals(x, lo, hi);
	put_number(from, sizeof(from), lo, decimals);
	put_number(to, sizeof(to), hi, decimals);
	snprintf(f.s, sizeof(f.s), "%s" PAGE_TIE ".." PAGE_TIE "%s", from, to);
	return f;
}

/* Two digits, and none that is a trailing zero: 0.69 %, 8.8 %, 5 %. */
struct format format_percent(double share)
{
	struct format f = { "" };
	char number[40];
	double x = fabs(100 * share);
	if (x > 0 && x < 0.0005) {
		snprintf(f.s, sizeof(f.s), "<" PAGE_TIE "0.001" PAGE_TIE "%%");
		return f;
	}
	int decimals = x >= 9.95 ? 0 : x >= 0.995 ? 1 : x >= 0.0995 ? 2 : 3;
	put_number(number, sizeof(number), 100 * share, decimals);
	char *end = number + strlen(number);
	while (strchr(number, '.') && (end[-1] == '0' || end[-1] == '.')) {
		bool point = *--end == '.';
		*end = '\0';
		if (point)
			break;
	}
	snprintf(f.s, sizeof(f.s), "%s" PAGE_TIE "%%", number);
	return f;
}

struct format format_count(double n)
{
	struct format f = { "" };
	put_number(f.s, sizeof(f.s), n, isfinite(n) && n != floor(n) ? 1 : 0);
	return f;
}

const char *format_plural(double n, const char *word, size_t len)
{
	if (n == 1)
		return "";
	return len > 0 && word[len - 1] == 's' ? "es" : "s";
}

struct format format_p(double p)
{
	struct format f = { "" };
	if (!isfinite(p))
		snprintf(f.s, sizeof(f.s), "p" PAGE_TIE "n/a");
	else if (p < 0.0001)
		snprintf(f.s, sizeof(f.s), "p" PAGE_TIE "<" PAGE_TIE "0.0001");
	else
		snprintf(f.s, sizeof(f.s), "p" PAGE_TIE "=" PAGE_TIE "%.2g", p);
	return f;
}
