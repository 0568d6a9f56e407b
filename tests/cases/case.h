/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every case shares: CASE THREADS [SCALE], the same total work for any number of
 * threads, and a chain of arithmetic that touches no memory. */
#ifndef CASES_CASE_H
#define CASES_CASE_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	CASE_THREADS_MAX = 256,
	CASE_LINE = 64 /* bytes of a cache line */
};

static unsigned case_threads;       /* of this run */
static double case_scale = 1;       /* of the work */
static volatile uint64_t case_sink; /* keeps results alive */

static inline void case_start(int argc, char **argv)
{
	char *end = NULL;
	unsigned long n = argc > 1 ? strtoul(argv[1], &end, 10) : 0;
	case_scale = argc > 2 ? strtod(argv[2], NULL) : 1;
	if (n < 1 || n > CASE_THREADS_MAX || !end || *end || argc > 3 || !(case_scale > 0)) {
		fprintf(stderr, "Usage: %s THREADS [SCALE]\n", argv[0]);
		exit(2);
	}
	case_threads = (unsigned)n;
}

/* This thread's part of a total. */
static inline uint64_t case_share(double total)
{
	return (uint64_t)(total * case_scale / case_threads);
}

/* About two nanoseconds a round. */
static inline uint64_t case_compute(uint64_t rounds)
{
	uint64_t x = rounds | 1;
	for (uint64_t i = 0; i < rounds; i++)
		x = (x ^ (x >> 29)) * UINT64_C(0x9e3779b97f4a7c15);
	return x;
}

/* A system call that a case cannot do without. */
static inline void case_need(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

/* Runs fn in case_threads threads; its argument is the number of the thread, as a pointer. */
static inline void case_run(void *(*fn)(void *))
{
	pthread_t thread[CASE_THREADS_MAX];
	for (uintptr_t i = 0; i < case_threads; i++)
		case_need(!pthread_create(&thread[i], NULL, fn, (void *)i), "pthread_create");
	for (unsigned i = 0; i < case_threads; i++)
		pthread_join(thread[i], NULL);
}

#endif
