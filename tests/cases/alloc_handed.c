/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages are allocated by one thread and freed by others: every free takes the lock of
 * the arena that the allocating thread is using. */
#include "case.h"

#include <stdatomic.h>

enum {
	SLOTS = 16,
	BATCH = 32
};

/* Each thread puts what it allocated where the next one finds it. */
static struct {
	_Alignas(CASE_LINE) _Atomic(void *) batch[SLOTS];
} box[CASE_THREADS_MAX];

static void drop(void **batch)
{
	for (int b = 0; batch && b < BATCH; b++)
		free(batch[b]);
	free(batch);
}

static void *work(void *arg)
{
	unsigned self = (unsigned)(uintptr_t)arg, next = (self + 1) % case_threads;
	for (uint64_t i = case_share(120e3); i > 0; i--) {
		void **batch = malloc(BATCH * sizeof(*batch));
		case_need(batch != NULL, "malloc");
		for (int b = 0; b < BATCH; b++)
			batch[b] = malloc(1500 + 16 * (size_t)b);
		drop(atomic_exchange(&box[next].batch[i % SLOTS], batch));
		drop(atomic_exchange(&box[self].batch[i % SLOTS], NULL));
	}
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	case_run(work);
	return 0;
}
