/* SPDX-License-Identifier: MIT */
/* What an event leads to: a handler call, a main loop that goes on, an end. */
#include "base/clock.h"
#include "lib/mod.h"
#include "lib/stats.h"

/* ---- ends ---- */

static void drop_events(struct leat_module *m)
{
	for (struct leat_timer *tm = m->timers; tm; tm = tm->next)
		thr_clear_alarm(m->thr, &tm->alarm);
	for (struct watch *w = m->watches; w; w = w->next) {
		if (w->bits) {
			w->bits = 0;
			thr_watch(m->thr, w);
		}
	}
	for (struct pool_wait *w = m->pools; w; w = w->next_in_module)
		pool_unlist(w);
}

void module_end(struct leat_module *m)
{
	if (m->state == MODULE_ENDED)
		return;
	m->state = MODULE_ENDED;
	drop_events(m);
	for (struct leat_port *p = m->outs; p; p = p->next)
		port_close(p);
	for (struct leat_port *p = m->ins; p; p = p->next) {
		port_close(p);
		leat_put(p->hand + p->hand_at, p->n_hand);
		p->moved += p->n_hand + link_drain(p->link);
		p->n_hand = 0;
		port_tell(p);
	}
	m->thr->live--;
}

bool module_cut_off(int r)
{
	return r == -ECANCELED || r == -EPIPE || r == -ESHUTDOWN;
}

/* ---- event modules ---- */

static void offer_again(struct leat_module *m)
{
	for (struct leat_port *p = m->ins; p; p = p->next) {
		if (p->stalled) {
			p->stalled = false;
			thr_queue(m->thr, &p->ev);
		}
	}
}

enum {
	SAMPLE = 32, /* of its calls, how seldom a module is timed */
};

/* Others are told that a queue has something for them when it is half full, or when this thread
 * has nothing else to do. Only a module that takes long is not worth waiting for: so now and then
 * a call is timed, the very first one too. */
static void before_run(struct leat_module *m)
{
	m->thr->current = m;
	bool timed = m->calls++ % SAMPLE == 0 && m->thr->slow_ns;
	if (__builtin_expect(m->slow || m->calls == 1, 0))
		thr_flush(m->thr);
	if (__builtin_expect(timed, 0))
		m->timed = lt_now_ns();
}

static void after_run(struct leat_module *m)
{
	m->thr->current = NULL;
	if (__builtin_expect(m->timed != 0, 0)) {
		m->slow = lt_now_ns() - m->timed > m->thr->slow_ns;
		m->timed = 0;
	}
	if (__builtin_expect(m->slow, 0))
		thr_flush(m->thr);
}

/* Calls the handler and looks after what it returns. */
static void call(struct leat_module *m, const struct leat_event *event)
{
	before_run(m);
	int r = m->on(m, event, m->ctx);
	after_run(m);
	if (__builtin_expect(r == LEAT_OK, 1))
		return;
	if (r == LEAT_AGAIN) {
		m->bits |= BIT_AGAIN;
		thr_queue(m->thr, &m->ev);
	} else if (r == LEAT_DONE || module_cut_off(r)) {
		module_end(m);
	} else {
		app_error(m, r);
	}
}

static void call_simple(struct leat_module *m, enum leat_event_kind kind, struct leat_port *port)
{
	struct leat_event event = { .kind = kind, .fd = -1, .port = port };
	call(m, &event);
}

/* The handler left something: it will be offered again when anything has changed for the module.
 * If it was for want of credit or buffers, more input is no such change: it must not wake us.
 * False: something has changed already. */
static bool stall(struct leat_module *m, struct leat_port *in, uint32_t fill)
{
	bool why_known = m->pool_dry;
	in->stalled = true;
	for (struct leat_port *p = m->outs; p; p = p->next)
		why_known |= p->short_;
	if (why_known) {
		port_take_over(in);
		return true; /* armed when the call that came short found out */
	}
	if (!port_arm_in(in, fill))
		return false;
	for (struct leat_port *p = m->outs; p; p = p->next) {
		uint32_t depth = p->link->ring.depth;
		uint32_t room = ring_room(&p->link->ring, depth);
		if (room < depth && !p->ended && !port_arm_out(p, room))
			return false;
	}
	return true;
}

static void end_of_input(struct leat_module *m, struct leat_port *in)
{
	in->ended = true;
	m->open_ins--;
	call_simple(m, LEAT_EV_END, in);
	if (m->state == MODULE_RUNS && m->open_ins == 0)
		module_end(m);
}

/* Calls the handler until the input is empty, or it has had its share: as many buffers as the
 * queue is deep, or a burst. */
static void handle_input(struct thr *t, struct leat_port *in)
{
	struct leat_module *m = in->module;
	uint32_t depth = in->link->ring.depth;
	uint64_t share = in->moved + (depth < in->burst ? depth : in->burst);
	in->stalled = false;
	if (in->ended)
		return;
	while (m->state == MODULE_RUNS) {
		if (port_fill(in) == 0) {
			bool ended = sync_load_acquire(&in->link->ring.ended);
			if (ended && port_fill(in) == 0) {
				end_of_input(m, in);
				return;
			}
			if (!ended && port_arm_in(in, 0))
				return;
			continue;
		}
		if (in->moved >= share) {
			thr_queue(t, &in->ev);
			return;
		}
		uint64_t before = in->moved;
		in->robbed = false;
		call_simple(m, LEAT_EV_INPUT, in);
		if (in->robbed) /* it left nothing: look at what there is now, and at the end */
			continue;
		if (in->moved == before && m->state == MODULE_RUNS) {
			if (!stall(m, in, port_fill(in)))
				thr_queue(t, &in->ev);
			return;
		}
	}
}

static void handle_credit(struct leat_port *out)
{
	if (out->short_ || sync_load(&out->link->ring.gone)) {
		out->short_ = false;
		call_simple(out->module, LEAT_EV_CREDIT, out);
	}
}

static void handle_timer(struct leat_timer *tm)
{
	struct leat_module *m = tm->ev.module;
	struct leat_event event = { .kind = LEAT_EV_TIMER, .fd = -1, .timer = tm, .count = 1 };
	if (tm->period_ns > 0) { /* counts what it missed, and keeps the beat */
		event.count = (uint64_t)((lt_now_ns() - tm->alarm.when) / tm->period_ns) + 1;
		int64_t next = lt_ns_after(tm->alarm.when, (int64_t)event.count * tm->period_ns);
		thr_set_alarm(m->thr, &tm->alarm, next);
	}
	call(m, &event);
}

static void handle_watch(struct watch *w)
{
	struct leat_event event = { .kind = LEAT_EV_FD, .fd = w->fd, .bits = w->ready };
	call(w->ev.module, &event);
	if (w->bits) /* one-shot: armed again only now, so that a slow handler is not asked twice */
		thr_watch(w->ev.module->thr, w);
}

static void handle_bits(struct leat_module *m)
{
	uint8_t bits = m->bits;
	m->bits = 0;
	if (bits & BIT_START) {
		m->state = MODULE_RUNS;
		call_simple(m, LEAT_EV_START, NULL);
		for (struct leat_port *p = m->ins; p; p = p->next)
			thr_queue(m->thr, &p->ev);
	}
	if (bits & BIT_AGAIN && m->state == MODULE_RUNS)
		call_simple(m, LEAT_EV_AGAIN, NULL);
	if (bits & BIT_DRAIN && m->state == MODULE_RUNS) {
		m->bits &= (uint8_t)~BIT_AGAIN; /* what it says to this event counts */
		call_simple(m, LEAT_EV_DRAIN, NULL);
		if (m->state == MODULE_RUNS && !(m->bits & BIT_AGAIN))
			module_end(m);
	}
}

static void dispatch_event_module(struct leat_module *m, struct ev *ev)
{
	if (ev->kind == EV_MODULE)
		handle_bits(m);
	else if (m->state != MODULE_RUNS)
		return; /* not started yet: START offers its inputs; ended: too late */
	else if (ev->kind == EV_OUT)
		handle_credit(EV_OF(struct leat_port, ev));
	else if (ev->kind == EV_TIMER)
		handle_timer(EV_OF(struct leat_timer, ev));
	else if (ev->kind == EV_WATCH)
		handle_watch(EV_OF(struct watch, ev));
	else if (ev->kind == EV_POOL) {
		m->pool_dry = false;
		call_simple(m, LEAT_EV_POOL, NULL);
	}
	if (m->state == MODULE_RUNS)
		offer_again(m);
}

/* ---- main loops ---- */

static void main_body(void *arg)
{
	struct leat_module *m = arg;
	int r = m->run(m, m->ctx);
	if (r < 0 && !module_cut_off(r))
		app_error(m, r);
	module_end(m);
	coro_leave(&m->coro, &m->thr->coro);
}

static void go_on(struct thr *t, struct leat_module *m)
{
	m->waiting = false;
	if (m->lone)
		return; /* the loop that called us ends */
	before_run(m);
	coro_switch(&t->coro, &m->coro);
	struct leat_module *last = t->current; /* they may have switched among themselves */
	after_run(last);
	if (last->state == MODULE_ENDED)
		coro_done(&last->coro);
}

/* From main loop to main loop, without the thread between them, when that is all that comes. */
struct coro *dispatch_next(struct thr *t, struct leat_module *from)
{
	struct ev *ev = thr_pick_quick(t);
	struct leat_module *m = ev ? ev->module : NULL;
	bool plain = m && m->main && m->waiting && m->state == MODULE_RUNS && ev != &m->alarm_ev &&
		ev->kind != EV_WATCH;
	if (!plain) {
		t->handed = ev;
		return &t->coro;
	}
	m->bits = 0;
	m->waiting = false;
	after_run(from);
	before_run(m);
	return m == from ? NULL : &m->coro;
}

static void start_main(struct thr *t, struct leat_module *m)
{
	m->state = MODULE_RUNS;
	if (coro_init(&m->coro, m->opts.stack_bytes, main_body, m) < 0) {
		leat_module_fail(m, -ENOMEM, "no memory for its stack");
		app_error(m, -ENOMEM);
		module_end(m);
		return;
	}
	go_on(t, m);
}

static void dispatch_main(struct thr *t, struct leat_module *m, struct ev *ev)
{
	uint8_t bits = m->bits;
	if (ev == &m->alarm_ev) {
		/* One from a wait that ended otherwise is stale. */
		if (m->until < 0 || lt_now_ns() < m->until)
			return;
		m->timed_out = true;
	}
	m->bits = 0;
	if (bits & BIT_START)
		start_main(t, m);
	else if (m->waiting && m->state == MODULE_RUNS)
		go_on(t, m);
}

/* ---- the whole thread ---- */

static void drain_thread(struct thr *t)
{
	for (struct leat_module *m = t->modules; m; m = m->next_here) {
		if (m->ins || m->state == MODULE_ENDED)
			continue;
		m->draining = true;
		m->bits |= m->main ? BIT_RESUME : BIT_DRAIN;
		thr_queue(t, &m->ev);
	}
}

static void stop_thread(struct thr *t)
{
	for (struct leat_module *m = t->modules; m; m = m->next_here) {
		if (m->state == MODULE_ENDED)
			continue;
		m->stopped = true;
		if (m->state == MODULE_NEW) {
			module_end(m);
		} else if (!m->main) {
			call_simple(m, LEAT_EV_STOP, NULL);
			module_end(m);
		} else if (m->waiting) {
			go_on(t, m);
		}
	}
}

void dispatch(struct thr *t, struct ev *ev)
{
	struct leat_module *m = ev->module;
	if (!m) {
		if (ev->kind == EV_STOP)
			stop_thread(t);
		else
			drain_thread(t);
		return;
	}
	if (ev->kind == EV_WATCH && m->main && !EV_OF(struct watch, ev)->ready)
		return;
	if (m->main)
		dispatch_main(t, m, ev);
	else if (ev->kind == EV_IN && m->state == MODULE_RUNS)
		handle_input(t, EV_OF(struct leat_port, ev));
	else if (ev->kind != EV_IN)
		dispatch_event_module(m, ev);
}
