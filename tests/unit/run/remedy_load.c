/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program for the tests of remedies: remedy-load THREADS WHAT. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	ROUNDS = 1200, /* of all threads together */
	BYTES = 200 << 10,
	THREADS_MAX = 64,
	STEPS = 20000000,
};

static int rounds;

/* Page-aligned blocks: glibc maps and unmaps each of them. */
static void *churn(void *arg)
{
	for (int i = 0; i < rounds; i++) {
		void *block = NULL;
		if (posix_memalign(&block, 4096, BYTES) != 0)
			abort();
		memset(block, 1, BYTES);
		__asm__ volatile("" : : "r"(block) : "memory");
		free(block);
	}
	return arg;
}

static void *compute(void *arg)
{
	for (volatile int i = 0; i < STEPS / ROUNDS * rounds; i++)
		;
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS_MAX];
	const char *preload = getenv("LD_PRELOAD"), *tunables = getenv("GLIBC_TUNABLES");
	int n = argc > 2 ? atoi(argv[1]) : 0;
	if (n < 1 || n > THREADS_MAX)
		return 2;
	rounds = ROUNDS / n;
	if (!strcmp(argv[2], "dies") && (preload || tunables))
		abort();
	if (!strcmp(argv[2], "fails") && (preload || tunables))
		return 3;
	if (!strcmp(argv[2], "says") && (preload || tunables))
		printf("other words\n");
	for (int i = 0; i < n; i++)
		pthread_create(
			&threads[i], NULL, strcmp(argv[2], "computes") ? churn : compute, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	printf("done\n");
	return 0;
}
