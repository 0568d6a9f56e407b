/* SPDX-License-Identifier: MIT */
/* Tasks: work stealing for irregular trees of work, such as searches and divide and conquer.
 *
 * A pool has a fixed number of threads, the caller's own among them. One call runs a root
 * task and all that it brings forth; a task may spawn others and forget them, or fork some
 * and join them. Memory is allocated when the pool is made and never after: a spawned
 * task's argument is copied into a slot of its thread, and when the slots are used up the
 * new task simply runs at once. Threads without work sleep. */
#ifndef LEAT_TASK_H
#define LEAT_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <leat/base.h>
#include <leat/cancel.h>

LEAT_BEGIN_DECLS

struct leat_tasks; /* a pool of threads */
struct leat_task;  /* a task while it runs; valid until its function returns */

/* Returns 0, or a negative errno that fails the whole run (see leat_task_fail). `arg` is
 * read-only and lives until the function returns. */
typedef int leat_task_fn(struct leat_task *task, const void *arg);

/* Zeros are the defaults. */
struct leat_tasks_opts {
	unsigned threads; /* with the caller's own; 0: one for each CPU the caller may use */
	unsigned slots;   /* tasks that can wait on one thread, a power of two; 0: 1024 */
	size_t arg_size;  /* largest argument of a task, in bytes; 0: 64 */
	size_t cell_size; /* size of each thread's result cell, in bytes; 0: no cells */
	const char *cpus; /* thread i > 0 runs on the i-th CPU of the list, e.g. "0-3,8" or "all";
			     the caller stays where it is; NULL: free */
	struct leat_cancel *cancel; /* while raised, runs end with -ECANCELED; borrowed; or NULL */
};

/* One thread's work since the pool was made. */
struct leat_tasks_stats {
	uint64_t tasks;     /* tasks run */
	uint64_t stolen;    /* of these, taken from another thread */
	uint64_t inlined;   /* of these, run at once for want of a slot */
	uint64_t sleeps;    /* times the thread went to sleep for want of work */
	uint64_t asleep_ns; /* how long it slept within runs and between them */
};

/* Makes a pool.
 * **Owner:** the caller; leat_tasks_free. **Threads:** any. **Blocks:** no.
 * **Errors:** -EINVAL LEAT-TASK-OPTS, -ENOMEM LEAT-MEMORY, -EAGAIN LEAT-TASK-THREADS. */
LEAT_API int leat_tasks_new(
	const struct leat_tasks_opts *opts, struct leat_tasks **ret_pool, struct leat_err *err);

/* Ends the pool's threads and frees it; NULL is fine.
 * **Threads:** one caller. **Blocks:** until the threads have ended.
 * **Errors:** -EBUSY while a run is in progress (then nothing is freed). */
LEAT_API int leat_tasks_free(struct leat_tasks *pool);

/* Runs the root task `fn` with a copy of `arg`, and all tasks that come from it, on the
 * pool's threads and the caller's; clears the cells first.
 * **Threads:** one caller at a time, and not from inside a task of any pool.
 * **Blocks:** until the last task has ended.
 * **Errors:** -ECANCELED LEAT-CANCELED when its cancel object was raised: tasks that waited were
 * dropped; the first failed task's code, its
 * text as given to leat_task_fail; -EBUSY LEAT-TASK-BUSY when a run is in progress, -EDEADLK
 * LEAT-TASK-NESTED from inside a task, -EMSGSIZE LEAT-TASK-SIZE. */
LEAT_API int leat_tasks_run(struct leat_tasks *pool, leat_task_fn *fn, const void *arg,
	size_t arg_size, struct leat_err *err);

/* The number of threads, the caller's included. **Threads:** any. **Blocks:** no. */
LEAT_API unsigned leat_tasks_threads(const struct leat_tasks *pool);

/* The cell of thread 0 <= `thread` < leat_tasks_threads(), to be added up after a run; NULL
 * when there is none.
 * **Owner:** the pool; cleared by the next run. **Threads:** between runs. **Blocks:** no. */
LEAT_API void *leat_tasks_cell(struct leat_tasks *pool, unsigned thread);

/* What one thread did; exact between runs. **Threads:** any. **Blocks:** no.
 * **Errors:** -EINVAL when there is no such thread. */
LEAT_API int leat_tasks_stats(
	const struct leat_tasks *pool, unsigned thread, struct leat_tasks_stats *ret_stats);

/* The calls below are for the running task only: `task` is what its function was given. From
 * another thread, or with another task's handle, they do nothing and say so with -EPERM
 * (NULL, false). A misuse of a run fails the run too, so that it cannot go unseen. */

/* Adds a task that nobody waits for but the run itself. It may run at once, later on this
 * thread, or on another one; `arg_size` bytes of `arg` are copied.
 * **Blocks:** no, but may run the task. **Errors:** -EMSGSIZE LEAT-TASK-SIZE, -EPERM. */
LEAT_API int leat_task_spawn(
	struct leat_task *task, leat_task_fn *fn, const void *arg, size_t arg_size);

/* The same for a task that leat_task_join waits for; if a task returns without
 * joining, the library joins for it, but by then the task's own variables are gone. */
LEAT_API int leat_task_fork(
	struct leat_task *task, leat_task_fn *fn, const void *arg, size_t arg_size);

/* Waits until all tasks forked by this task have ended; runs them, and others, meanwhile.
 * **Blocks:** yes. **Errors:** -ECANCELED when the run is being stopped: then some of them may
 * not have run. */
LEAT_API int leat_task_join(struct leat_task *task);

/* True when one more spawned task would be of use: few wait on this thread, and there are
 * other threads. A search asks at each branch, spawns one side if so, and else goes on by
 * itself at the cost of two loads; a spawn after true never runs the task at once. */
LEAT_API bool leat_task_wanted(struct leat_task *task);

/* True once the run is cancelled, has failed or has enough: the task should return soon. */
LEAT_API bool leat_task_stopped(struct leat_task *task);

/* Ends the run with success: what was looked for is found, the tasks that wait are dropped. */
LEAT_API void leat_task_enough(struct leat_task *task);

/* Fails the run with `code`, a negative errno, and a text; the first failure wins. Returns
 * code, to end the task with. */
LEAT_API int leat_task_fail(struct leat_task *task, int code, const char *fmt, ...)
	LEAT_PRINTF(3, 4);

/* This thread's result cell: no other thread touches it, or its cache lines, during a run. */
LEAT_API void *leat_task_cell(struct leat_task *task);

/* This thread's number, 0 for the caller of leat_tasks_run. */
LEAT_API unsigned leat_task_thread(const struct leat_task *task);

LEAT_END_DECLS

#endif
