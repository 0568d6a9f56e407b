/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Doubles compared as doubles: cmocka's own assertion rounds them to floats. */
#ifndef TESTS_NEAR_H
#define TESTS_NEAR_H

#include <math.h>

/* NAN is near nothing. Needs cmocka.h. */
#define assert_near(got, want, within)                                              \
	do {                                                                        \
		double got_ = (got), want_ = (want);                                \
		if (!(fabs(got_ - want_) <= (within)))                              \
			fail_msg("%s is %.17g, not within %g of %.17g", #got, got_, \
				(double)(within), want_);                           \
	} while (0)

#endif
