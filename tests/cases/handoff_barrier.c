/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Balanced phases of a microsecond between barriers: threads sleep and are woken more than
 * they work. */
#include "case.h"

static pthread_barrier_t barrier;

static void *step(void *arg)
{
	(void)arg;
	uint64_t steps = (uint64_t)(30e3 * case_scale);
	for (uint64_t i = 0; i < steps; i++) {
		case_sink = case_compute(case_share(12000 / case_scale));
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	pthread_barrier_init(&barrier, NULL, case_threads);
	case_run(step);
	return 0;
}
