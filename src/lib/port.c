/* SPDX-License-Identifier: MIT */
/* Moving buffers through ports: the calls of leat/module.h that touch a link. */
#include <stdlib.h>

#include "base/clock.h"
#include "lib/mod.h"
#include "lib/stats.h"

/* ---- links that drop the oldest: writer and reader both take from the head ---- */

static uint32_t shared_fill(struct ring *r)
{
	uint32_t head = sync_load_acquire(&r->head);
	return sync_load_acquire(&r->tail) - head;
}

/* Reads the slots first; if the head has moved meanwhile they may be stale, and it tries again. */
static uint32_t shared_get(struct ring *r, void **items, uint32_t n)
{
	for (;;) {
		uint32_t head = sync_load_acquire(&r->head);
		uint32_t fill = sync_load_acquire(&r->tail) - head;
		uint32_t k = n < fill ? n : fill;
		if (k == 0)
			return 0;
		for (uint32_t i = 0; i < k; i++)
			items[i] =
				__atomic_load_n(&r->slot[(head + i) & r->mask], __ATOMIC_RELAXED);
		if (sync_cas(&r->head, &head, head + k))
			return k;
	}
}

static uint32_t shared_put(struct ring *r, void *const *items, uint32_t n)
{
	uint32_t tail = sync_load(&r->tail);
	uint32_t room = r->depth - (tail - sync_load_acquire(&r->head));
	if (n > room)
		n = room;
	for (uint32_t i = 0; i < n; i++)
		__atomic_store_n(&r->slot[(tail + i) & r->mask], items[i], __ATOMIC_RELAXED);
	sync_store_release(&r->tail, tail + n);
	return n;
}

static bool shared(const struct link *l)
{
	return __builtin_expect(l->policy == LEAT_DROP_OLDEST, 0);
}

/* Buffers for the reader, at least: in its hand and in the queue. */
uint32_t port_fill(struct leat_port *in)
{
	struct link *l = in->link;
	return in->n_hand + (shared(l) ? shared_fill(&l->ring) : ring_fill(&l->ring, 1));
}

/* ---- telling the other side ---- */

static sync_u32 *flag_of_peer(struct leat_port *p)
{
	return p->input ? &p->link->ring.want_room : &p->link->ring.want_data;
}

enum {
	PUBLISH = 64 /* tells; a main loop that has a thread of its own may never sleep here */
};

void port_tell(struct leat_port *p)
{
	struct leat_port *peer = p->peer;
	p->untold = 0;
	if (p->remote) {
		if (p->module->lone && ++p->thr->rounds % PUBLISH == 0)
			thr_publish(p->thr);
		sync_fence();
		if (ring_owes(flag_of_peer(p)))
			thr_post(peer->thr, &peer->ev);
	} else if (peer->want) {
		peer->want = false;
		thr_queue(peer->thr, &peer->ev);
	}
}

static void mark_dirty(struct leat_port *p)
{
	if (p->dirty)
		return;
	p->dirty = true;
	p->next_dirty = p->thr->dirty;
	p->thr->dirty = p;
}

static inline void sent(struct leat_port *p, uint32_t n)
{
	p->moved += n;
	if (!p->remote) {
		if (p->peer->want)
			port_tell(p);
		return;
	}
	p->untold += n;
	if (p->untold >= p->half || (p->module->main && !p->module->app->opts.lazy))
		port_tell(p);
	else
		mark_dirty(p);
}

static inline void gave_room(struct leat_port *p, uint32_t n)
{
	p->untold += n;
	if (!p->remote && !p->peer->want)
		p->untold = 0;
	else if (p->untold >= p->half)
		port_tell(p);
	else
		mark_dirty(p);
}

static inline void received(struct leat_port *p, uint32_t n)
{
	p->moved += n;
	gave_room(p, n);
}

/* The handler has no credit for what is here: takes it out of the queue, so that the writer, on
 * its thread, fills that again meanwhile. One sleep fewer for both, each time round. */
void port_take_over(struct leat_port *in)
{
	if (!in->hand || in->n_hand)
		return;
	in->hand_at = 0;
	in->n_hand = ring_get(&in->link->ring, (void **)in->hand, in->link->ring.depth);
	if (in->n_hand)
		gave_room(in, in->n_hand);
}

/* True: armed for data behind what was seen (or, seen being nothing, for the end). */
bool port_arm_in(struct leat_port *in, uint32_t seen)
{
	if (in->remote)
		return ring_arm_reader(&in->link->ring, seen);
	in->want = true;
	return true;
}

bool port_arm_out(struct leat_port *out, uint32_t seen_room)
{
	out->no_credit++;
	if (out->remote)
		return ring_arm_writer(&out->link->ring, seen_room);
	out->want = true;
	return !sync_load(&out->link->ring.gone);
}

/* ---- checks ---- */

static __attribute__((noinline, cold)) int misuse(const struct leat_port *p, bool as_input)
{
	if (p->input != as_input)
		return LEAT_FAIL(err_last(), -EINVAL, "LEAT-PORT-WAY", "%s.%s is an %s",
			p->module->name, p->name, p->input ? "input" : "output");
	return LEAT_FAIL(err_last(), -EPERM, "LEAT-PORT-THREAD",
		"%s.%s belongs to another thread, or does not run", p->module->name, p->name);
}

static inline bool usable(const struct leat_port *p, bool as_input)
{
	return __builtin_expect(p->thr && p->thr == thr_self && p->input == as_input, 1);
}

static __attribute__((noinline, cold)) int closed(struct leat_port *out)
{
	if (out->ended)
		return LEAT_FAIL(err_last(), -EPIPE, "LEAT-PORT-ENDED",
			"%s.%s has sent its end already", out->module->name, out->name);
	if (sync_load(out->stop))
		return LEAT_FAIL(err_last(), -ECANCELED, "LEAT-STOPPED",
			"%s.%s: the app is stopped", out->module->name, out->name);
	return LEAT_FAIL(err_last(), -EPIPE, "LEAT-PORT-CLOSED", "%s.%s: the reader %s has ended",
		out->module->name, out->name, out->peer->module->name);
}

static inline bool is_closed(struct leat_port *out)
{
	return __builtin_expect(
		out->ended || sync_load(out->stop) || sync_load(&out->link->ring.gone), 0);
}

/* ---- the calls that do not wait ---- */

static uint32_t drop_rest(struct leat_port *out, struct leat_buf **bufs, uint32_t n)
{
	struct link *l = out->link;
	uint32_t moved = 0;
	if (l->policy == LEAT_DROP_NEWEST) {
		leat_put(bufs, n);
		l->dropped += n;
		return n;
	}
	while (moved < n) {
		void *oldest;
		uint32_t k = shared_put(&l->ring, (void **)bufs + moved, n - moved);
		moved += k;
		if (k)
			sent(out, k);
		else if (shared_get(&l->ring, &oldest, 1)) {
			leat_put((struct leat_buf **)&oldest, 1);
			l->dropped++;
		}
	}
	return moved;
}

static inline uint32_t put(struct leat_port *out, struct leat_buf **bufs, uint32_t n)
{
	struct link *l = out->link;
	uint32_t k = shared(l) ? shared_put(&l->ring, (void **)bufs, n)
			       : ring_put(&l->ring, (void **)bufs, n);
	if (k)
		sent(out, k);
	if (__builtin_expect(k < n && l->policy != LEAT_BLOCK, 0))
		k += drop_rest(out, bufs + k, n - k);
	return k;
}

int leat_send(struct leat_port *out, struct leat_buf **bufs, unsigned n)
{
	if (!usable(out, false))
		return misuse(out, false);
	if (is_closed(out))
		return closed(out);
	uint32_t k = put(out, bufs, n);
	if (__builtin_expect(k < n && out->module->main, 0))
		thr_flush(out->thr);
	while (__builtin_expect(k < n && !out->module->main, 0)) {
		out->short_ = true;
		if (port_arm_out(out, 0))
			break;
		if (is_closed(out))
			return k ? (int)k : closed(out);
		k += put(out, bufs + k, n - k);
	}
	return (int)k;
}

static uint32_t get_from_hand(struct leat_port *in, struct leat_buf **bufs, uint32_t n)
{
	uint32_t k = n < in->n_hand ? n : in->n_hand;
	memcpy(bufs, in->hand + in->hand_at, k * sizeof(*bufs));
	in->hand_at += k;
	in->n_hand -= k;
	in->moved += k;
	return k;
}

static inline uint32_t get(struct leat_port *in, struct leat_buf **bufs, uint32_t n)
{
	struct link *l = in->link;
	n = n < in->burst ? n : in->burst;
	if (__builtin_expect(in->n_hand != 0, 0))
		return get_from_hand(in, bufs, n);
	uint32_t k = shared(l) ? shared_get(&l->ring, (void **)bufs, n)
			       : ring_get(&l->ring, (void **)bufs, n);
	if (k)
		received(in, k);
	else if (shared(l) && n)
		in->robbed = true;
	return k;
}

/* Nothing was there: why? Looks once more behind the end mark. */
static int nothing(struct leat_port *in, struct leat_buf **bufs, unsigned n)
{
	thr_flush(in->thr); /* a loop that only polls must not keep its writers waiting */
	if (sync_load(in->stop))
		return -ECANCELED;
	if (!in->ended && !sync_load_acquire(&in->link->ring.ended))
		return 0;
	uint32_t k = get(in, bufs, n);
	if (k || n == 0)
		return (int)k;
	if (in->module->main && !in->ended) {
		in->ended = true;
		in->module->open_ins--;
	}
	return -EPIPE;
}

int leat_recv(struct leat_port *in, struct leat_buf **bufs, unsigned n)
{
	if (!usable(in, true))
		return misuse(in, true);
	uint32_t k = get(in, bufs, n);
	return __builtin_expect(k > 0, 1) ? (int)k : nothing(in, bufs, n);
}

unsigned leat_credit(struct leat_port *out)
{
	if (!usable(out, false))
		return 0;
	if (is_closed(out) || out->link->policy != LEAT_BLOCK)
		return out->link->ring.depth;
	uint32_t room = ring_room(&out->link->ring, out->half);
	while (room == 0 && !out->module->main) {
		out->short_ = true;
		if (port_arm_out(out, 0))
			break;
		if (is_closed(out))
			return out->link->ring.depth;
		room = ring_room(&out->link->ring, out->half);
	}
	return room;
}

unsigned leat_queued(struct leat_port *in)
{
	if (!usable(in, true))
		return 0;
	return in->n_hand +
		(shared(in->link) ? shared_fill(&in->link->ring)
				  : ring_fill(&in->link->ring, in->link->ring.depth));
}

/* An output: end of stream; an input: its writer need not go on. */
void port_close(struct leat_port *p)
{
	if (!p->link)
		return;
	if (!p->input) {
		if (sync_load(&p->link->ring.ended))
			return;
		p->ended = true;
		sync_store_release(&p->link->ring.ended, 1);
	} else {
		sync_store_release(&p->link->ring.gone, 1);
	}
	port_tell(p);
}

int leat_end(struct leat_port *out)
{
	if (!usable(out, false))
		return misuse(out, false);
	if (out->ended)
		return closed(out);
	port_close(out);
	return 0;
}

void leat_flush(struct leat_module *module)
{
	if (module->thr && module->thr == thr_self)
		thr_flush(module->thr);
}

/* Sends home what is inside; when no thread touches the link any more, or for its reader. */
uint32_t link_drain(struct link *l)
{
	struct leat_buf *bufs[32];
	uint32_t n, all = 0;
	while ((n = shared(l) ? shared_get(&l->ring, (void **)bufs, 32)
			      : ring_get(&l->ring, (void **)bufs, 32)) > 0) {
		leat_put(bufs, n);
		all += n;
	}
	return all;
}

void port_publish(struct leat_port *in)
{
	struct link *l = in->link;
	if (!in->stats || !l)
		return;
	uint32_t fill = shared(l) ? shared_fill(&l->ring)
				  : sync_load_acquire(&l->ring.tail) - sync_load(&l->ring.head);
	stats_set(in->stats, LEAT_V_QUEUE_OUT, in->moved);
	stats_set(in->stats, LEAT_V_QUEUE_IN, in->moved + in->n_hand + fill);
}

/* ---- the calls that wait ---- */

static __attribute__((cold)) int not_main(const struct leat_module *m)
{
	if (!m->main)
		return LEAT_FAIL(err_last(), -EDEADLK, "LEAT-MODULE-KIND",
			"%s is an event module and must not wait", m->name);
	return LEAT_FAIL(err_last(), -EPERM, "LEAT-PORT-THREAD",
		"%s belongs to another thread, or does not run", m->name);
}

/* May this module wait here and now? */
static inline int enter(struct leat_module *m)
{
	if (__builtin_expect(!m->main || !m->thr || m->thr != thr_self || m->thr->current != m, 0))
		return not_main(m);
	if (__builtin_expect(sync_load(&m->app->stop) != 0, 0))
		return -ECANCELED;
	if (__builtin_expect(sync_load(&m->app->drain) != 0, 0) && !m->ins)
		return -ESHUTDOWN;
	return 0;
}

static int64_t deadline(int64_t timeout_ns)
{
	return timeout_ns < 0 ? -1 : lt_ns_after(lt_now_ns(), timeout_ns);
}

int leat_recv_wait(struct leat_port *in, struct leat_buf **bufs, unsigned n, int64_t timeout_ns)
{
	if (!usable(in, true))
		return misuse(in, true);
	int r = enter(in->module);
	if (r < 0)
		return r;
	uint32_t k = get(in, bufs, n);
	if (__builtin_expect(k > 0, 1))
		return (int)k;
	int64_t until = deadline(timeout_ns);
	for (;;) {
		r = nothing(in, bufs, n);
		if (r != 0)
			return r;
		r = 0;
		if (port_arm_in(in, 0))
			r = thr_block(in->module, LEAT_CAUSE_INPUT, until);
		k = get(in, bufs, n);
		if (k || r < 0)
			return k ? (int)k : r;
	}
}

int leat_send_wait(struct leat_port *out, struct leat_buf **bufs, unsigned n, int64_t timeout_ns)
{
	if (!usable(out, false))
		return misuse(out, false);
	int r = enter(out->module);
	if (r < 0 && r != -ECANCELED)
		return r;
	if (is_closed(out))
		return closed(out);
	uint32_t k = put(out, bufs, n);
	if (__builtin_expect(k == n, 1))
		return (int)n;
	int64_t until = deadline(timeout_ns), since = out->remote ? lt_now_ns() : 0;
	r = 0;
	while (k < n && r == 0) {
		if (port_arm_out(out, 0)) {
			out->module->blocked_on = out;
			r = thr_block(out->module, LEAT_CAUSE_CREDIT, until);
		}
		if (is_closed(out))
			r = closed(out);
		else
			k += put(out, bufs + k, n - k);
	}
	if (out->remote)
		out->no_credit_ns += (uint64_t)(lt_now_ns() - since);
	return k ? (int)k : r;
}

int leat_take_wait(struct leat_module *module, struct leat_pool *pool, struct leat_buf **bufs,
	unsigned n, int64_t timeout_ns)
{
	int r = enter(module);
	if (r < 0)
		return r;
	unsigned k = leat_take(pool, bufs, n);
	if (k > 0 || n == 0)
		return (int)k;
	int64_t until = deadline(timeout_ns);
	for (;;) {
		if (!pool_wait_for(pool, module))
			r = thr_block(module, LEAT_CAUSE_POOL, until);
		k = leat_take(pool, bufs, n);
		if (k || r < 0)
			return k ? (int)k : r;
		r = enter(module);
		if (r < 0)
			return r;
	}
}

/* An input with data or an end not yet seen, or an output with room that had none. NULL: all of
 * them are armed now. */
static struct leat_port *find_ready(struct leat_module *m)
{
	for (struct leat_port *p = m->ins; p; p = p->next) {
		if (p->ended)
			continue;
		if (port_fill(p) || sync_load_acquire(&p->link->ring.ended) || !port_arm_in(p, 0))
			return p;
	}
	for (struct leat_port *p = m->outs; p; p = p->next) {
		if (p->ended || p->link->policy != LEAT_BLOCK || !p->short_)
			continue;
		if (ring_room(&p->link->ring, 1) || !port_arm_out(p, 0)) {
			p->short_ = false;
			return p;
		}
	}
	return NULL;
}

int leat_wait_any(struct leat_module *module, int64_t timeout_ns, struct leat_port **ret_port)
{
	int r = enter(module);
	int64_t until = deadline(timeout_ns);
	bool first = true;
	for (struct leat_port *p = module->outs; p && r == 0; p = p->next)
		p->short_ = ring_room(&p->link->ring, 1) == 0;
	while (r == 0) {
		struct leat_port *p = find_ready(module);
		if (p) {
			*ret_port = p;
			return 0;
		}
		if (module->ins && module->open_ins == 0)
			return -EPIPE;
		if (!first && timeout_ns == 0)
			return -ETIMEDOUT;
		first = false;
		r = thr_block(module, LEAT_CAUSE_INPUT, until);
		if (r == 0)
			r = enter(module);
	}
	return r;
}

int leat_sleep(struct leat_module *module, int64_t ns)
{
	int r = enter(module);
	int64_t until = deadline(ns < 0 ? 0 : ns);
	while (r == 0) {
		r = thr_block(module, LEAT_CAUSE_TIMER, until);
		if (r == 0)
			r = enter(module);
	}
	return r == -ETIMEDOUT ? 0 : r;
}

int leat_yield(struct leat_module *module)
{
	int r = enter(module);
	if (r < 0)
		return r;
	module->bits |= BIT_RESUME;
	thr_queue(module->thr, &module->ev);
	r = thr_block(module, LEAT_CAUSE_TIMER, -1);
	return r < 0 ? r : enter(module);
}

int leat_wait_fd(struct leat_module *module, int fd, unsigned bits, int64_t timeout_ns)
{
	int r = enter(module);
	if (r < 0)
		return r;
	struct watch *w = &module->waits_fd;
	w->fd = fd;
	w->bits = bits;
	w->ready = 0;
	r = thr_watch(module->thr, w);
	if (r < 0)
		return LEAT_FAIL(err_last(), r, "LEAT-FD", "descriptor %d cannot be polled: %s", fd,
			strerror(-r));
	int64_t until = deadline(timeout_ns);
	while (r == 0 && !w->ready) {
		r = thr_block(module, LEAT_CAUSE_TIMER, until);
		if (r == 0 && !w->ready)
			r = enter(module);
	}
	w->bits = 0;
	thr_watch(module->thr, w);
	return w->ready ? (int)w->ready : r;
}
