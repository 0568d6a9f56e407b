/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Milliseconds of work under one lock: no convoy, simply one at a time. */
#include "case.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void __attribute__((noinline)) update_index(void)
{
	case_sink = case_compute((uint64_t)(1.5e6 * case_scale));
}

static void *work(void *arg)
{
	(void)arg;
	for (unsigned i = 0; i < 240 / case_threads; i++) {
		case_sink = case_compute((uint64_t)(5e5 * case_scale));
		pthread_mutex_lock(&lock);
		update_index();
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
