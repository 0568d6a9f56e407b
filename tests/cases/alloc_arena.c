/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All threads share one arena; blocks of 2 to 4 KB bypass the thread's cache. */
#include "case.h"

#include <malloc.h>

enum {
	LIVE = 64
};

static void *work(void *arg)
{
	char *live[LIVE] = { NULL };
	uint64_t state = (uint64_t)(uintptr_t)arg + 1;
	for (uint64_t i = case_share(8e6); i > 0; i--) {
		state = state * 6364136223846793005u + 1;
		char **slot = &live[state >> 58];
		free(*slot);
		*slot = malloc(2000 + (state >> 40) % 2000);
		case_need(*slot != NULL, "malloc");
		**slot = (char)i;
	}
	for (int i = 0; i < LIVE; i++)
		free(live[i]);
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	mallopt(M_ARENA_MAX, 1);
	case_run(work);
	return 0;
}
