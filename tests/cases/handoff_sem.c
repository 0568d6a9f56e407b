/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A ring of threads that pass a turn on by semaphores. */
#include "case.h"

#include <semaphore.h>

static struct {
	_Alignas(CASE_LINE) sem_t turn;
} seat[CASE_THREADS_MAX];

static void *sit(void *arg)
{
	unsigned self = (unsigned)(uintptr_t)arg;
	for (uint64_t i = case_share(120e3); i > 0; i--) {
		sem_wait(&seat[self].turn);
		case_sink = case_compute(3000);
		sem_post(&seat[(self + 1) % case_threads].turn);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	for (unsigned i = 0; i < case_threads; i++)
		sem_init(&seat[i].turn, 0, i == 0);
	case_run(sit);
	return 0;
}
