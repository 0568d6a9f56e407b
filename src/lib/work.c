/* SPDX-License-Identifier: MIT */
/* Work counters and region marks: slots of the statistics page. */
#include "leat/work.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "base/clock.h"
#include "lib/err.h"
#include "lib/stats.h"
#include "lib/sync.h"

/* The handles are the slots themselves. */
struct leat_work {
	struct leat_stats_slot slot;
};
struct leat_region {
	struct leat_stats_slot slot;
};

enum {
	SHARD_VALUES = LEAT_STATS_VALUES / LEAT_STATS_SHARDS,
	REGION_WORKS = LEAT_V_REGION_AT_CPU_NS - LEAT_V_REGION_WORK,
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards making, and regions */

static int get_slot(enum leat_stats_kind kind, const char *name, const char *unit,
	struct leat_stats_slot **ret_slot, struct leat_err *err)
{
	if (!name || !*name || strlen(name) >= LEAT_STATS_NAME)
		return LEAT_FAIL(err, -EINVAL, "LEAT-NAME", "'%.60s' is empty or too long a name",
			name ? name : "");
	if (!leat_stats_self())
		return LEAT_FAIL(
			err, -ENOMEM, "LEAT-STATS-PAGE", "no statistics page for '%s'", name);
	pthread_mutex_lock(&lock);
	struct leat_stats_slot *slot = stats_slot_find(kind, name);
	if (!slot)
		slot = stats_slot_new(kind, name, unit ? unit : name, 0);
	bool seen = stats_slot_number(slot) != 0;
	if (!seen)
		stats_slot_end(slot);
	pthread_mutex_unlock(&lock);
	if (!seen)
		return LEAT_FAIL(err, -ENOSPC, "LEAT-STATS-FULL",
			"no slot left in the statistics page for '%s'", name);
	*ret_slot = slot;
	return 0;
}

int leat_work_get(
	const char *name, const char *unit, struct leat_work **ret_work, struct leat_err *err)
{
	struct leat_stats_slot *slot;
	int r = get_slot(LEAT_STATS_WORK, name, unit, &slot, err);
	if (r == 0)
		*ret_work = (struct leat_work *)slot;
	return r;
}

/* A thread's place in every counter. The first threads have a shard each, where a plain store will
 * do; the last shard is for all others. A shard is given back when its thread ends. */
static _Thread_local unsigned shard __attribute__((tls_model("initial-exec"))); /* 1 + value */
static _Atomic(unsigned) taken;                                                 /* bit mask */
static char mark[LEAT_STATS_SHARDS]; /* what a thread holds: the address of its shard's */
static pthread_key_t shard_key;
static pthread_once_t shard_once = PTHREAD_ONCE_INIT;

enum {
	SHARED = (LEAT_STATS_SHARDS - 1) * SHARD_VALUES
};

static void give_back(void *held)
{
	unsigned bit = 1u << ((char *)held - mark);
	atomic_fetch_and_explicit(&taken, ~bit, memory_order_release);
	shard = 1 + SHARED; /* for what else runs while the thread ends */
}

static void make_key(void)
{
	if (pthread_key_create(&shard_key, give_back) != 0)
		atomic_store(&taken, ~0u);
}

static __attribute__((noinline, cold)) unsigned pick_shard(void)
{
	pthread_once(&shard_once, make_key);
	for (unsigned i = 0; i < LEAT_STATS_SHARDS - 1; i++) {
		unsigned bit = 1u << i;
		if (atomic_fetch_or_explicit(&taken, bit, memory_order_acquire) & bit)
			continue;
		if (pthread_setspecific(shard_key, &mark[i]) == 0)
			return shard = 1 + i * SHARD_VALUES;
		atomic_fetch_and_explicit(&taken, ~bit, memory_order_release);
		break;
	}
	return shard = 1 + SHARED;
}

void leat_work_add(struct leat_work *work, uint64_t n)
{
	if (!work)
		return;
	unsigned at = shard;
	if (__builtin_expect(!at, 0))
		at = pick_shard();
	uint64_t *v = &work->slot.v[at - 1];
	/* Relaxed: a count orders nothing. */
	if (__builtin_expect(at - 1 != SHARED, 1))
		__atomic_store_n(v, __atomic_load_n(v, __ATOMIC_RELAXED) + n, __ATOMIC_RELAXED);
	else
		__atomic_fetch_add(v, n, __ATOMIC_RELAXED);
}

static uint64_t total(const struct leat_stats_slot *slot)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < LEAT_STATS_SHARDS; i++)
		sum += stats_get(slot, i * SHARD_VALUES);
	return sum;
}

uint64_t leat_work_total(const struct leat_work *work)
{
	return work ? total(&work->slot) : 0;
}

static void close_regions(void);

static void hook_exit(void)
{
	atexit(close_regions);
}

int leat_region_get(const char *name, struct leat_region **ret_region, struct leat_err *err)
{
	static pthread_once_t hooked = PTHREAD_ONCE_INIT;
	struct leat_stats_slot *slot;
	int r = get_slot(LEAT_STATS_REGION, name, NULL, &slot, err);
	if (r < 0)
		return r;
	pthread_once(&hooked, hook_exit);
	*ret_region = (struct leat_region *)slot;
	return 0;
}

/* What the process has used so far, in the order of the region's values. */
enum {
	N_USES = LEAT_V_REGION_AT_NIVCSW - LEAT_V_REGION_AT_CPU_NS + 1
};

static void read_uses(uint64_t use[N_USES])
{
	struct timespec cpu;
	struct rusage ru;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
	getrusage(RUSAGE_SELF, &ru);
	use[0] = (uint64_t)lt_timespec_ns(&cpu);
	use[1] = (uint64_t)lt_timeval_ns(&ru.ru_stime);
	use[2] = (uint64_t)ru.ru_minflt;
	use[3] = (uint64_t)ru.ru_majflt;
	use[4] = (uint64_t)ru.ru_nvcsw;
	use[5] = (uint64_t)ru.ru_nivcsw;
}

/* Adds each counter's total to the region's sums, or takes it away: taken away at begin and added
 * at end, they hold the units between. */
static void add_works(struct leat_stats_slot *region, bool add)
{
	const struct leat_stats_head *head = leat_stats_self();
	uint32_t used = head ? __atomic_load_n(&head->used, __ATOMIC_ACQUIRE) : 0;
	unsigned n = 0;
	for (uint32_t i = 0; i < used && n < REGION_WORKS; i++) {
		const struct leat_stats_slot *slot = leat_stats_slot_at(head, i);
		if (__atomic_load_n(&slot->kind, __ATOMIC_ACQUIRE) != LEAT_STATS_WORK)
			continue;
		uint64_t sum = total(slot);
		stats_add(region, LEAT_V_REGION_WORK + n++, add ? sum : -sum);
	}
}

void leat_region_begin(struct leat_region *region)
{
	if (!region)
		return;
	struct leat_stats_slot *s = &region->slot;
	pthread_mutex_lock(&lock);
	stats_begin(s);
	if (stats_get(s, LEAT_V_REGION_OPEN) == 0) {
		uint64_t use[N_USES];
		add_works(s, false);
		stats_add(s, LEAT_V_REGION_TIMES, 1);
		read_uses(use);
		for (unsigned i = 0; i < N_USES; i++)
			stats_set(s, LEAT_V_REGION_AT_CPU_NS + i, use[i]);
		stats_set(s, LEAT_V_REGION_SINCE, (uint64_t)lt_now_ns());
	}
	stats_add(s, LEAT_V_REGION_OPEN, 1);
	stats_commit(s);
	pthread_mutex_unlock(&lock);
}

/* Under the lock. Takes away `ends` of the begins, all of them if there are fewer. */
static void end_region(struct leat_stats_slot *s, uint64_t ends, int64_t now)
{
	uint64_t open = stats_get(s, LEAT_V_REGION_OPEN);
	if (!open)
		return;
	stats_begin(s);
	if (open <= ends) {
		uint64_t use[N_USES];
		read_uses(use);
		for (unsigned i = 0; i < N_USES; i++)
			stats_add(s, LEAT_V_REGION_CPU_NS + i,
				use[i] - stats_get(s, LEAT_V_REGION_AT_CPU_NS + i));
		stats_add(s, LEAT_V_REGION_WALL_NS,
			(uint64_t)now - stats_get(s, LEAT_V_REGION_SINCE));
		add_works(s, true);
	}
	stats_set(s, LEAT_V_REGION_OPEN, open > ends ? open - ends : 0);
	stats_commit(s);
}

void leat_region_end(struct leat_region *region)
{
	if (!region)
		return;
	int64_t now = lt_now_ns();
	pthread_mutex_lock(&lock);
	end_region(&region->slot, 1, now);
	pthread_mutex_unlock(&lock);
}

/* At exit(): what is open ends with the process. */
static void close_regions(void)
{
	const struct leat_stats_head *head = leat_stats_self();
	int64_t now = lt_now_ns();
	if (!head || pthread_mutex_trylock(&lock) != 0)
		return;
	for (uint32_t i = 0; i < __atomic_load_n(&head->used, __ATOMIC_ACQUIRE); i++) {
		const struct leat_stats_slot *slot = leat_stats_slot_at(head, i);
		if (__atomic_load_n(&slot->kind, __ATOMIC_ACQUIRE) == LEAT_STATS_REGION)
			end_region((struct leat_stats_slot *)slot, UINT64_MAX, now);
	}
	pthread_mutex_unlock(&lock);
}
