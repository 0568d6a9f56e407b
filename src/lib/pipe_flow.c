/* SPDX-License-Identifier: MIT */
/* Tokens among several workers: turns, parking, taking, sleeping. See pipe.h. */
#include "lib/pipe.h"

#include "base/clock.h"
#include "lib/cpus.h"
#include "lib/stats.h"

/* ---- the mask of tokens that can go on ---- */

static void mask_set(_Atomic(uint64_t) *mask, unsigned place)
{
	atomic_fetch_or_explicit(
		&mask[place / 64], UINT64_C(1) << (place % 64), memory_order_release);
}

static int mask_take(_Atomic(uint64_t) *mask, unsigned words)
{
	for (unsigned i = 0; i < words; i++) {
		uint64_t bits = atomic_load_explicit(&mask[i], memory_order_relaxed);
		while (bits) {
			uint64_t bit = bits & -bits;
			uint64_t old =
				atomic_fetch_and_explicit(&mask[i], ~bit, memory_order_acquire);
			if (old & bit)
				return (int)(i * 64 + (unsigned)__builtin_ctzll(bit));
			bits = old & ~bit;
		}
	}
	return -1;
}

static bool mask_any(_Atomic(uint64_t) *mask, unsigned words)
{
	for (unsigned i = 0; i < words; i++) {
		if (atomic_load_explicit(&mask[i], memory_order_relaxed))
			return true;
	}
	return false;
}

/* ---- waking ---- */

/* The reason is visible, behind a fence. */
static bool wake(struct pipe_worker *w)
{
	if (sync_load(&w->park.state) != PARK_ASLEEP ||
		sync_xchg(&w->park.state, PARK_AWAKE) != PARK_ASLEEP)
		return false;
	/* A frozen helper cannot be here: it was ASLEEP a moment ago, and only the caller, alone,
	 * freezes. */
	atomic_store_explicit(&w->woken_ns, lt_now_ns(), memory_order_relaxed);
	sync_wake(&w->park.state, 1);
	return true;
}

static void wake_one(struct pipe *p)
{
	sync_fence();
	if (!sync_load(&p->asleep))
		return;
	unsigned limit = sync_load(&p->limit);
	for (unsigned i = 0; i < limit; i++) {
		if (wake(&p->worker[i]))
			return;
	}
}

static void wake_all(struct pipe *p)
{
	sync_fence();
	for (unsigned i = 0; i < p->workers; i++)
		wake(&p->worker[i]);
}

static void make_ready(struct pipe *p, struct pipe_slot *slot)
{
	unsigned place = (unsigned)(slot - p->slot);
	unsigned bind = p->stage[slot->stage].bind;
	if (bind == LEAT_ANY_WORKER) {
		mask_set(p->ready, place);
		wake_one(p);
	} else {
		mask_set(p->worker[bind - 1].bound, place);
		sync_fence();
		wake(&p->worker[bind - 1]);
	}
}

/* ---- turns ---- */

/* False: the token is parked, and may be gone already. */
static bool enter_in_order(struct pipe *p, unsigned s, struct pipe_slot *slot)
{
	sync_u32 *cell = &p->gate[s].cell[slot - p->slot].state;
	if (sync_load_acquire(cell) != CELL_GRANTED) {
		slot->stage = s;
		slot->inside = true; /* whoever finds it parked has the turn for it */
		if (sync_xchg(cell, CELL_PARKED) != CELL_GRANTED)
			return false;
	}
	sync_store(cell, CELL_EMPTY);
	return true;
}

static void leave_in_order(struct pipe *p, unsigned s, struct pipe_slot *slot)
{
	unsigned next = ((unsigned)(slot - p->slot) + 1) & (p->ring - 1);
	sync_u32 *cell = &p->gate[s].cell[next].state;
	if (sync_xchg(cell, CELL_GRANTED) == CELL_PARKED) {
		sync_store(cell, CELL_EMPTY);
		make_ready(p, &p->slot[next]);
	}
}

/* Inside: takes the oldest that waits off the list; counted, so there is one. */
static struct pipe_slot *next_waiting(struct pipe *p, struct pipe_gate *gate)
{
	if (!gate->fifo) {
		uint32_t at = sync_xchg(&gate->stack, 0);
		while (at) { /* turns it round */
			struct pipe_slot *slot = &p->slot[at - 1];
			uint32_t after = slot->waiting;
			slot->waiting = gate->fifo;
			gate->fifo = at;
			at = after;
		}
	}
	struct pipe_slot *slot = &p->slot[gate->fifo - 1];
	gate->fifo = slot->waiting;
	return slot;
}

/* Who counts 0 has the turn, and gives it to the oldest on the stack. That may be one that has
 * not counted itself yet: it will find that it is not the first, and go. */
static bool enter_serial(struct pipe *p, unsigned s, struct pipe_slot *slot)
{
	struct pipe_gate *gate = &p->gate[s];
	uint32_t nobody = 0;
	if (sync_load(&gate->count) == 0 && sync_cas(&gate->count, &nobody, 1))
		return true;
	slot->stage = s;
	slot->inside = true;
	uint32_t me = (uint32_t)(slot - p->slot) + 1;
	uint32_t top = sync_load(&gate->stack);
	do {
		slot->waiting = top;
	} while (!sync_cas(&gate->stack, &top, me));
	if (atomic_fetch_add_explicit(&gate->count, 1, memory_order_seq_cst) > 0)
		return false;
	struct pipe_slot *first = next_waiting(p, gate);
	if (first == slot)
		return true;
	make_ready(p, first);
	return false;
}

static void leave_serial(struct pipe *p, unsigned s)
{
	struct pipe_gate *gate = &p->gate[s];
	if (atomic_fetch_sub_explicit(&gate->count, 1, memory_order_seq_cst) > 1)
		make_ready(p, next_waiting(p, gate));
}

/* ---- one token ---- */

static void finish(struct pipe *p, struct pipe_slot *slot)
{
	sync_store_release(&slot->busy, 0);
	uint32_t left = atomic_fetch_sub_explicit(&p->under_way, 1, memory_order_seq_cst) - 1;
	if (!sync_load(&p->ended))
		wake_one(p);
	else if (left == 0)
		wake_all(p);
}

/* Carries it on as far as its turns allow; true: to the end. */
static bool advance(struct pipe *p, struct pipe_worker *w, struct pipe_slot *slot)
{
	struct pipe_token token = { .pub = { .number = slot->number, .worker = w->index },
		.pipe = p };
	bool inside = slot->inside;
	slot->inside = false;
	for (unsigned s = slot->stage; s < p->n; s++, inside = false) {
		const struct leat_stage *stage = &p->stage[s];
		if (stage->bind != LEAT_ANY_WORKER && stage->bind != w->index + 1) {
			slot->stage = s;
			make_ready(p, slot);
			return false;
		}
		if (!inside && stage->kind == LEAT_IN_ORDER && !enter_in_order(p, s, slot))
			return false;
		if (!inside && stage->kind == LEAT_SERIAL && !enter_serial(p, s, slot))
			return false;
		slot->inside = false;
		if (slot->item != LEAT_SKIP)
			slot->item = pipe_run_stage(p, w, &token, s, slot->item);
		if (stage->kind == LEAT_IN_ORDER)
			leave_in_order(p, s, slot);
		else if (stage->kind == LEAT_SERIAL)
			leave_serial(p, s);
	}
	if (slot->item != LEAT_SKIP)
		w->done++;
	finish(p, slot);
	return true;
}

/* ---- the input ---- */

static bool input_open(struct pipe *p, const struct pipe_worker *w)
{
	unsigned bind = p->stage[0].bind;
	if (bind != LEAT_ANY_WORKER && bind != w->index + 1)
		return false;
	if (sync_load(&p->ended) || sync_load(&p->under_way) >= p->tokens)
		return false;
	uint64_t next = atomic_load_explicit(&p->next, memory_order_relaxed);
	return !sync_load_acquire(&p->slot[next & (p->ring - 1)].busy);
}

static void end_input(struct pipe *p)
{
	sync_store_release(&p->ended, 1);
	wake_all(p); /* those that wait for input wait no more */
}

/* The token is under way, and the next one may be taken. */
static void let_next_in(struct pipe *p, struct pipe_slot *slot, uint64_t number)
{
	sync_store(&slot->busy, 1);
	atomic_fetch_add_explicit(&p->under_way, 1, memory_order_relaxed);
	atomic_store_explicit(&p->next, number + 1, memory_order_relaxed);
	sync_store_release(&p->input, 0);
	wake_one(p);
}

/* Produces one item; NULL: there is none to be had now. A parallel input holds the lock only
 * while it takes its number, so that a number once given is always carried to the end. */
static struct pipe_slot *take_input(struct pipe *p, struct pipe_worker *w)
{
	if (!input_open(p, w) || sync_load(&p->input) || sync_xchg(&p->input, 1))
		return NULL;
	if (!input_open(p, w)) {
		sync_store_release(&p->input, 0);
		return NULL;
	}
	if (pipe_check_stop(p)) {
		sync_store_release(&p->input, 0);
		end_input(p);
		return NULL;
	}
	bool parallel = p->stage[0].kind == LEAT_PARALLEL;
	uint64_t number = atomic_load_explicit(&p->next, memory_order_relaxed);
	struct pipe_slot *slot = &p->slot[number & (p->ring - 1)];
	struct pipe_token token = { .pub = { .number = number, .worker = w->index }, .pipe = p };
	if (parallel)
		let_next_in(p, slot, number);
	void *item = pipe_run_stage(p, w, &token, 0, NULL);
	if (item == LEAT_END && !parallel) {
		sync_store_release(&p->input, 0);
		end_input(p);
		return NULL;
	}
	slot->item = item == LEAT_END ? LEAT_SKIP : item;
	slot->number = number;
	slot->stage = 1;
	slot->inside = false;
	if (!parallel)
		let_next_in(p, slot, number);
	else if (item == LEAT_END)
		end_input(p);
	return slot;
}

/* ---- workers ---- */

static bool finished(struct pipe *p)
{
	return sync_load_acquire(&p->ended) && sync_load_acquire(&p->under_way) == 0;
}

static bool something_to_do(struct pipe *p, const struct pipe_worker *w)
{
	return finished(p) || mask_any(p->ready, p->words) ||
		(w->bound && mask_any(w->bound, p->words)) ||
		(input_open(p, w) && !sync_load(&p->input));
}

/* A look around for as long as a wake-up would take, if looking has paid lately. */
static bool spin(struct pipe *p, struct pipe_worker *w)
{
	if (!w->spin.pays || !park_may_spin())
		return false;
	int64_t start = lt_now_ns(), now = start;
	bool found = false;
	while (!found && now - start < p->wake_ns) {
		for (int i = 0; i < 16; i++)
			sync_pause();
		found = something_to_do(p, w);
		now = lt_now_ns();
	}
	if (w->stats)
		stats_add(w->stats, LEAT_V_THREAD_SPIN_NS, (uint64_t)(now - start));
	if (!found)
		w->spin.pays = false;
	return found;
}

static void sleep_on_park(struct pipe *p, struct pipe_worker *w)
{
	if (spin(p, w))
		return;
	atomic_fetch_add_explicit(&p->asleep, 1, memory_order_seq_cst);
	park_prepare(&w->park);
	bool look = something_to_do(p, w);
	uint32_t was = PARK_ASLEEP;
	if (!look || !sync_cas(&w->park.state, &was, PARK_AWAKE)) {
		int64_t since = stats_sleep_begin(w->stats, LEAT_CAUSE_TURN);
		uint32_t state;
		while ((state = sync_load_acquire(&w->park.state)) != PARK_AWAKE)
			sync_wait(&w->park.state, state, NULL);
		park_spin_slept(&w->spin,
			stats_sleep_end(w->stats, LEAT_CAUSE_TURN, since,
				atomic_load_explicit(&w->woken_ns, memory_order_relaxed)));
	}
	atomic_fetch_sub_explicit(&p->asleep, 1, memory_order_relaxed);
}

/* The caller, with no token under way and helpers not wanted: true when all of them sleep. Then
 * nobody but the caller touches anything. */
static bool freeze_helpers(struct pipe *p)
{
	unsigned i = 1;
	for (; i < p->workers; i++) {
		uint32_t was = PARK_ASLEEP;
		if (!p->worker[i].started || sync_load(&p->worker[i].park.state) == PIPE_FROZEN)
			continue;
		if (!sync_cas(&p->worker[i].park.state, &was, PIPE_FROZEN))
			break;
	}
	if (i == p->workers)
		return true;
	while (i-- > 1) {
		if (p->worker[i].started)
			sync_store(&p->worker[i].park.state, PARK_ASLEEP);
	}
	return false;
}

/* How much an item's work behind the input is, as the caller saw it with one that it carried
 * through in one go. Many small ones in a row send the helpers home. */
static void judge(struct pipe *p, int64_t ns, unsigned *small)
{
	p->work_ns = ns;
	*small = ns < p->wake_ns / 4 ? *small + 1 : 0;
	if (*small >= 16 && !p->needs_helpers)
		sync_store(&p->limit, 1);
	else if (*small == 0)
		sync_store(&p->limit, p->workers);
}

bool pipe_flow(struct pipe *p, struct pipe_worker *w)
{
	bool caller = w->index == 0;
	unsigned small = 0;
	for (uint64_t turn = 0; !finished(p); turn++) {
		if (caller && sync_load(&p->limit) == 1 && !sync_load_acquire(&p->under_way) &&
			!sync_load_acquire(&p->input) && freeze_helpers(p))
			return true;
		int place = w->bound ? mask_take(w->bound, p->words) : -1;
		if (place < 0)
			place = mask_take(p->ready, p->words);
		if (place >= 0) {
			advance(p, w, &p->slot[place]);
			continue;
		}
		if (!caller && sync_load(&p->limit) == 1 && !p->needs_helpers) {
			sleep_on_park(p, w);
			continue;
		}
		struct pipe_slot *slot = take_input(p, w);
		if (!slot) {
			if (!finished(p))
				sleep_on_park(p, w);
		} else if (caller && turn % 8 == 0) {
			int64_t start = lt_now_ns();
			if (advance(p, w, slot))
				judge(p, lt_now_ns() - start, &small);
		} else {
			advance(p, w, slot);
		}
	}
	wake_all(p);
	return false;
}

static void *helper_main(void *arg)
{
	struct pipe_worker *w = arg;
	struct pipe *p = w->pipe;
	char name[16] = "leat-pipe";
	pthread_setname_np(pthread_self(), name);
	if (p->opts.cpus) {
		int cpu = cpus_nth(p->opts.cpus, w->index);
		if (cpu >= 0)
			cpus_bind(cpu);
	}
	w->stats = stats_thread_begin(name);
	pipe_flow(p, w);
	stats_thread_end(w->stats);
	return NULL;
}

/* With the input locked: no helper can start a token before all threads are there. */
static int start_threads(struct pipe *p, struct leat_err *err)
{
	for (unsigned i = 1; i < p->workers; i++) {
		struct pipe_worker *w = &p->worker[i];
		int r = w->started ? 0 : pthread_create(&w->thread, NULL, helper_main, w);
		if (r != 0 && (p->needs_helpers || i == 1))
			return leat_err_set(err, -r, "LEAT-THREAD", "cannot start worker %u: %s", i,
				strerror(r));
		if (r != 0) {
			p->workers = i; /* go on with those there are */
			return 0;
		}
		if (!w->started)
			park_threads_add(1);
		w->started = true;
	}
	return 0;
}

int pipe_call_helpers(struct pipe *p, struct leat_err *err)
{
	sync_store_release(&p->input, 1);
	int r = start_threads(p, err);
	if (r == 0) {
		sync_store_release(&p->limit, p->workers);
		for (unsigned i = 1; i < p->workers; i++) {
			uint32_t was = PIPE_FROZEN;
			p->calls++;
			if (sync_cas(&p->worker[i].park.state, &was, PARK_AWAKE))
				sync_wake(&p->worker[i].park.state, 1);
		}
	}
	sync_store_release(&p->input, 0);
	return r;
}
