/* SPDX-License-Identifier: MIT */
/* A model checker for ring and parker: runs a writer and a reader that use them just as the
 * library does through every schedule with a bounded number of preemptions, on a machine whose
 * threads have store buffers (as x86 has). It must find no schedule that hangs or loses an item;
 * and it must find one when the fence between them is taken away. */
#define LIB_MODEL

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "stress/model_sync.h"

#include "lib/coro.h"
#include "lib/park.h"
#include "lib/ring.h"

enum {
	THREADS = 2,
	BUFFER = 16,
	STEPS_MAX = 4000,
	CHOICES = 2 * THREADS, /* run thread i; let the oldest store of thread i out */
};

struct actor {
	struct coro coro;
	void (*program)(void);
	struct {
		sync_u32 *p;
		uint32_t v;
	} store[BUFFER];
	unsigned n_store;
	sync_u32 *asleep_on;
	bool done;
	/* what lib/mod.h calls a thread */
	struct park park;
	sync_u32 posted;
};

static struct actor actor[THREADS];
static struct coro explorer;
static int running;
static bool without_fence;

/* ---- the machine ---- */

static void step(void)
{
	coro_switch(&actor[running].coro, &explorer);
}

static void let_out(struct actor *a)
{
	*a->store[0].p = a->store[0].v;
	memmove(&a->store[0], &a->store[1], --a->n_store * sizeof(a->store[0]));
}

static void let_all_out(void)
{
	while (actor[running].n_store)
		let_out(&actor[running]);
}

uint32_t model_load(const sync_u32 *p)
{
	step();
	const struct actor *a = &actor[running];
	for (unsigned i = a->n_store; i-- > 0;) {
		if (a->store[i].p == p)
			return a->store[i].v;
	}
	return *p;
}

void model_store(sync_u32 *p, uint32_t v)
{
	step();
	struct actor *a = &actor[running];
	if (a->n_store == BUFFER)
		let_out(a);
	a->store[a->n_store].p = p;
	a->store[a->n_store++].v = v;
}

uint32_t model_xchg(sync_u32 *p, uint32_t v)
{
	step();
	let_all_out();
	uint32_t old = *p;
	*p = v;
	return old;
}

void model_fence(void)
{
	if (without_fence)
		return;
	step();
	let_all_out();
}

void model_wait(sync_u32 *p, uint32_t value)
{
	step();
	let_all_out();
	if (*p != value)
		return;
	actor[running].asleep_on = p;
	step();
}

void model_wake(sync_u32 *p)
{
	step();
	let_all_out();
	for (int i = 0; i < THREADS; i++) {
		if (actor[i].asleep_on == p)
			actor[i].asleep_on = NULL;
	}
}

/* ---- the programs: lib/thread.c and lib/port.c in small ---- */

static struct ring ring;
static void *slots[4];
static uintptr_t n_items, batch;
static uintptr_t received;
static bool out_of_order;

static void post(struct actor *to)
{
	if (sync_xchg(&to->posted, 1))
		return;
	if (park_must_wake(&to->park))
		sync_wake(&to->park.state, 1);
}

static void sleep_until_posted(struct actor *me)
{
	park_prepare(&me->park);
	if (!sync_load(&me->posted)) {
		while (sync_load_acquire(&me->park.state) == PARK_ASLEEP)
			sync_wait(&me->park.state, PARK_ASLEEP, NULL);
	}
	park_cancel(&me->park);
	sync_xchg(&me->posted, 0);
}

static void tell(sync_u32 *want, struct actor *to)
{
	sync_fence();
	if (ring_owes(want))
		post(to);
}

static void writer(void)
{
	uintptr_t untold = 0;
	for (uintptr_t i = 1; i <= n_items;) {
		void *item = (void *)i; /* NOLINT(performance-no-int-to-ptr) */
		if (ring_put(&ring, &item, 1)) {
			i++;
			if (++untold >= batch) {
				tell(&ring.want_data, &actor[1]);
				untold = 0;
			}
			continue;
		}
		if (untold)
			tell(&ring.want_data, &actor[1]);
		untold = 0;
		if (ring_arm_writer(&ring, 0))
			sleep_until_posted(&actor[0]);
	}
	sync_store_release(&ring.ended, 1);
	tell(&ring.want_data, &actor[1]);
}

static void reader(void)
{
	uintptr_t untold = 0;
	for (;;) {
		void *item;
		if (ring_get(&ring, &item, 1)) {
			out_of_order |= (uintptr_t)item != ++received;
			if (++untold >= batch) {
				tell(&ring.want_room, &actor[0]);
				untold = 0;
			}
			continue;
		}
		if (untold)
			tell(&ring.want_room, &actor[0]);
		untold = 0;
		if (sync_load_acquire(&ring.ended) && ring_fill(&ring, 1) == 0)
			return;
		if (ring_arm_reader(&ring, 0))
			sleep_until_posted(&actor[1]);
	}
}

/* ---- the explorer ---- */

/* The choices made so far; the next run repeats them up to the last one that has alternatives. */
static struct {
	uint8_t choice, options[CHOICES], n_options;
} path[STEPS_MAX];
static unsigned n_path, depth_now;
static unsigned long n_runs;

static void forever(void *arg)
{
	struct actor *a = arg;
	for (;;) {
		a->program();
		a->done = true;
		step();
	}
}

/* What can happen next; first of all that the same thread goes on. Others cost a preemption. */
static unsigned list_options(uint8_t options[CHOICES], int last, unsigned preemptions_left)
{
	unsigned n = 0;
	bool goes_on = last >= 0 && !actor[last].done && !actor[last].asleep_on;
	if (goes_on)
		options[n++] = (uint8_t)last;
	if (goes_on && preemptions_left == 0)
		return n;
	for (int i = 0; i < THREADS; i++) {
		if (i != last && !actor[i].done && !actor[i].asleep_on)
			options[n++] = (uint8_t)i;
	}
	for (int i = 0; i < THREADS; i++) {
		if (actor[i].n_store)
			options[n++] = (uint8_t)(THREADS + i);
	}
	return n;
}

static void reset(uint32_t depth)
{
	memset(&ring, 0, sizeof(ring));
	ring.depth = depth;
	ring.mask = 3;
	ring.slot = slots;
	received = 0;
	out_of_order = false;
	for (int i = 0; i < THREADS; i++) {
		actor[i].done = false;
		actor[i].asleep_on = NULL;
		actor[i].n_store = 0;
		actor[i].posted = 0;
		actor[i].park.state = PARK_AWAKE;
	}
}

/* One run. False: it hung, or items were lost or reordered. */
static bool run_once(uint32_t depth, unsigned preemptions)
{
	int last = -1;
	reset(depth);
	n_runs++;
	for (depth_now = 0;; depth_now++) {
		assert_true(depth_now < STEPS_MAX);
		uint8_t options[CHOICES];
		unsigned n = list_options(options, last, preemptions);
		if (n == 0)
			break;
		if (depth_now == n_path) {
			path[n_path].choice = 0;
			path[n_path].n_options = (uint8_t)n;
			memcpy(path[n_path].options, options, sizeof(options));
			n_path++;
		}
		uint8_t what = options[path[depth_now].choice];
		if (n > 0 && path[depth_now].choice > 0 && options[0] == last)
			preemptions--;
		if (what >= THREADS) {
			let_out(&actor[what - THREADS]);
			continue;
		}
		running = what;
		coro_switch(&explorer, &actor[running].coro);
		last = what;
	}
	return actor[0].done && actor[1].done && received == n_items && !out_of_order;
}

/* To the next path in order; false: there is none. */
static bool next_path(void)
{
	while (n_path > 0 && path[n_path - 1].choice + 1 >= path[n_path - 1].n_options)
		n_path--;
	if (n_path == 0)
		return false;
	path[n_path - 1].choice++;
	return true;
}

static bool explore(uint32_t depth, uintptr_t items, uintptr_t of_batch, unsigned preemptions)
{
	bool ok = true;
	n_items = items;
	batch = of_batch;
	n_path = 0;
	coro_init_thread(&explorer);
	actor[0].program = writer;
	actor[1].program = reader;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(coro_init(&actor[i].coro, 0, forever, &actor[i]), 0);
	do
		ok = run_once(depth, preemptions);
	while (ok && next_path());
	for (int i = 0; i < THREADS; i++)
		coro_done(&actor[i].coro);
	coro_done(&explorer);
	return ok;
}

static void no_schedule_hangs_or_loses_anything(void **state)
{
	(void)state;
	without_fence = false;
	n_runs = 0;
	assert_true(explore(1, 2, 1, 3));
	assert_true(explore(2, 3, 1, 2));
	assert_true(explore(2, 3, 2, 2));
	assert_true(explore(1, 1, 4, 4));
	print_message("%lu schedules\n", n_runs);
	assert_true(n_runs > 10000);
}

static void without_the_fence_one_hangs(void **state)
{
	(void)state;
	without_fence = true;
	assert_false(explore(1, 2, 1, 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_schedule_hangs_or_loses_anything),
		cmocka_unit_test(without_the_fence_one_hangs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
