/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small objects allocated one after the other by main, each used by its own thread; one
 * field is written, the other only read. */
#include "case.h"

struct walker {
	volatile uint32_t at;
	uint32_t step;
};

static struct walker *walkers[CASE_THREADS_MAX];

static void *walk(void *arg)
{
	struct walker *w = walkers[(uintptr_t)arg];
	for (uint64_t i = case_share(500e6); i > 0; i--)
		w->at = w->at * 3 + *(volatile uint32_t *)&w->step;
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	void *volatile place = aligned_alloc(CASE_LINE, 64 * CASE_LINE);
	free(place); /* objects begin with a line, unless the compiler sees through it */
	for (unsigned i = 0; i < case_threads; i++) {
		walkers[i] = malloc(sizeof(*walkers[i]));
		case_need(walkers[i] != NULL, "malloc");
		*walkers[i] = (struct walker){ i, 2 * i + 1 };
	}
	case_run(walk);
	case_sink = walkers[0]->at;
	return 0;
}
