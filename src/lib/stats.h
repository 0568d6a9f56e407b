/* SPDX-License-Identifier: MIT */
/* Writing the statistics page. Each slot has one writer at a time. */
#ifndef LIB_STATS_H
#define LIB_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "leat/stats.h"
#include "lib/sync.h" /* tells whether the thread sanitizer is on */

/* A slot that is not in use; one on the heap, seen by nobody, when the page is full or missing.
 * NULL only without memory. `name` is cut to fit. */
struct leat_stats_slot *stats_slot_new(
	enum leat_stats_kind kind, const char *name, const char *unit, uint32_t parent);
/* Its values are final now; NULL is allowed. */
void stats_slot_end(struct leat_stats_slot *slot);
/* 1 + its index, for parent fields; 0 for one that nobody sees. */
uint32_t stats_slot_number(const struct leat_stats_slot *slot);
/* The slot of this kind and name, or NULL. */
struct leat_stats_slot *stats_slot_find(enum leat_stats_kind kind, const char *name);

void stats_set_wake_ns(int64_t ns);

#ifdef LIB_NO_STATS /* for bench/dataflow: what would the library cost without? */
#define STATS_ON 0
#else
#define STATS_ON 1
#endif

static inline void stats_set(struct leat_stats_slot *slot, unsigned i, uint64_t value)
{
	if (STATS_ON)
		__atomic_store_n(&slot->v[i], value, __ATOMIC_RELAXED);
}

/* For the slot's only writer. */
static inline void stats_add(struct leat_stats_slot *slot, unsigned i, uint64_t n)
{
	if (STATS_ON)
		__atomic_store_n(&slot->v[i], slot->v[i] + n, __ATOMIC_RELAXED);
}

static inline uint64_t stats_get(const struct leat_stats_slot *slot, unsigned i)
{
	return __atomic_load_n(&slot->v[i], __ATOMIC_RELAXED);
}

/* Values that belong together go between these two. A reader that saw one of them must see the odd
 * number too: its store comes before theirs, theirs before the even one. */
static inline void stats_begin(struct leat_stats_slot *slot)
{
#ifdef __SANITIZE_THREAD__ /* knows no fences */
	__atomic_exchange_n(&slot->seq, slot->seq + 1, __ATOMIC_ACQ_REL);
#else
	__atomic_store_n(&slot->seq, slot->seq + 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
#endif
}

static inline void stats_commit(struct leat_stats_slot *slot)
{
	__atomic_store_n(&slot->seq, slot->seq + 1, __ATOMIC_RELEASE);
}

/* A THREAD slot for the calling thread, and its end. */
struct leat_stats_slot *stats_thread_begin(const char *name);
void stats_thread_end(struct leat_stats_slot *slot);
/* The slot of a thread that is not ours, made at its first use and ended with the thread. */
struct leat_stats_slot *stats_thread_self(const char *name);
/* Before and after a sleep. The end returns how long it was until the waker decided to. woken_ns:
 * when the waker decided to wake it, 0 if unknown. */
int64_t stats_sleep_begin(struct leat_stats_slot *slot, enum leat_cause cause);
int64_t stats_sleep_end(
	struct leat_stats_slot *slot, enum leat_cause cause, int64_t since_ns, int64_t woken_ns);

#endif
