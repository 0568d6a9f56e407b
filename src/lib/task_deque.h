/* SPDX-License-Identifier: MIT */
/* The double-ended queue of one worker, after Chase and Lev with the memory orders of Lê et
 * al. (2013): the owner pushes and takes at the bottom, thieves steal at the top.
 * Where that paper has a sequentially consistent fence we make the access itself
 * sequentially consistent: it is the same instruction on x86, no dearer on aarch64, and
 * visible to the thread sanitizer, which does not see fences. */
#ifndef LIB_TASK_DEQUE_H
#define LIB_TASK_DEQUE_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TASK_LINE = 128, /* two cache lines: the prefetcher fetches them in pairs */
};

struct task_slot;

/* The ring never grows: its capacity is the number of slots its owner has, so that a task
 * which got a slot always finds a place. */
struct task_deque {
	alignas(TASK_LINE) _Atomic(int64_t) top;    /* thieves, and the owner for the last task */
	alignas(TASK_LINE) _Atomic(int64_t) bottom; /* written by the owner, read by thieves */
	_Atomic(struct task_slot *) *ring;
	int64_t mask;
};

/* Owner only. The store pairs with the loads of task_deque_steal and, as both are
 * sequentially consistent, with the last look around of a worker that goes to sleep. */
static inline void task_deque_push(struct task_deque *d, struct task_slot *slot)
{
	int64_t bottom = atomic_load_explicit(&d->bottom, memory_order_relaxed);

	atomic_store_explicit(&d->ring[bottom & d->mask], slot, memory_order_relaxed);
	atomic_store_explicit(&d->bottom, bottom + 1, memory_order_seq_cst);
}

/* Owner only: the youngest task, or NULL. */
static inline struct task_slot *task_deque_take(struct task_deque *d)
{
	int64_t bottom = atomic_load_explicit(&d->bottom, memory_order_relaxed) - 1;
	int64_t top = atomic_load_explicit(&d->top, memory_order_relaxed);
	struct task_slot *slot;

	/* Only the owner adds and top only grows: empty now is empty for certain. */
	if (top > bottom)
		return NULL;
	atomic_store_explicit(&d->bottom, bottom, memory_order_seq_cst);
	top = atomic_load_explicit(&d->top, memory_order_seq_cst);
	if (top > bottom) {
		atomic_store_explicit(&d->bottom, bottom + 1, memory_order_release);
		return NULL;
	}
	slot = atomic_load_explicit(&d->ring[bottom & d->mask], memory_order_relaxed);
	if (top < bottom)
		return slot;
	/* The last one: whoever moves top has it. */
	if (!atomic_compare_exchange_strong_explicit(
		    &d->top, &top, top + 1, memory_order_seq_cst, memory_order_relaxed))
		slot = NULL;
	atomic_store_explicit(&d->bottom, bottom + 1, memory_order_release);
	return slot;
}

/* Any thread: the oldest task, or NULL when there is none or another thread was faster. */
static inline struct task_slot *task_deque_steal(struct task_deque *d)
{
	int64_t top = atomic_load_explicit(&d->top, memory_order_seq_cst);
	int64_t bottom = atomic_load_explicit(&d->bottom, memory_order_seq_cst);
	struct task_slot *slot;

	if (top >= bottom)
		return NULL;
	slot = atomic_load_explicit(&d->ring[top & d->mask], memory_order_relaxed);
	if (!atomic_compare_exchange_strong_explicit(
		    &d->top, &top, top + 1, memory_order_seq_cst, memory_order_relaxed))
		return NULL;
	return slot;
}

/* Any thread. Exact only for the owner; sequentially consistent for a sleeper's last look. */
static inline bool task_deque_has_work(struct task_deque *d)
{
	int64_t top = atomic_load_explicit(&d->top, memory_order_seq_cst);

	return top < atomic_load_explicit(&d->bottom, memory_order_seq_cst);
}

/* Owner only: the end of the deque, unmoved by thieves. */
static inline int64_t task_deque_bottom(struct task_deque *d)
{
	return atomic_load_explicit(&d->bottom, memory_order_relaxed);
}

/* Owner only: how many tasks wait; a thief may just be taking one of them. */
static inline int64_t task_deque_length(struct task_deque *d)
{
	return atomic_load_explicit(&d->bottom, memory_order_relaxed) -
		atomic_load_explicit(&d->top, memory_order_relaxed);
}

#endif
