/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pairs of threads with one slot between them: every item is a sleep and a wake-up. */
#include "case.h"

static struct slot {
	_Alignas(CASE_LINE) pthread_mutex_t lock;
	pthread_cond_t changed;
	uint64_t item; /* 0: empty */
} slots[CASE_THREADS_MAX];

static uint64_t pass(struct slot *s, uint64_t item)
{
	pthread_mutex_lock(&s->lock);
	while ((item != 0) == (s->item != 0))
		pthread_cond_wait(&s->changed, &s->lock);
	uint64_t old = s->item;
	s->item = item;
	pthread_cond_signal(&s->changed);
	pthread_mutex_unlock(&s->lock);
	return old;
}

static void *work(void *arg)
{
	unsigned self = (unsigned)(uintptr_t)arg;
	struct slot *s = &slots[self / 2];
	int alone = self == case_threads - 1 && self % 2 == 0;
	uint64_t items = case_share(100e3) * 2;
	for (uint64_t i = alone ? items / 2 : items; i > 0; i--) {
		if (alone || self % 2 == 0)
			case_sink = case_compute(2000);
		if (!alone && self % 2 == 0)
			pass(s, i);
		else if (!alone)
			case_sink = pass(s, 0);
		if (alone || self % 2 == 1)
			case_sink = case_compute(2000);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	for (unsigned i = 0; i < case_threads; i++) {
		pthread_mutex_init(&slots[i].lock, NULL);
		pthread_cond_init(&slots[i].changed, NULL);
	}
	case_run(work);
	return 0;
}
