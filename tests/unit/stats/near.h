/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tests of this room share: cmocka's headers in the order it wants them,
 * and a comparison of doubles.
 */
#ifndef UNIT_STATS_NEAR_H
#define UNIT_STATS_NEAR_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline bool is_near(double got, double want, double relative)
{
	return got == want || fabs(got - want) <= relative * fabs(want) ||
		(isnan(got) && isnan(want));
}

/* Relative: 1e-8 is eight digits. NAN is near NAN only. */
#define assert_near(got, want, relative)                                            \
	do {                                                                        \
		const double got_ = (got), want_ = (want);                          \
		if (!is_near(got_, want_, (relative))) {                            \
			print_error("%s is %.17g, not %.17g\n", #got, got_, want_); \
			fail();                                                     \
		}                                                                   \
	} while (0)

/* To the last bit. */
#define assert_same(got, want) assert_near(got, want, 0.0)

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

#endif
