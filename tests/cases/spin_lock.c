/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tenths of a millisecond under a spin lock. */
#include "case.h"

static pthread_spinlock_t lock;

static void *work(void *arg)
{
	(void)arg;
	for (uint64_t i = case_share(4000); i > 0; i--) {
		case_sink = case_compute(40000);
		pthread_spin_lock(&lock);
		case_sink = case_compute(110000);
		pthread_spin_unlock(&lock);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	case_run(work);
	return 0;
}
