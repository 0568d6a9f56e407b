/* SPDX-License-Identifier: MIT */
/* What sleeping costs here, and when it is better not to. */
#include "lib/park.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "base/clock.h"
#include "lib/cpus.h"
#include "lib/stats.h"

enum {
	LAPS = 24,
	WAKE_NS_GUESS = 20000, /* where no thread can be made to measure with */
	WAKE_NS_MIN = 1000,
	WAKE_NS_MAX = 50000,
};

struct pingpong {
	sync_u32 turn; /* 0: ping's, 1: pong's */
	int64_t lap[LAPS];
	int cpu[2]; /* two of them if there are two: what matters is a wake-up across CPUs */
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

static void *ping(void *arg)
{
	struct pingpong *p = arg;
	if (p->cpu[0] >= 0)
		cpus_bind(p->cpu[0]);
	for (int i = 0; i < LAPS; i++) {
		int64_t start = lt_now_ns();
		pass(p, 0);
		await(p, 0);
		p->lap[i] = lt_now_ns() - start;
	}
	return NULL;
}

static void *pong(void *arg)
{
	struct pingpong *p = arg;
	cpus_bind(p->cpu[1]);
	for (int i = 0; i < LAPS; i++) {
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

/* Both threads are our own, so that nobody's affinity changes. */
static int64_t measure(void)
{
	struct pingpong p = { .cpu = { cpus_nth("all", 0), cpus_nth("all", 1) } };
	pthread_t threads[2];
	if (pthread_create(&threads[1], NULL, pong, &p) != 0)
		return WAKE_NS_GUESS;
	if (pthread_create(&threads[0], NULL, ping, &p) == 0) {
		pthread_join(threads[0], NULL);
	} else {
		p.cpu[0] = -1; /* the caller plays, and is not bound */
		ping(&p);
	}
	pthread_join(threads[1], NULL);
	qsort(p.lap, LAPS, sizeof(p.lap[0]), by_value);
	/* The lower quartile: what disturbs a lap makes it longer, never shorter. */
	int64_t ns = p.lap[LAPS / 4] / 2;
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

void park_spin_slept(struct park_spin *spin, int64_t until_woken_ns)
{
	enum {
		TRY_AGAIN = 16
	};
	spin->pays = until_woken_ns < 2 * park_wake_ns() || ++spin->idle % TRY_AGAIN == 0;
}
