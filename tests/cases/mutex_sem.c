/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A semaphore of one used as a lock around a short list operation. */
#include "case.h"

#include <semaphore.h>

static sem_t gate;
static uint64_t head, list[256];

static void *push(void *arg)
{
	(void)arg;
	for (uint64_t i = case_share(20e6); i > 0; i--) {
		sem_wait(&gate);
		list[head++ % 256] = i;
		sem_post(&gate);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	sem_init(&gate, 0, 1);
	case_run(push);
	case_sink = list[0];
	return 0;
}
