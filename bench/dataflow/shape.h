/* SPDX-License-Identifier: MIT */
/* What the dataflow programs share: each runs one shape, named on its command line, and prints one
 * number, so that a script can run them in turn. C and C++. */
#ifndef DATAFLOW_SHAPE_H
#define DATAFLOW_SHAPE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum {
	STAGES = 10,
	PACKETS = 1600, /* of a router chunk */
	ROUTER_STAGES = 5,
};

static inline int64_t now_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static inline int64_t cpu_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static inline void sleep_until(int64_t when)
{
	struct timespec ts;
	ts.tv_sec = when / 1000000000;
	ts.tv_nsec = when % 1000000000;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

static inline void print_ns(int64_t ns, uint64_t items)
{
	printf("%.4f\n", (double)ns / (double)items);
}

/* A chunk of packets, and one stage's work on it: a few instructions each, about 70 us a chunk
 * over all stages. The result depends on every stage having run once, in order. */
struct chunk {
	uint64_t number;
	uint64_t sum;
	uint32_t packet[PACKETS];
};

#ifdef __cplusplus
extern "C" {
#endif
void router_work(struct chunk *c, unsigned stage); /* the same machine code for all */
#ifdef __cplusplus
}
#endif

static inline void router_fill(struct chunk *c, uint64_t number)
{
	c->number = number;
	c->sum = 0;
	for (uint32_t i = 0; i < PACKETS; i++)
		c->packet[i] = (uint32_t)number * 2654435761u + i + 1;
}

#endif
