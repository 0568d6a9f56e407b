/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One lock, taken for a few instructions, by everyone, all the time. */
#include "case.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t table[512];

static void *update(void *arg)
{
	uint64_t at = (uint64_t)(uintptr_t)arg;
	for (uint64_t i = case_share(16e6); i > 0; i--) {
		pthread_mutex_lock(&lock);
		table[at % 512] += i;
		at = at * 5 + 1;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	case_run(update);
	case_sink = table[0];
	return 0;
}
