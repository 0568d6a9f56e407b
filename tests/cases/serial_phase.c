/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rounds of parallel work; between them one thread alone puts the parts together. */
#include "case.h"

enum {
	ROUNDS = 100
};

static pthread_barrier_t barrier;

static void __attribute__((noinline)) merge(void)
{
	case_sink = case_compute((uint64_t)(1.5e6 * case_scale));
}

static void *work(void *arg)
{
	for (int r = 0; r < ROUNDS; r++) {
		case_sink = case_compute(case_share(4.5e6));
		pthread_barrier_wait(&barrier);
		if (arg == NULL)
			merge();
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	pthread_barrier_init(&barrier, NULL, case_threads);
	case_run(work);
	return 0;
}
