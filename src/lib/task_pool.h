/* SPDX-License-Identifier: MIT */
/* The workers of a task pool: how a task is kept, found, run and finished, and how a worker
 * without work goes to sleep and is woken. task.c is the public face of it. */
#ifndef LIB_TASK_POOL_H
#define LIB_TASK_POOL_H

#include <leat/task.h>

#include "lib/stats.h"
#include "lib/sync.h"
#include "lib/task_deque.h"

#include <pthread.h>

struct task_worker;

/* A spawned task while it waits. Slots never move: the one who runs the task reads the
 * argument in place and then sends the slot home. */
struct task_slot {
	leat_task_fn *fn;
	struct leat_task *parent;  /* who joins it, on its worker's stack; NULL: nobody */
	struct task_worker *owner; /* whose slab it is, and who runs the parent */
	struct task_slot *next;    /* in a free list */
	alignas(16) unsigned char arg[];
};

/* As struct leat_tasks_stats. Written by the owner alone, read by any thread. */
struct task_counts {
	_Atomic(uint64_t) tasks, stolen, inlined, sleeps, asleep_ns;
};

static inline void task_count(_Atomic(uint64_t) *count, uint64_t n)
{
	uint64_t old = atomic_load_explicit(count, memory_order_relaxed);

	atomic_store_explicit(count, old + n, memory_order_relaxed);
}

/* A running task, on the stack of the worker that runs it. */
struct leat_task {
	struct leat_task *up;      /* what this worker ran before and will go on with */
	int64_t base;              /* where its deque ended: what lies above came after */
	_Atomic(uint32_t) pending; /* forked and not ended; the top bit: the joiner sleeps */
	_Atomic(uint32_t) thief;   /* worker that last stole one of the forked, plus one */
};

enum task_stop {
	TASK_STOP_NO,
	TASK_STOP_ENOUGH,
	TASK_STOP_CANCELED,
	TASK_STOP_FAILED, /* and pool->err says why */
};

struct task_worker {
	/* The owner's own. */
	struct task_deque deque;
	alignas(TASK_LINE) struct leat_tasks *pool;
	unsigned number;
	int cpu;       /* to run on, or -1 */
	unsigned nest; /* joins in progress that took up stolen work */
	uint32_t random;
	struct leat_task *frame; /* the innermost running task */
	struct task_slot *free;  /* slots that came back on this thread */
	unsigned char *slab;
	unsigned fresh; /* slots of the slab never used so far start here */
	void *cell;
	struct task_counts counts;
	struct leat_stats_slot *seen; /* its place on the statistics page, or NULL */
	pthread_t thread;
	/* Others touch these. */
	alignas(TASK_LINE) _Atomic(struct task_slot *) returned; /* slots other workers sent home */
	sync_u32 parked;                                         /* the futex word: 1 asleep */
	_Atomic(int64_t) woken_ns;                               /* when the waker called */
};

/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): lines of their own are the point */
struct leat_tasks {
	unsigned n_workers;
	unsigned n_slots;
	size_t slot_stride;
	size_t arg_size;
	size_t cell_stride;
	struct leat_cancel *cancel; /* borrowed, or NULL */
	unsigned n_started;
	struct task_worker *workers;
	void *cells;
	struct leat_err err; /* written by the one who moved `stop` to TASK_STOP_FAILED */
	int64_t wake_ns;     /* what a wake-up takes, from the call to the sleeper running */
	/* Read by every task, written once a run. */
	alignas(TASK_LINE) _Atomic(uint32_t) stop; /* enum task_stop */
	_Atomic(uint32_t) running;                 /* a run is in progress */
	_Atomic(uint32_t) closing;
	/* Written when a worker runs dry or finds work, so on lines of their own. */
	alignas(TASK_LINE) _Atomic(int32_t) active;    /* workers that hold, or may hold, a task */
	alignas(TASK_LINE) _Atomic(int32_t) searching; /* workers awake and looking for work */
	_Atomic(int32_t) sleeping;                     /* workers parked */
};

/* The worker this thread is, if it is one. */
extern _Thread_local struct task_worker *task_self;

/* Moves the pool to `stop` unless it is stopping already; true for the one who did. */
bool task_pool_stop(struct leat_tasks *pool, enum task_stop stop);

/* True once the run is to end; notices a raised cancel object. */
bool task_pool_stopped(struct leat_tasks *pool);

/* Owner only: a slot to fill, or NULL when all are in use. */
struct task_slot *task_slot_get(struct task_worker *w);

/* Runs one task here and now, and joins what it forked. */
void task_call(struct task_worker *w, leat_task_fn *fn, const void *arg);

/* Waits for the forked tasks of the worker's innermost task. */
void task_join(struct task_worker *w, struct leat_task *frame);

/* Runs tasks until, for worker 0, the run is over, or, for the others, the pool closes. */
void task_worker_loop(struct task_worker *w);

/* After a push: calls a sleeper unless somebody is looking for work already. */
void task_pool_call(struct leat_tasks *pool);

/* Wakes one worker if it sleeps. Safe in a signal handler. */
void task_worker_wake(struct task_worker *w);

#endif
