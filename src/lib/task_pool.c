/* SPDX-License-Identifier: MIT */
/* Workers: find work, run it, sleep without it. The two promises kept here are that no
 * wake-up is lost and that a run ends exactly when no task is left.
 *
 * Lost wake-ups. A worker goes to sleep in three steps: it announces itself (parked,
 * sleeping), stops counting as a searcher, and looks around once more. Whoever adds work
 * publishes it first and then looks for searchers and sleepers. All of these accesses are
 * sequentially consistent, so either the sleeper sees the work or the adder sees the sleeper.
 *
 * The end. `active` counts workers that hold a task or are about to steal one: a thief counts
 * itself before it tries, a worker stops counting once its own deque is empty. Only an active
 * worker can add tasks, so zero means that none is left, for good. */
#include "lib/task_pool.h"

#include "base/clock.h"
#include "lib/park.h"

#define TASK_JOINER_SLEEPS 0x80000000U

enum {
	TASK_NEST_MAX = 64,    /* joins on one stack that may run stolen work; bounds the stack */
	TASK_SPIN_PAUSES = 32, /* between two looks at the clock */
};

_Thread_local struct task_worker *task_self __attribute__((tls_model("initial-exec")));

bool task_pool_stop(struct leat_tasks *pool, enum task_stop stop)
{
	uint32_t no = TASK_STOP_NO;

	return atomic_compare_exchange_strong(&pool->stop, &no, stop);
}

bool task_pool_stopped(struct leat_tasks *pool)
{
	if (atomic_load_explicit(&pool->stop, memory_order_relaxed) != TASK_STOP_NO)
		return true;
	if (!pool->cancel || !leat_cancel_raised(pool->cancel))
		return false;
	task_pool_stop(pool, TASK_STOP_CANCELED);
	return true;
}

/* --- slots --- */

struct task_slot *task_slot_get(struct task_worker *w)
{
	struct task_slot *slot = w->free;

	/* Pairs with the release in slot_put: the thief has done reading the slot. */
	if (!slot && atomic_load_explicit(&w->returned, memory_order_relaxed))
		slot = atomic_exchange_explicit(&w->returned, NULL, memory_order_acquire);
	if (slot) {
		w->free = slot->next;
		return slot;
	}
	if (w->fresh == w->pool->n_slots)
		return NULL;
	slot = (struct task_slot *)(void *)(w->slab + w->fresh * w->pool->slot_stride);
	w->fresh++;
	slot->owner = w;
	return slot;
}

static void slot_put(struct task_worker *w, struct task_slot *slot)
{
	struct task_worker *home = slot->owner;

	if (home == w) {
		slot->next = w->free;
		w->free = slot;
		return;
	}
	/* The owner takes the whole list at once, so there is no ABA. */
	slot->next = atomic_load_explicit(&home->returned, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(
		&home->returned, &slot->next, slot, memory_order_release, memory_order_relaxed))
		;
}

/* --- running --- */

void task_call(struct task_worker *w, leat_task_fn *fn, const void *arg)
{
	struct leat_task frame = { .up = w->frame, .base = task_deque_bottom(&w->deque) };

	if (task_pool_stopped(w->pool))
		return;
	w->frame = &frame;
	int r = fn(&frame, arg);
	if (r < 0)
		leat_task_fail(&frame, r, "a task returned %d", r);
	if (atomic_load_explicit(&frame.pending, memory_order_acquire))
		task_join(w, &frame);
	w->frame = frame.up;
	task_count(&w->counts.tasks, 1);
}

static void run_slot(struct task_worker *w, struct task_slot *slot)
{
	struct leat_task *parent = slot->parent;
	struct task_worker *joiner = slot->owner;

	task_call(w, slot->fn, slot->arg);
	slot_put(w, slot);
	if (!parent)
		return;
	/* The parent's frame may be gone as soon as this is done. Pairs with the acquire in
	 * task_join: what the child wrote is there for the parent. */
	if (atomic_fetch_sub(&parent->pending, 1) == (TASK_JOINER_SLEEPS | 1))
		task_worker_wake(joiner);
}

/* --- stealing --- */

static bool work_in_sight(struct leat_tasks *pool)
{
	for (unsigned i = 0; i < pool->n_workers; i++)
		if (task_deque_has_work(&pool->workers[i].deque))
			return true;
	return false;
}

static uint32_t next_random(struct task_worker *w)
{
	w->random ^= w->random << 13;
	w->random ^= w->random >> 17;
	w->random ^= w->random << 5;
	return w->random;
}

static struct task_slot *steal_from(struct task_worker *w, struct task_worker *victim)
{
	struct task_slot *slot = task_deque_steal(&victim->deque);

	if (!slot)
		return NULL;
	if (slot->parent)
		atomic_store_explicit(&slot->parent->thief, w->number + 1, memory_order_relaxed);
	task_count(&w->counts.stolen, 1);
	return slot;
}

static struct task_slot *steal_any(struct task_worker *w)
{
	struct leat_tasks *pool = w->pool;
	unsigned start = next_random(w) % pool->n_workers;

	for (unsigned i = 0; i < pool->n_workers; i++) {
		struct task_worker *victim = &pool->workers[(start + i) % pool->n_workers];
		if (victim == w || !task_deque_has_work(&victim->deque))
			continue;
		struct task_slot *slot = steal_from(w, victim);
		if (slot)
			return slot;
	}
	return NULL;
}

/* --- sleeping --- */

void task_worker_wake(struct task_worker *w)
{
	struct leat_tasks *pool = w->pool;
	uint32_t parked = 1;

	if (!atomic_compare_exchange_strong(&w->parked, &parked, 0))
		return;
	atomic_store_explicit(&w->woken_ns, lt_now_ns(), memory_order_relaxed);
	/* On behalf of the sleeper: from now on there is a searcher, so no second call. */
	atomic_fetch_add(&pool->searching, 1);
	atomic_fetch_sub(&pool->sleeping, 1);
	sync_wake(&w->parked, 1);
}

void task_pool_call(struct leat_tasks *pool)
{
	if (atomic_load(&pool->sleeping) <= 0 || atomic_load(&pool->searching) > 0)
		return;
	for (unsigned i = 0; i < pool->n_workers; i++) {
		struct task_worker *w = &pool->workers[i];
		if (atomic_load_explicit(&w->parked, memory_order_relaxed)) {
			task_worker_wake(w);
			return;
		}
	}
}

/* What a worker looks out for besides work: `frame` is the task it joins, or NULL. */
static bool nothing_to_wait_for(struct task_worker *w, struct leat_task *frame)
{
	if (frame)
		return !(atomic_load(&frame->pending) & ~TASK_JOINER_SLEEPS);
	if (w->number == 0)
		return atomic_load(&w->pool->active) == 0;
	return atomic_load(&w->pool->closing);
}

/* A join nested too deep waits for its own tasks only. */
static bool may_steal(const struct task_worker *w, const struct leat_task *frame)
{
	return !frame || w->nest < TASK_NEST_MAX;
}

/* Called, and returns, as a searcher. */
static void park(struct task_worker *w, struct leat_task *frame)
{
	struct leat_tasks *pool = w->pool;
	uint32_t parked = 1;

	if (frame)
		atomic_fetch_or(&frame->pending, TASK_JOINER_SLEEPS);
	atomic_store(&w->parked, 1);
	atomic_fetch_add(&pool->sleeping, 1);
	atomic_fetch_sub(&pool->searching, 1);
	bool stay = nothing_to_wait_for(w, frame) || (may_steal(w, frame) && work_in_sight(pool));
	if (stay && atomic_compare_exchange_strong(&w->parked, &parked, 0)) {
		atomic_fetch_sub(&pool->sleeping, 1);
		atomic_fetch_add(&pool->searching, 1);
	} else if (!stay) {
		int64_t since = stats_sleep_begin(w->seen, LEAT_CAUSE_TASK);
		while (atomic_load(&w->parked))
			sync_wait(&w->parked, 1, NULL);
		int64_t woken = atomic_load_explicit(&w->woken_ns, memory_order_relaxed);
		int64_t slept = stats_sleep_end(w->seen, LEAT_CAUSE_TASK, since, woken);
		task_count(&w->counts.sleeps, 1);
		task_count(&w->counts.asleep_ns, (uint64_t)slept);
	} /* else: called in between, and counted as a searcher by the caller */
	if (frame)
		atomic_fetch_and(&frame->pending, ~TASK_JOINER_SLEEPS);
}

/* --- looking for work --- */

/* One attempt. Outside of a join the worker counts as active from before it steals. */
static struct task_slot *try_steal(struct task_worker *w, struct leat_task *frame)
{
	struct leat_tasks *pool = w->pool;

	if (frame) {
		uint32_t thief = atomic_load_explicit(&frame->thief, memory_order_relaxed);
		struct task_slot *slot = thief ? steal_from(w, &pool->workers[thief - 1]) : NULL;
		return slot ? slot : steal_any(w);
	}
	if (!work_in_sight(pool))
		return NULL;
	atomic_fetch_add(&pool->active, 1);
	struct task_slot *slot = steal_any(w);
	if (!slot && atomic_fetch_sub(&pool->active, 1) == 1)
		task_worker_wake(&pool->workers[0]);
	return slot;
}

static void note_spin(struct task_worker *w, int64_t ns)
{
	if (ns > 0 && w->seen)
		stats_add(w->seen, LEAT_V_THREAD_SPIN_NS, (uint64_t)ns);
}

/* Spins no longer than a wake-up was seen to take, and sleeps. Returns a task, or NULL when
 * there is nothing to wait for any more. */
static struct task_slot *search(struct task_worker *w, struct leat_task *frame)
{
	struct leat_tasks *pool = w->pool;
	struct task_slot *slot = NULL;
	int64_t spin_from = 0, now = 0;

	atomic_fetch_add(&pool->searching, 1);
	while (!nothing_to_wait_for(w, frame)) {
		slot = may_steal(w, frame) ? try_steal(w, frame) : NULL;
		if (slot)
			break;
		int64_t spin_ns = park_may_spin() ? pool->wake_ns : 0;
		now = spin_ns ? lt_now_ns() : spin_from;
		if (!spin_from)
			spin_from = now;
		if (now - spin_from < spin_ns) {
			for (int i = 0; i < TASK_SPIN_PAUSES; i++)
				sync_pause();
			continue;
		}
		note_spin(w, now - spin_from);
		park(w, frame);
		now = spin_from = 0;
	}
	note_spin(w, now - spin_from);
	/* The last searcher to find work calls the next one, as there may be more of it. */
	if (atomic_fetch_sub(&pool->searching, 1) == 1 && slot && work_in_sight(pool))
		task_pool_call(pool);
	return slot;
}

/* Every wait is for a task that started later, or not yet, and then lies in the waiter's own
 * deque above `base`. So running anything else on top, stolen or older, cannot close a circle;
 * it only costs stack, hence the limit. */
void task_join(struct task_worker *w, struct leat_task *frame)
{
	while (!nothing_to_wait_for(w, frame)) {
		bool own = task_deque_bottom(&w->deque) > frame->base;
		struct task_slot *slot = own ? task_deque_take(&w->deque) : NULL;
		if (slot) {
			run_slot(w, slot);
			continue;
		}
		slot = may_steal(w, frame) ? task_deque_take(&w->deque) : NULL;
		if (!slot)
			slot = search(w, frame);
		if (!slot)
			break;
		w->nest++;
		run_slot(w, slot);
		w->nest--;
	}
}

void task_worker_loop(struct task_worker *w)
{
	struct leat_tasks *pool = w->pool;

	for (;;) {
		struct task_slot *slot = task_deque_take(&w->deque);
		if (!slot) {
			if (atomic_fetch_sub(&pool->active, 1) == 1 && w->number != 0)
				task_worker_wake(&pool->workers[0]);
			slot = search(w, NULL);
		}
		if (!slot)
			return;
		run_slot(w, slot);
	}
}
