/* SPDX-License-Identifier: MIT */
/* Task pools: every task runs once, joins wait, cancel and errors end a run, misuse has a name,
 * nothing is allocated per task, and a pool without work sleeps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <leat/task.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "alloc.h"

/* --- helpers --- */

static struct leat_tasks *pool_of(struct leat_tasks_opts opts)
{
	struct leat_tasks *pool;
	struct leat_err err = { 0 };

	assert_int_equal(leat_tasks_new(&opts, &pool, &err), 0);
	return pool;
}

static void free_pool(struct leat_tasks *pool)
{
	assert_int_equal(leat_tasks_free(pool), 0);
}

static void sleep_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

/* Threads that are there before the pool: this one, and a sanitizer's own, which ticks. */
static int strangers[8];
static size_t n_strangers;

static void note_strangers(void)
{
	DIR *dir = opendir("/proc/self/task");
	struct dirent *entry;

	n_strangers = 0;
	while (dir && n_strangers < 8 && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			strangers[n_strangers++] = atoi(entry->d_name);
	if (dir)
		closedir(dir);
}

static bool is_stranger(int tid)
{
	for (size_t i = 0; i < n_strangers; i++)
		if (strangers[i] == tid)
			return true;
	return false;
}

struct box {
	void *p;
};

/* A tree of tasks, three below each: depth d has (3^(d+1) - 1) / 2 of them. */
struct tree {
	unsigned depth;
	unsigned char filler[52]; /* the whole of a default argument */
};

static uint64_t tree_size(unsigned depth)
{
	uint64_t level = 1, sum = 0;

	for (unsigned i = 0; i <= depth; i++, level *= 3)
		sum += level;
	return sum;
}

static int grow(struct leat_task *task, const void *arg)
{
	struct tree t = *(const struct tree *)arg;
	uint64_t *count = leat_task_cell(task);

	for (size_t i = 0; i < sizeof(t.filler); i++)
		if (t.filler[i] != (unsigned char)(t.depth + i))
			return -EBADMSG;
	if (count)
		++*count;
	if (!t.depth--)
		return 0;
	for (size_t i = 0; i < sizeof(t.filler); i++)
		t.filler[i] = (unsigned char)(t.depth + i);
	for (int i = 0; i < 3; i++)
		leat_task_spawn(task, grow, &t, sizeof(t));
	memset(&t, 0xee, sizeof(t)); /* the tasks have copies */
	return 0;
}

static struct tree tree_of(unsigned depth)
{
	struct tree t = { .depth = depth };

	for (size_t i = 0; i < sizeof(t.filler); i++)
		t.filler[i] = (unsigned char)(depth + i);
	return t;
}

static uint64_t sum_cells(struct leat_tasks *pool)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < leat_tasks_threads(pool); i++)
		sum += *(const uint64_t *)leat_tasks_cell(pool, i);
	return sum;
}

static struct leat_tasks_stats sum_stats(struct leat_tasks *pool)
{
	struct leat_tasks_stats sum = { 0 }, one;

	for (unsigned i = 0; i < leat_tasks_threads(pool); i++) {
		assert_int_equal(leat_tasks_stats(pool, i, &one), 0);
		sum.tasks += one.tasks;
		sum.stolen += one.stolen;
		sum.inlined += one.inlined;
		sum.sleeps += one.sleeps;
	}
	return sum;
}

/* --- what is right --- */

static void every_task_runs_once(void **state)
{
	(void)state;
	for (unsigned threads = 1; threads <= 4; threads++) {
		struct leat_tasks *pool = pool_of((struct leat_tasks_opts){
			.threads = threads, .cell_size = sizeof(uint64_t) });
		for (unsigned depth = 0; depth <= 9; depth++) {
			struct tree t = tree_of(depth);
			assert_int_equal(leat_tasks_run(pool, grow, &t, sizeof(t), NULL), 0);
			assert_int_equal(
				sum_cells(pool), tree_size(depth)); /* cells were cleared */
		}
		uint64_t all = 0;
		for (unsigned depth = 0; depth <= 9; depth++)
			all += tree_size(depth);
		assert_int_equal(sum_stats(pool).tasks, all);
		assert_int_equal(sum_stats(pool).inlined, 0); /* slots come back */
		free_pool(pool);
	}
}

static void without_slots_tasks_run_at_once(void **state)
{
	struct leat_tasks *pool = pool_of((struct leat_tasks_opts){
		.threads = 2, .slots = 2, .cell_size = sizeof(uint64_t) });
	struct tree t = tree_of(8);

	(void)state;
	assert_int_equal(leat_tasks_run(pool, grow, &t, sizeof(t), NULL), 0);
	assert_int_equal(sum_cells(pool), tree_size(8));
	assert_true(sum_stats(pool).inlined > 0);
	free_pool(pool);
}

struct fib {
	unsigned n;
	uint64_t *ret;
};

static int fib(struct leat_task *task, const void *arg)
{
	const struct fib *f = arg;
	uint64_t a = 0, b = 0;

	if (f->n < 2) {
		*f->ret = f->n;
		return 0;
	}
	struct fib left = { f->n - 1, &a }, right = { f->n - 2, &b };
	leat_task_fork(task, fib, &left, sizeof(left));
	leat_task_fork(task, fib, &right, sizeof(right));
	int r = leat_task_join(task);
	*f->ret = a + b;
	return r;
}

static void join_waits_for_the_forked(void **state)
{
	(void)state;
	for (unsigned threads = 1; threads <= 4; threads++) {
		struct leat_tasks *pool = pool_of((struct leat_tasks_opts){ .threads = threads });
		uint64_t result = 0;
		struct fib f = { 20, &result };
		assert_int_equal(leat_tasks_run(pool, fib, &f, sizeof(f), NULL), 0);
		assert_int_equal(result, 6765);
		free_pool(pool);
	}
}

/* Each task forks one and joins it: as deep as the chain is long. */
static int chain(struct leat_task *task, const void *arg)
{
	const struct fib *f = arg;
	struct fib next = { f->n - 1, f->ret };

	++*f->ret;
	if (!f->n)
		return 0;
	leat_task_fork(task, chain, &next, sizeof(next));
	return leat_task_join(task);
}

static void joins_nest_deeply(void **state)
{
	(void)state;
	for (unsigned threads = 1; threads <= 3; threads++) {
		struct leat_tasks *pool =
			pool_of((struct leat_tasks_opts){ .threads = threads, .slots = 64 });
		uint64_t count = 0;
		struct fib f = { 3000, &count };
		assert_int_equal(leat_tasks_run(pool, chain, &f, sizeof(f), NULL), 0);
		assert_int_equal(count, 3001);
		free_pool(pool);
	}
}

static int fork_and_return(struct leat_task *task, const void *arg)
{
	for (int i = 0; i < 5; i++)
		leat_task_fork(task, grow, arg, sizeof(struct tree));
	return 0;
}

static void run_waits_for_what_was_not_joined(void **state)
{
	struct leat_tasks *pool =
		pool_of((struct leat_tasks_opts){ .threads = 2, .cell_size = sizeof(uint64_t) });
	struct tree t = tree_of(6);

	(void)state;
	assert_int_equal(leat_tasks_run(pool, fork_and_return, &t, sizeof(t), NULL), 0);
	assert_int_equal(sum_cells(pool), 5 * tree_size(6));
	free_pool(pool);
}

static void cells_share_no_line(void **state)
{
	struct leat_tasks *pool = pool_of((struct leat_tasks_opts){ .threads = 3, .cell_size = 8 });
	uintptr_t a = (uintptr_t)leat_tasks_cell(pool, 0), b = (uintptr_t)leat_tasks_cell(pool, 1);

	(void)state;
	assert_true(a % 64 == 0 && b - a >= 64);
	assert_null(leat_tasks_cell(pool, 3));
	free_pool(pool);
}

static int spawn_while_wanted(struct leat_task *task, const void *arg)
{
	unsigned *spawned = *(unsigned *const *)arg;
	struct tree leaf = tree_of(0);

	while (*spawned < 1000 && leat_task_wanted(task)) {
		leat_task_spawn(task, grow, &leaf, sizeof(leaf));
		++*spawned;
	}
	return 0;
}

static void threads_run_on_the_cpus_asked_for(void **state)
{
	cpu_set_t set;
	int bound = 0;

	(void)state;
	note_strangers();
	struct leat_tasks *pool = pool_of((struct leat_tasks_opts){ .threads = 3, .cpus = "0" });
	sleep_ms(50);
	DIR *dir = opendir("/proc/self/task");
	assert_non_null(dir);
	for (struct dirent *entry; (entry = readdir(dir));)
		if (entry->d_name[0] != '.' && !is_stranger(atoi(entry->d_name)) &&
			sched_getaffinity(atoi(entry->d_name), sizeof(set), &set) == 0)
			bound += CPU_COUNT(&set) == 1 && CPU_ISSET(0, &set);
	closedir(dir);
	assert_int_equal(bound, 2);
	free_pool(pool);
}

static int note_thread(struct leat_task *task, const void *arg)
{
	atomic_int *thread = ((const struct box *)arg)->p;

	atomic_store(thread, (int)leat_task_thread(task) + 1);
	return 0;
}

static int spawn_and_watch(struct leat_task *task, const void *arg)
{
	atomic_int *thread = ((const struct box *)arg)->p;

	leat_task_spawn(task, note_thread, arg, sizeof(struct box));
	for (int ms = 0; ms < 10000 && !atomic_load(thread); ms++)
		sleep_ms(1);
	return 0;
}

static void sleeping_thread_is_called_for_work(void **state)
{
	struct leat_tasks *pool = pool_of((struct leat_tasks_opts){ .threads = 2 });
	atomic_int thread = 0;
	struct box box = { &thread };

	(void)state;
	for (int i = 0; i < 20; i++) {
		sleep_ms(2);
		atomic_store(&thread, 0);
		assert_int_equal(leat_tasks_run(pool, spawn_and_watch, &box, sizeof(box), NULL), 0);
		assert_int_equal(atomic_load(&thread), 2);
	}
	free_pool(pool);
}

static void one_thread_wants_no_tasks(void **state)
{
	(void)state;
	for (unsigned threads = 1; threads <= 2; threads++) {
		struct leat_tasks *pool = pool_of((struct leat_tasks_opts){ .threads = threads });
		unsigned spawned = 0, *arg = &spawned;
		assert_int_equal(
			leat_tasks_run(pool, spawn_while_wanted, &arg, sizeof(arg), NULL), 0);
		if (threads == 1)
			assert_int_equal(spawned, 0);
		else
			assert_true(spawned >= 2);
		free_pool(pool);
	}
}

/* --- no allocation, no wake-ups --- */

static void steady_state_allocates_nothing(void **state)
{
	struct leat_tasks *pool =
		pool_of((struct leat_tasks_opts){ .threads = 2, .cell_size = sizeof(uint64_t) });
	struct tree t = tree_of(10);

	(void)state;
	if (!ALLOC_WATCHED) {
		free_pool(pool);
		skip();
	}
	assert_int_equal(leat_tasks_run(pool, grow, &t, sizeof(t), NULL), 0);
	unsigned long before = alloc_count;
	assert_true(before > 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(leat_tasks_run(pool, grow, &t, sizeof(t), NULL), 0);
	assert_int_equal(alloc_count, before);
	free_pool(pool);
}

/* Each allocation fails once: the pool is made whole or not at all. */
static void failed_allocation_is_reported(void **state)
{
	struct leat_tasks_opts opts = { .threads = 2, .cell_size = 8 };
	struct leat_tasks *pool = NULL;
	struct leat_err err;
	int failures = 0, r = -1;

	(void)state;
	if (!ALLOC_WATCHED)
		skip();
	for (long n = 0; r < 0; n++) {
		atomic_store(&alloc_left, n);
		r = leat_tasks_new(&opts, &pool, &err);
		atomic_store(&alloc_left, -1);
		if (r < 0) {
			assert_true(r == -ENOMEM || r == -EAGAIN);
			assert_true(err.text[0]);
			assert_null(pool);
			failures++;
		}
	}
	assert_true(failures >= 7); /* pool, workers, cells, and two for each worker */
	free_pool(pool);
}

/* Voluntary and other switches of the pool's threads. */
static unsigned long switches_of_others(void)
{
	unsigned long sum = 0;
	DIR *dir = opendir("/proc/self/task");
	struct dirent *entry;

	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		char path[300], line[128];
		unsigned long n;
		if (entry->d_name[0] == '.' || is_stranger(atoi(entry->d_name)))
			continue;
		snprintf(path, sizeof(path), "/proc/self/task/%s/status", entry->d_name);
		FILE *f = fopen(path, "r");
		assert_non_null(f);
		while (fgets(line, sizeof(line), f))
			if (sscanf(line, "voluntary_ctxt_switches: %lu", &n) == 1 ||
				sscanf(line, "nonvoluntary_ctxt_switches: %lu", &n) == 1)
				sum += n;
		fclose(f);
	}
	closedir(dir);
	return sum;
}

static int work_alone(struct leat_task *task, const void *arg)
{
	(void)task;
	(void)arg;
	unsigned long before = switches_of_others();
	sleep_ms(150);
	assert_int_equal(switches_of_others(), before);
	return 0;
}

static void idle_threads_never_wake(void **state)
{
	struct tree t = tree_of(7);

	(void)state;
	note_strangers();
	struct leat_tasks *pool = pool_of((struct leat_tasks_opts){ .threads = 3 });
	assert_int_equal(leat_tasks_run(pool, grow, &t, sizeof(t), NULL), 0);
	sleep_ms(50); /* they may still be on their way to sleep */
	unsigned long before = switches_of_others();
	sleep_ms(300);
	assert_int_equal(switches_of_others(), before);
	/* Nor when one task runs that spawns nothing. */
	assert_int_equal(leat_tasks_run(pool, work_alone, NULL, 0, NULL), 0);
	assert_true(sum_stats(pool).sleeps > 0);
	free_pool(pool);
}

/* --- how a run ends early --- */

static int spin_until_stopped(struct leat_task *task, const void *arg)
{
	atomic_int *begun = *(atomic_int *const *)arg;

	leat_task_spawn(task, spin_until_stopped, arg, sizeof(arg));
	atomic_store(begun, 1);
	while (!leat_task_stopped(task))
		sleep_ms(1);
	return 0;
}

struct canceller {
	struct leat_cancel *cancel;
	atomic_int begun;
};

static void *cancel_soon(void *arg)
{
	struct canceller *c = arg;

	while (!atomic_load(&c->begun))
		sleep_ms(1);
	leat_cancel_now(c->cancel);
	return NULL;
}

static void cancel_from_another_thread_ends_a_run(void **state)
{
	struct canceller c = { 0 };
	atomic_int *arg = &c.begun;
	struct leat_err err = { 0 };
	pthread_t thread;

	(void)state;
	assert_int_equal(leat_cancel_new(&c.cancel, NULL), 0);
	struct leat_tasks *pool =
		pool_of((struct leat_tasks_opts){ .threads = 2, .cancel = c.cancel });
	assert_int_equal(pthread_create(&thread, NULL, cancel_soon, &c), 0);
	assert_int_equal(
		leat_tasks_run(pool, spin_until_stopped, &arg, sizeof(arg), &err), -ECANCELED);
	assert_string_equal(err.id, "LEAT-CANCELED");
	pthread_join(thread, NULL);
	/* Still raised: nothing runs. Lowered: all is as before. */
	uint64_t result = 0;
	struct fib f = { 10, &result };
	assert_int_equal(leat_tasks_run(pool, fib, &f, sizeof(f), NULL), -ECANCELED);
	assert_int_equal(result, 0);
	leat_cancel_reset(c.cancel);
	assert_int_equal(leat_tasks_run(pool, fib, &f, sizeof(f), NULL), 0);
	assert_int_equal(result, 55);
	free_pool(pool);
	leat_cancel_free(c.cancel);
}

static struct leat_cancel *signal_cancel;

static void on_signal(int sig)
{
	(void)sig;
	leat_cancel_now(signal_cancel); /* NOLINT(bugprone-signal-handler): made for it */
}

static int raise_and_spin(struct leat_task *task, const void *arg)
{
	raise(SIGUSR1);
	return spin_until_stopped(task, arg);
}

static void cancel_from_a_signal_handler_ends_a_run(void **state)
{
	atomic_int begun, *arg = &begun;

	(void)state;
	assert_int_equal(leat_cancel_new(&signal_cancel, NULL), 0);
	struct leat_tasks *pool =
		pool_of((struct leat_tasks_opts){ .threads = 2, .cancel = signal_cancel });
	signal(SIGUSR1, on_signal);
	assert_int_equal(leat_tasks_run(pool, raise_and_spin, &arg, sizeof(arg), NULL), -ECANCELED);
	signal(SIGUSR1, SIG_DFL);
	free_pool(pool);
	leat_cancel_free(signal_cancel);
}

static int fail_at_seven(struct leat_task *task, const void *arg)
{
	unsigned n = *(const unsigned *)arg;

	if (n == 7)
		return leat_task_fail(task, -EDOM, "item %u is bad", n);
	if (n == 8)
		return -ENOENT;
	return 0;
}

static int spawn_ten(struct leat_task *task, const void *arg)
{
	unsigned only = *(const unsigned *)arg;

	for (unsigned i = 0; i < 10; i++)
		if (!only || i == only)
			leat_task_spawn(task, fail_at_seven, &i, sizeof(i));
	return 0;
}

static void first_failure_is_the_result(void **state)
{
	struct leat_tasks *pool = pool_of((struct leat_tasks_opts){ .threads = 2 });
	struct leat_err err = { 0 };
	unsigned only = 7;

	(void)state;
	assert_int_equal(leat_tasks_run(pool, spawn_ten, &only, sizeof(only), &err), -EDOM);
	assert_string_equal(err.id, "LEAT-TASK-FAILED");
	assert_string_equal(err.text, "item 7 is bad");
	only = 8;
	assert_int_equal(leat_tasks_run(pool, spawn_ten, &only, sizeof(only), &err), -ENOENT);
	assert_string_equal(err.text, "a task returned -2");
	only = 0;
	int r = leat_tasks_run(pool, spawn_ten, &only, sizeof(only), &err);
	assert_true((r == -EDOM && strstr(err.text, "item 7")) ||
		(r == -ENOENT && strstr(err.text, "-2")));
	only = 1;
	assert_int_equal(leat_tasks_run(pool, spawn_ten, &only, sizeof(only), &err), 0);
	free_pool(pool);
}

static int enough_at_once(struct leat_task *task, const void *arg)
{
	(void)arg;
	leat_task_fork(task, enough_at_once, NULL, 0);
	leat_task_enough(task);
	assert_true(leat_task_stopped(task));
	return leat_task_join(task) == -ECANCELED ? 0 : -EBADMSG;
}

static void enough_ends_a_run_with_success(void **state)
{
	struct leat_tasks *pool = pool_of((struct leat_tasks_opts){ .threads = 2 });

	(void)state;
	assert_int_equal(leat_tasks_run(pool, enough_at_once, NULL, 0, NULL), 0);
	free_pool(pool);
}

/* --- misuse --- */

static void bad_options_have_a_name(void **state)
{
	static const struct leat_tasks_opts bad[] = {
		{ .threads = 100000 },
		{ .threads = 1, .cpus = "0-" },
		{ .threads = 1, .slots = 3 },
		{ .threads = 1, .slots = 1U << 31 },
		{ .threads = 1, .arg_size = (size_t)1 << 40 },
		{ .threads = 1, .cell_size = (size_t)1 << 40 },
	};
	struct leat_tasks *pool = NULL;
	struct leat_err err;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(leat_tasks_new(&bad[i], &pool, &err), -EINVAL);
		assert_string_equal(err.id, "LEAT-TASK-OPTS");
		assert_null(pool);
	}
	assert_int_equal(leat_tasks_free(NULL), 0);
}

static int big_spawn(struct leat_task *task, const void *arg)
{
	char big[65] = { 0 };

	(void)arg;
	assert_int_equal(leat_task_spawn(task, big_spawn, big, sizeof(big)), -EMSGSIZE);
	assert_string_equal(leat_err_last()->id, "LEAT-TASK-SIZE");
	return 0;
}

static int use_parent(struct leat_task *task, const void *arg)
{
	struct leat_task *parent = ((const struct box *)arg)->p;

	assert_int_equal(leat_task_spawn(parent, use_parent, arg, sizeof(struct box)), -EPERM);
	assert_int_equal(leat_task_join(parent), -EPERM);
	assert_null(leat_task_cell(parent));
	assert_false(leat_task_wanted(parent));
	assert_true(leat_task_stopped(task)); /* the run has failed */
	return 0;
}

static int give_handle(struct leat_task *task, const void *arg)
{
	(void)arg;
	struct box box = { task };

	leat_task_fork(task, use_parent, &box, sizeof(box));
	leat_task_join(task);
	return 0;
}

struct stranger {
	struct leat_task *task;
	struct leat_tasks *pool;
	int spawn, run, free;
};

static void *use_from_outside(void *arg)
{
	struct stranger *s = arg;
	struct leat_err err;

	s->spawn = leat_task_spawn(s->task, use_parent, NULL, 0);
	s->run = leat_tasks_run(s->pool, use_parent, NULL, 0, &err);
	s->free = leat_tasks_free(s->pool);
	return NULL;
}

static int misuse_inside(struct leat_task *task, const void *arg)
{
	struct stranger *s = ((const struct box *)arg)->p;
	struct leat_err err;
	pthread_t thread;

	assert_int_equal(
		leat_tasks_run(s->pool, misuse_inside, arg, sizeof(struct box), &err), -EDEADLK);
	assert_string_equal(err.id, "LEAT-TASK-NESTED");
	s->task = task;
	assert_int_equal(pthread_create(&thread, NULL, use_from_outside, s), 0);
	pthread_join(thread, NULL);
	assert_int_equal(s->spawn, -EPERM);
	assert_int_equal(s->run, -EBUSY);
	assert_int_equal(s->free, -EBUSY);
	return 0;
}

static void misuse_has_a_name(void **state)
{
	struct leat_tasks *pool = pool_of((struct leat_tasks_opts){ .threads = 2 });
	struct stranger s = { .pool = pool };
	struct box box = { &s };
	struct leat_err err = { 0 };
	char big[65] = { 0 };

	(void)state;
	assert_int_equal(leat_tasks_run(pool, grow, big, sizeof(big), &err), -EMSGSIZE);
	assert_string_equal(err.id, "LEAT-TASK-SIZE");
	assert_int_equal(leat_tasks_run(pool, big_spawn, NULL, 0, &err), -EMSGSIZE);
	assert_string_equal(err.id, "LEAT-TASK-SIZE");
	assert_int_equal(leat_tasks_run(pool, give_handle, NULL, 0, &err), -EPERM);
	assert_string_equal(err.id, "LEAT-TASK-HANDLE");
	assert_int_equal(leat_tasks_run(pool, misuse_inside, &box, sizeof(box), NULL), 0);
	free_pool(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_task_runs_once),
		cmocka_unit_test(without_slots_tasks_run_at_once),
		cmocka_unit_test(join_waits_for_the_forked),
		cmocka_unit_test(joins_nest_deeply),
		cmocka_unit_test(run_waits_for_what_was_not_joined),
		cmocka_unit_test(cells_share_no_line),
		cmocka_unit_test(threads_run_on_the_cpus_asked_for),
		cmocka_unit_test(sleeping_thread_is_called_for_work),
		cmocka_unit_test(one_thread_wants_no_tasks),
		cmocka_unit_test(steady_state_allocates_nothing),
		cmocka_unit_test(failed_allocation_is_reported),
		cmocka_unit_test(idle_threads_never_wake),
		cmocka_unit_test(cancel_from_another_thread_ends_a_run),
		cmocka_unit_test(cancel_from_a_signal_handler_ends_a_run),
		cmocka_unit_test(first_failure_is_the_result),
		cmocka_unit_test(enough_ends_a_run_with_success),
		cmocka_unit_test(bad_options_have_a_name),
		cmocka_unit_test(misuse_has_a_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
