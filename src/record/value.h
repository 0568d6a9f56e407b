/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A number and its state: missing is never zero. */
#ifndef RECORD_VALUE_H
#define RECORD_VALUE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum value_state {
	VALUE_UNAVAILABLE, /* no number; `reason` says why, `hint` what would help */
	VALUE_MEASURED,
	VALUE_INTEGRATED,
	VALUE_ESTIMATED,
};

struct value {
	enum value_state state;
	double num;         /* base units: ns, bytes, uJ or a count (exact to 2^53) */
	const char *reason; /* unavailable: why; else NULL, or what limits the number */
	const char *hint;   /* unavailable: what would make it available, or NULL */
};

/* A value with its interval. */
struct estimate {
	struct value value;
	double lo, hi; /* NAN: no interval */
};

static inline struct value value_of(double num)
{
	return (struct value){ .state = VALUE_MEASURED, .num = num };
}

static inline struct value value_missing(const char *reason, const char *hint)
{
	return (struct value){ .state = VALUE_UNAVAILABLE, .reason = reason, .hint = hint };
}

static inline bool value_known(struct value v)
{
	return v.state != VALUE_UNAVAILABLE;
}

static inline struct estimate estimate_missing(const char *reason, const char *hint)
{
	return (struct estimate){ value_missing(reason, hint), NAN, NAN };
}

static inline bool estimate_bounded(const struct estimate *e)
{
	return value_known(e->value) && isfinite(e->lo) && isfinite(e->hi);
}

#endif
