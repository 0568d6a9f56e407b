/* SPDX-License-Identifier: MIT */
/* What sleeping costs here, and when it is better not to. */
#include "lib/park.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "base/clock.h"
#include "lib/stats.h"

enum {
	LAPS = 24,
	WAKE_NS_GUESS = 20000, /* where no thread can be made to measure with */
	WAKE_NS_MIN = 1000,
	WAKE_NS_MAX = 100000,
};

struct pingpong {
	sync_u32 turn; /* 0: ping's, 1: pong's */
	uint32_t laps;
};

static void pass(struct pingpong *p, uint32_t me)
{
	sync_store_release(&p->turn, !me);
	sync_wake(&p->turn, 1);
}

static void await(struct pingpong *p, uint32_t me)
{
	while (sync_load_acquire(&p->turn) != me)
		sync_wait(&p->turn, !me, NULL);
}

static void *pong(void *arg)
{
	struct pingpong *p = arg;
	for (uint32_t i = 0; i < p->laps; i++) {
		await(p, 1);
		pass(p, 1);
	}
	return NULL;
}

static int by_value(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static int64_t measure(void)
{
	struct pingpong p = { .laps = LAPS };
	pthread_t thread;
	if (pthread_create(&thread, NULL, pong, &p) != 0)
		return WAKE_NS_GUESS;
	int64_t lap[LAPS];
	for (int i = 0; i < LAPS; i++) {
		int64_t start = lt_now_ns();
		pass(&p, 0);
		await(&p, 0);
		lap[i] = lt_now_ns() - start;
	}
	pthread_join(thread, NULL);
	qsort(lap, LAPS, sizeof(lap[0]), by_value);
	int64_t ns = lap[LAPS / 2] / 2;
	return ns < WAKE_NS_MIN ? WAKE_NS_MIN : ns > WAKE_NS_MAX ? WAKE_NS_MAX : ns;
}

static _Atomic(int64_t) wake_ns; /* 0 until measured */
static pthread_mutex_t wake_lock = PTHREAD_MUTEX_INITIALIZER;

int64_t park_wake_ns(void)
{
	int64_t ns = atomic_load_explicit(&wake_ns, memory_order_relaxed);
	if (ns)
		return ns;
	pthread_mutex_lock(&wake_lock);
	ns = atomic_load_explicit(&wake_ns, memory_order_relaxed);
	if (!ns) {
		ns = measure();
		stats_set_wake_ns(ns);
		atomic_store_explicit(&wake_ns, ns, memory_order_relaxed);
	}
	pthread_mutex_unlock(&wake_lock);
	return ns;
}

unsigned park_cpus(void)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
	return n > 0 ? (unsigned)n : 1;
}

static _Atomic(int) n_threads;
static _Atomic(int) n_cpus; /* 0 until asked */

void park_threads_add(int n)
{
	if (!atomic_load_explicit(&n_cpus, memory_order_relaxed))
		atomic_store_explicit(&n_cpus, (int)park_cpus(), memory_order_relaxed);
	atomic_fetch_add_explicit(&n_threads, n, memory_order_relaxed);
}

bool park_may_spin(void)
{
	return atomic_load_explicit(&n_threads, memory_order_relaxed) <=
		atomic_load_explicit(&n_cpus, memory_order_relaxed);
}

void park_spin_slept(struct park_spin *spin, int64_t slept_ns)
{
	spin->pays = slept_ns < 2 * park_wake_ns();
}
