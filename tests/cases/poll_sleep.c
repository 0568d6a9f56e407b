/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Workers that look for work every millisecond instead of being woken. */
#include "case.h"

#include <stdatomic.h>
#include <time.h>

static _Atomic uint64_t queued, taken;
static _Atomic int closed;

static void *work(void *arg)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	(void)arg;
	for (;;) {
		uint64_t t = atomic_load(&taken);
		if (t < atomic_load(&queued) && atomic_compare_exchange_strong(&taken, &t, t + 1))
			case_sink = case_compute(150e3);
		else if (atomic_load(&closed) && t >= atomic_load(&queued))
			return NULL;
		nanosleep(&pause, NULL);
	}
}

static void *feed(void *arg)
{
	const struct timespec pause = { .tv_nsec = 900000 };
	(void)arg;
	for (uint64_t i = (uint64_t)(1000 * case_scale); i > 0; i--) {
		nanosleep(&pause, NULL);
		atomic_fetch_add(&queued, 1);
	}
	atomic_store(&closed, 1);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t feeder;
	case_start(argc, argv);
	case_need(!pthread_create(&feeder, NULL, feed, NULL), "pthread_create");
	case_run(work);
	pthread_join(feeder, NULL);
	return 0;
}
