/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers for people: prefixes, units, and as many digits as the interval is worth. */
#ifndef REPORT_FORMAT_H
#define REPORT_FORMAT_H

#include <stddef.h>

/* A short text by value, so that it can stand in an argument list. */
struct format {
	char s[64];
};

/* Number and unit are joined by PAGE_TIE, which page_text shows as a blank. */

/* "1.234 s", "12.3 µs", "1.2 MiB", "12,345". `half` is half the width of the interval in
 * the same unit; NAN or 0 when there is none. What is not finite is "n/a". */
struct format format_value(const char *unit, double x, double half);

/* The same on the scale of `ref`, for a number that stands beside it. */
struct format format_beside(const char *unit, double ref, double x, double half);

/* The same with a sign: "+1.2 ms". */
struct format format_change(const char *unit, double x, double half);

/* "1.229 .. 1.239", on the scale and with the digits that format_value(unit, x, half)
 * uses. */
struct format format_range(const char *unit, double x, double half, double lo, double hi);

/* "0.912" and "0.905 .. 0.919": as many digits as the interval is worth, at least three after
 * the point, and as many as it takes to see on which side of 1 it ends. lo and hi are NAN
 * when there is no interval. */
struct format format_ratio(double x, double lo, double hi);
struct format format_ratio_range(double x, double lo, double hi);

/* 0.0042 is "0.4 %". */
struct format format_percent(double share);

/* "12,345" */
struct format format_count(double n);

/* What an English word of `len` bytes ends in behind that number: "", "s" or "es". */
const char *format_plural(double n, const char *word, size_t len);

/* "p = 0.08", "p < 0.0001" */
struct format format_p(double p);

#endif
