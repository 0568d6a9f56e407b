/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Many locks, each thread mostly at its own; a common one so seldom that it does no harm. */
#include "case.h"

static struct {
	_Alignas(2 * CASE_LINE) pthread_mutex_t lock;
	uint64_t value;
} cell[CASE_THREADS_MAX];

static pthread_mutex_t common = PTHREAD_MUTEX_INITIALIZER;
static uint64_t total;

static void *work(void *arg)
{
	unsigned self = (unsigned)(uintptr_t)arg;
	for (uint64_t i = case_share(60e6); i > 0; i--) {
		pthread_mutex_lock(&cell[self].lock);
		cell[self].value += i;
		pthread_mutex_unlock(&cell[self].lock);
		if (i % 4096 == 0) {
			pthread_mutex_lock(&common);
			total += cell[self].value;
			pthread_mutex_unlock(&common);
		}
	}
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	case_run(work);
	case_sink = total;
	return 0;
}
