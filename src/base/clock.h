/* SPDX-License-Identifier: MIT */
/* The one time type: nanoseconds of CLOCK_MONOTONIC in 64 bits. The wall date is for
 * information only and never subtracted. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <sys/time.h>
#include <time.h>

#define LT_NS_PER_S  1000000000LL
#define LT_NS_PER_MS 1000000LL

static inline int64_t lt_timespec_ns(const struct timespec *ts)
{
	return (int64_t)ts->tv_sec * LT_NS_PER_S + ts->tv_nsec;
}

static inline int64_t lt_timeval_ns(const struct timeval *tv)
{
	return (int64_t)tv->tv_sec * LT_NS_PER_S + (int64_t)tv->tv_usec * 1000;
}

static inline int64_t lt_now_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return lt_timespec_ns(&ts);
}

/* `ns` behind `at`, or the end of the clock, in 292 years, if that comes before. */
static inline int64_t lt_ns_after(int64_t at, int64_t ns)
{
	int64_t sum;
	return __builtin_add_overflow(at, ns, &sum) ? INT64_MAX : sum;
}

#endif
