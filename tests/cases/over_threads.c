/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each of the threads asked for starts a team for all CPUs: one has them all in use. */
#include "case.h"

#include <unistd.h>

static void *part(void *arg)
{
	case_sink = case_compute((uint64_t)(uintptr_t)arg);
	return NULL;
}

static void *job(void *arg)
{
	pthread_t team[64];
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned n = cpus < 64 ? (unsigned)cpus : 64;
	(void)arg;
	for (int round = 0; round < 8; round++) {
		uintptr_t rounds = case_share(90e6) / n;
		for (unsigned i = 0; i < n; i++)
			case_need(!pthread_create(&team[i], NULL, part, (void *)rounds),
				"pthread_create");
		for (unsigned i = 0; i < n; i++)
			pthread_join(team[i], NULL);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	case_run(job);
	return 0;
}
