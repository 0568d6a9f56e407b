/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A lock made of trylock and sched_yield, held for some microseconds. */
#include "case.h"

#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
	(void)arg;
	for (uint64_t i = case_share(60e3); i > 0; i--) {
		while (pthread_mutex_trylock(&lock))
			sched_yield();
		case_sink = case_compute(10000);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	case_run(work);
	return 0;
}
