/* SPDX-License-Identifier: MIT */
/* Task pools under stress: thousands of runs of random trees, each ended at a random point by
 * cancel, failure, "enough" or its natural end; and the deque alone, one owner against thieves.
 * Nothing may be lost, run twice or hang. LEAT_STRESS_RUNS sets the number of runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <leat/task.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/task_deque.h"

enum {
	RUNS = 20000,
	RUNS_OF_A_POOL = 40,
	HANG_S = 50, /* then the alarm ends the test */
	ITEMS = 200000,
	THIEVES = 3,
};

static uint32_t next_random(uint32_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 17;
	*x ^= *x << 5;
	return *x;
}

/* --- the deque --- */

struct deque_test {
	struct task_deque deque;
	_Atomic(unsigned char) *seen; /* times each item came out */
	atomic_bool done;
};

/* The deque carries pointers and does not look behind them; these point into here. */
static char items[ITEMS];

static void take_item(struct deque_test *t, struct task_slot *slot)
{
	atomic_fetch_add(&t->seen[(char *)slot - items], 1);
}

static void *thief(void *arg)
{
	struct deque_test *t = arg;

	while (!atomic_load(&t->done)) {
		struct task_slot *slot = task_deque_steal(&t->deque);
		if (slot)
			take_item(t, slot);
	}
	return NULL;
}

static void each_item_leaves_the_deque_once(void **state)
{
	static struct deque_test t;
	static _Atomic(struct task_slot *) ring[64];
	pthread_t threads[THIEVES];
	uint32_t random = 99;
	struct task_slot *slot;

	(void)state;
	t.deque.ring = ring;
	t.deque.mask = 63;
	t.seen = calloc(ITEMS, sizeof(*t.seen));
	assert_non_null(t.seen);
	for (int i = 0; i < THIEVES; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, thief, &t), 0);
	for (size_t item = 0; item < ITEMS;) {
		for (uint32_t n = next_random(&random) % 4; n && item < ITEMS; n--)
			if (task_deque_length(&t.deque) < 60)
				task_deque_push(
					&t.deque, (struct task_slot *)(void *)&items[item++]);
		for (uint32_t n = next_random(&random) % 4; n; n--)
			if ((slot = task_deque_take(&t.deque)))
				take_item(&t, slot);
	}
	while ((slot = task_deque_take(&t.deque)))
		take_item(&t, slot);
	while (task_deque_has_work(&t.deque))
		;
	atomic_store(&t.done, true);
	for (int i = 0; i < THIEVES; i++)
		pthread_join(threads[i], NULL);
	for (size_t i = 0; i < ITEMS; i++)
		assert_int_equal(t.seen[i], 1);
	free((void *)t.seen);
}

/* --- the pool --- */

enum end {
	END_NATURAL,
	END_CANCEL,
	END_FAIL,
	END_ENOUGH,
	N_ENDS,
};

struct run {
	enum end end;
	uint64_t at; /* the task, by order of arrival, that brings the end about */
	struct leat_cancel *cancel;
	_Atomic(uint64_t) begun, wanted; /* tasks that began, tasks that were asked for */
	_Atomic(uint64_t) ended;
};

struct node {
	struct run *run;
	uint32_t seed;
	uint32_t budget; /* tasks below this one */
};

static int bring_about(struct leat_task *task, struct run *run)
{
	switch (run->end) {
	case END_CANCEL:
		leat_cancel_now(run->cancel);
		break;
	case END_FAIL:
		return leat_task_fail(task, -EDOM, "as planned");
	case END_ENOUGH:
		leat_task_enough(task);
		break;
	case END_NATURAL:
	case N_ENDS:
		break;
	}
	return 0;
}

static int visit(struct leat_task *task, const void *arg)
{
	struct node n = *(const struct node *)arg;
	int r = 0;

	if (atomic_fetch_add(&n.run->begun, 1) == n.run->at)
		r = bring_about(task, n.run);
	while (n.budget) {
		uint32_t share = 1 + next_random(&n.seed) % n.budget;
		struct node child = { n.run, next_random(&n.seed) | 1, share - 1 };
		n.budget -= share;
		atomic_fetch_add(&n.run->wanted, 1);
		if (n.seed & 4)
			leat_task_spawn(task, visit, &child, sizeof(child));
		else
			leat_task_fork(task, visit, &child, sizeof(child));
		if (n.seed & 64)
			leat_task_join(task);
	}
	atomic_fetch_add(&n.run->ended, 1);
	return r;
}

static void one_run(struct leat_tasks *pool, struct leat_cancel *cancel, uint32_t *random)
{
	uint32_t size = next_random(random) % 400;
	struct run run = { .end = next_random(random) % N_ENDS,
		.at = next_random(random) % 400,
		.cancel = cancel };
	struct node root = { &run, next_random(random) | 1, size };
	static const int codes[N_ENDS] = { 0, -ECANCELED, -EDOM, 0 };

	int r = leat_tasks_run(pool, visit, &root, sizeof(root), NULL);
	assert_int_equal(run.begun, run.ended);
	assert_true(run.begun <= run.wanted + 1);
	bool early = run.end != END_NATURAL && run.begun > run.at;
	if (!early || run.end == END_NATURAL) {
		assert_int_equal(r, 0);
		assert_int_equal(run.begun, (uint64_t)size + 1);
	} else if (r || run.end != END_CANCEL) {
		assert_int_equal(r, codes[run.end]);
	} else { /* nobody looked any more: then all had begun */
		assert_int_equal(run.begun, run.wanted + 1);
	}
	leat_cancel_reset(cancel);
}

static unsigned long runs_asked(void)
{
	const char *text = getenv("LEAT_STRESS_RUNS");

	return text ? strtoul(text, NULL, 10) : RUNS;
}

static void no_run_hangs_or_loses_a_task(void **state)
{
	struct leat_cancel *cancel;
	uint32_t random = 12345;

	(void)state;
	assert_int_equal(leat_cancel_new(&cancel, NULL), 0);
	for (unsigned long i = 0; i < runs_asked(); i += RUNS_OF_A_POOL) {
		struct leat_tasks_opts opts = {
			.threads = 1 + next_random(&random) % 5,
			.slots = 1U << next_random(&random) % 8,
			.cancel = cancel,
		};
		struct leat_tasks *pool;
		assert_int_equal(leat_tasks_new(&opts, &pool, NULL), 0);
		for (int k = 0; k < RUNS_OF_A_POOL; k++)
			one_run(pool, cancel, &random);
		assert_int_equal(leat_tasks_free(pool), 0);
	}
	leat_cancel_free(cancel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_item_leaves_the_deque_once),
		cmocka_unit_test(no_run_hangs_or_loses_a_task),
	};
	alarm(HANG_S);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
