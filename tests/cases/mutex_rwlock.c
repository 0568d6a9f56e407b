/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A reader-writer lock with many writers. */
#include "case.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static uint64_t value[8];

static void *use(void *arg)
{
	uint64_t sum = (uint64_t)(uintptr_t)arg;
	for (uint64_t i = case_share(12e6); i > 0; i--) {
		if (i % 4 == 0) {
			pthread_rwlock_rdlock(&lock);
			sum += value[i % 8];
		} else {
			pthread_rwlock_wrlock(&lock);
			value[i % 8] += sum;
		}
		pthread_rwlock_unlock(&lock);
	}
	case_sink = sum;
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	case_run(use);
	return 0;
}
