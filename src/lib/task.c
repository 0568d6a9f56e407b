/* SPDX-License-Identifier: MIT */
/* The public face of the task pool: making, running and freeing it, and what a running task
 * may ask for. */
#include <leat/task.h>

#include "base/own.h"
#include "lib/cpus.h"
#include "lib/env.h"
#include "lib/err.h"
#include "lib/park.h"
#include "lib/task_pool.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	TASK_THREADS_MAX = 1024,
	TASK_SLOTS_DEFAULT = 1024,
	TASK_SLOTS_MAX = 1 << 20,
	TASK_ARG_DEFAULT = 64,
	TASK_ARG_MAX = 1 << 20,
	TASK_CELL_MAX = 1 << 24,
	TASK_WANTED = 2, /* waiting tasks that keep thieves busy while this worker goes on */
};

/* --- making and freeing --- */

static size_t round_up(size_t size, size_t to)
{
	return (size + to - 1) / to * to;
}

static void *alloc_zeroed(size_t size)
{
	size_t whole = round_up(size, TASK_LINE);
	void *p = aligned_alloc(TASK_LINE, whole);

	return p ? memset(p, 0, whole) : NULL;
}

static void *helper_main(void *arg)
{
	struct task_worker *w = arg;

	task_self = w;
	w->seen = stats_thread_begin("tasks");
	if (w->cpu >= 0)
		cpus_bind(w->cpu); /* refused: then it runs unbound */
	task_worker_loop(w);
	stats_thread_end(w->seen);
	return NULL;
}

static void pool_close(struct leat_tasks *pool)
{
	atomic_store(&pool->closing, 1);
	for (unsigned i = 1; i <= pool->n_started; i++)
		task_worker_wake(&pool->workers[i]);
	for (unsigned i = 1; i <= pool->n_started; i++)
		pthread_join(pool->workers[i].thread, NULL);
	for (unsigned i = 0; pool->workers && i < pool->n_workers; i++) {
		free(pool->workers[i].slab);
		free((void *)pool->workers[i].deque.ring);
	}
	park_threads_add(-(int)pool->n_workers);
	free(pool->workers);
	free(pool->cells);
	free(pool);
}

static void pool_closep(struct leat_tasks **pool)
{
	if (*pool)
		pool_close(*pool);
}

static int check_opts(const struct leat_tasks_opts *o, struct leat_err *err)
{
	if (o->threads > TASK_THREADS_MAX)
		return LEAT_FAIL(err, -EINVAL, "LEAT-TASK-OPTS", "%u threads, at most %d",
			o->threads, TASK_THREADS_MAX);
	if (o->slots > TASK_SLOTS_MAX || (o->slots & (o->slots - 1)))
		return LEAT_FAIL(err, -EINVAL, "LEAT-TASK-OPTS",
			"%u slots, not a power of two up to %d", o->slots, TASK_SLOTS_MAX);
	if (o->arg_size > TASK_ARG_MAX)
		return LEAT_FAIL(err, -EINVAL, "LEAT-TASK-OPTS",
			"arguments of %zu bytes, at most %d", o->arg_size, TASK_ARG_MAX);
	if (o->cell_size > TASK_CELL_MAX)
		return LEAT_FAIL(err, -EINVAL, "LEAT-TASK-OPTS", "cells of %zu bytes, at most %d",
			o->cell_size, TASK_CELL_MAX);
	if (o->cpus && cpus_count(o->cpus) <= 0)
		return LEAT_FAIL(err, -EINVAL, "LEAT-TASK-OPTS",
			"'%.80s' is not a list of CPUs such as 0-3,5", o->cpus);
	return 0;
}

static int worker_init(struct leat_tasks *pool, unsigned number, const char *cpus)
{
	struct task_worker *w = &pool->workers[number];

	w->pool = pool;
	w->number = number;
	w->cpu = cpus ? cpus_nth(cpus, number) : -1;
	w->random = 2654435769U * (number + 1);
	/* Not touched before it is used: a page of it costs memory only then. */
	w->slab = aligned_alloc(TASK_LINE, pool->n_slots * pool->slot_stride);
	w->deque.ring = alloc_zeroed(pool->n_slots * sizeof(*w->deque.ring));
	w->deque.mask = (int64_t)pool->n_slots - 1;
	w->cell = pool->cells ? (char *)pool->cells + number * pool->cell_stride : NULL;
	return w->slab && w->deque.ring ? 0 : -ENOMEM;
}

static int pool_init(struct leat_tasks *pool, const struct leat_tasks_opts *o)
{
	pool->arg_size = o->arg_size ? o->arg_size : TASK_ARG_DEFAULT;
	pool->n_slots = o->slots ? o->slots : TASK_SLOTS_DEFAULT;
	pool->slot_stride = round_up(sizeof(struct task_slot) + pool->arg_size, TASK_LINE);
	pool->cell_stride = round_up(o->cell_size, TASK_LINE);
	pool->cancel = o->cancel;
	pool->workers = alloc_zeroed(pool->n_workers * sizeof(*pool->workers));
	if (!pool->workers)
		return -ENOMEM;
	if (pool->cell_stride) {
		pool->cells = alloc_zeroed(pool->n_workers * pool->cell_stride);
		if (!pool->cells)
			return -ENOMEM;
	}
	for (unsigned i = 0; i < pool->n_workers; i++)
		if (worker_init(pool, i, o->cpus))
			return -ENOMEM;
	return 0;
}

int leat_tasks_new(
	const struct leat_tasks_opts *opts, struct leat_tasks **ret_pool, struct leat_err *err)
{
	struct leat_tasks_opts own = { 0 };
	const struct leat_tasks_opts *o = &own;
	if (opts)
		own = *opts;
	int r = env_number("LEAT_THREADS", TASK_THREADS_MAX, &own.threads, err);
	if (r >= 0)
		r = check_opts(o, err);
	if (r < 0)
		return r;
	LT_AUTO(pool_closep) struct leat_tasks *pool = alloc_zeroed(sizeof(*pool));
	if (!pool)
		return LEAT_FAIL_MEM(err);
	pool->n_workers = o->threads ? o->threads : park_cpus();
	pool->wake_ns = pool->n_workers > 1 ? park_wake_ns() : 0;
	park_threads_add((int)pool->n_workers);
	if (pool_init(pool, o))
		return LEAT_FAIL(err, -ENOMEM, "LEAT-MEMORY",
			"out of memory for %u threads with %u tasks of %zu bytes each",
			pool->n_workers, pool->n_slots, pool->arg_size);
	/* Helpers count as active until they have found that there is nothing to do. */
	atomic_store(&pool->active, (int32_t)pool->n_workers - 1);
	for (unsigned i = 1; i < pool->n_workers; i++) {
		struct task_worker *w = &pool->workers[i];
		int e = pthread_create(&w->thread, NULL, helper_main, w);
		if (e)
			return LEAT_FAIL(err, -e, "LEAT-TASK-THREADS",
				"cannot start thread %u of %u: %s", i + 1, pool->n_workers,
				strerror(e));
		pool->n_started = i;
	}
	*ret_pool = LT_TAKE(pool);
	return 0;
}

int leat_tasks_free(struct leat_tasks *pool)
{
	if (!pool)
		return 0;
	if (atomic_load(&pool->running))
		return LEAT_FAIL(err_last(), -EBUSY, "LEAT-TASK-BUSY",
			"a pool is freed while a run is in progress");
	pool_close(pool);
	return 0;
}

/* --- a run --- */

static int run_result(struct leat_tasks *pool, struct leat_err *err)
{
	switch ((enum task_stop)atomic_load(&pool->stop)) {
	case TASK_STOP_CANCELED:
		return LEAT_FAIL(err, -ECANCELED, "LEAT-CANCELED", "the run was cancelled");
	case TASK_STOP_FAILED:
		if (err)
			*err = pool->err;
		return pool->err.code;
	case TASK_STOP_NO:
	case TASK_STOP_ENOUGH:
		break;
	}
	return 0;
}

int leat_tasks_run(struct leat_tasks *pool, leat_task_fn *fn, const void *arg, size_t arg_size,
	struct leat_err *err)
{
	uint32_t idle = 0;

	if (task_self)
		return LEAT_FAIL(err, -EDEADLK, "LEAT-TASK-NESTED",
			"a task may not run a pool; it can spawn or fork tasks");
	if (arg_size > pool->arg_size)
		return LEAT_FAIL(err, -EMSGSIZE, "LEAT-TASK-SIZE",
			"an argument of %zu bytes, the pool takes %zu", arg_size, pool->arg_size);
	if (!atomic_compare_exchange_strong(&pool->running, &idle, 1))
		return LEAT_FAIL(err, -EBUSY, "LEAT-TASK-BUSY", "another run is in progress");

	struct task_worker *w = &pool->workers[0];
	atomic_store(&pool->stop, TASK_STOP_NO);
	if (pool->cells)
		memset(pool->cells, 0, pool->n_workers * pool->cell_stride);
	task_self = w;
	w->seen = stats_thread_self("main");
	atomic_fetch_add(&pool->active, 1);
	task_call(w, fn, arg);
	task_worker_loop(w);
	task_self = NULL;
	int r = run_result(pool, err);
	atomic_store(&pool->running, 0);
	return r;
}

unsigned leat_tasks_threads(const struct leat_tasks *pool)
{
	return pool->n_workers;
}

void *leat_tasks_cell(struct leat_tasks *pool, unsigned thread)
{
	return thread < pool->n_workers ? pool->workers[thread].cell : NULL;
}

int leat_tasks_stats(
	const struct leat_tasks *pool, unsigned thread, struct leat_tasks_stats *ret_stats)
{
	if (thread >= pool->n_workers)
		return -EINVAL;
	const struct task_counts *c = &pool->workers[thread].counts;
	*ret_stats = (struct leat_tasks_stats){
		.tasks = atomic_load_explicit(&c->tasks, memory_order_relaxed),
		.stolen = atomic_load_explicit(&c->stolen, memory_order_relaxed),
		.inlined = atomic_load_explicit(&c->inlined, memory_order_relaxed),
		.sleeps = atomic_load_explicit(&c->sleeps, memory_order_relaxed),
		.asleep_ns = atomic_load_explicit(&c->asleep_ns, memory_order_relaxed),
	};
	return 0;
}

/* --- inside a task --- */

/* The worker of `task` if this thread is running just that, else NULL. Compares pointers
 * only, so that a stale or foreign handle does no harm. */
static struct task_worker *own_worker(const struct leat_task *task)
{
	struct task_worker *w = task_self;

	return w && w->frame == task ? w : NULL;
}

/* Says what failed in *ret_err; the pool keeps it if it is the first. */
LT_PRINTF(4, 0)
static void pool_fail(struct leat_tasks *pool, int code, const char *id, const char *fmt,
	va_list args, struct leat_err *ret_err)
{
	char text[sizeof(ret_err->text)];

	vsnprintf(text, sizeof(text), fmt, args);
	LEAT_FAIL(ret_err, code, id, "%s", text);
	if (task_pool_stop(pool, TASK_STOP_FAILED))
		pool->err = *ret_err;
}

LT_PRINTF(4, 5)
static int misuse(struct task_worker *w, int code, const char *id, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	pool_fail(w->pool, code, id, fmt, args, err_last());
	va_end(args);
	return code;
}

/* Another task's handle on a worker of a pool is a misuse of that run; on a strange thread
 * there is no run to fail. */
static int misuse_of_handle(const char *call)
{
	struct task_worker *w = task_self;

	if (w && w->frame)
		return misuse(w, -EPERM, "LEAT-TASK-HANDLE",
			"%s with the handle of a task that is not the one running", call);
	return LEAT_FAIL(err_last(), -EPERM, "LEAT-TASK-HANDLE", "%s outside of the task", call);
}

int leat_task_fail(struct leat_task *task, int code, const char *fmt, ...)
{
	struct task_worker *w = own_worker(task);
	struct leat_err err;
	va_list args;

	if (!w)
		return misuse_of_handle("fail");
	va_start(args, fmt);
	pool_fail(w->pool, code, "LEAT-TASK-FAILED", fmt, args, &err);
	va_end(args);
	return err.code;
}

static int add_task(struct leat_task *task, leat_task_fn *fn, const void *arg, size_t arg_size,
	bool joined, const char *call)
{
	struct task_worker *w = own_worker(task);

	if (!w)
		return misuse_of_handle(call);
	if (arg_size > w->pool->arg_size)
		return misuse(w, -EMSGSIZE, "LEAT-TASK-SIZE",
			"%s with an argument of %zu bytes, the pool takes %zu", call, arg_size,
			w->pool->arg_size);
	struct task_slot *slot = task_slot_get(w);
	if (!slot) {
		task_count(&w->counts.inlined, 1);
		task_call(w, fn, arg);
		return 0;
	}
	slot->fn = fn;
	slot->parent = joined ? task : NULL;
	if (arg_size)
		memcpy(slot->arg, arg, arg_size);
	if (joined)
		atomic_fetch_add_explicit(&task->pending, 1, memory_order_relaxed);
	task_deque_push(&w->deque, slot);
	task_pool_call(w->pool);
	return 0;
}

int leat_task_spawn(struct leat_task *task, leat_task_fn *fn, const void *arg, size_t arg_size)
{
	return add_task(task, fn, arg, arg_size, false, "spawn");
}

int leat_task_fork(struct leat_task *task, leat_task_fn *fn, const void *arg, size_t arg_size)
{
	return add_task(task, fn, arg, arg_size, true, "fork");
}

int leat_task_join(struct leat_task *task)
{
	struct task_worker *w = own_worker(task);

	if (!w)
		return misuse_of_handle("join");
	task_join(w, task);
	return task_pool_stopped(w->pool) ? -ECANCELED : 0;
}

bool leat_task_wanted(struct leat_task *task)
{
	struct task_worker *w = own_worker(task);

	return w && w->pool->n_workers > 1 && task_deque_length(&w->deque) < TASK_WANTED;
}

bool leat_task_stopped(struct leat_task *task)
{
	struct task_worker *w = own_worker(task);

	return w && task_pool_stopped(w->pool);
}

void leat_task_enough(struct leat_task *task)
{
	struct task_worker *w = own_worker(task);

	if (w)
		task_pool_stop(w->pool, TASK_STOP_ENOUGH);
}

void *leat_task_cell(struct leat_task *task)
{
	struct task_worker *w = own_worker(task);

	return w ? w->cell : NULL;
}

unsigned leat_task_thread(const struct leat_task *task)
{
	struct task_worker *w = own_worker(task);

	return w ? w->number : 0;
}
