/* SPDX-License-Identifier: MIT */
/* The threads of an app: lists, inbox, alarms, descriptors, sleep. */
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/own.h"
#include "lib/cpus.h"
#include "lib/mod.h"
#include "lib/stats.h"

_Thread_local struct thr *thr_self __attribute__((tls_model("initial-exec")));

enum {
	HOUSEKEEPING = 64, /* rounds of a busy thread between looks at clock and descriptors */
	FD_EVENTS = 16,
};

/* ---- lists and inbox ---- */

void thr_queue(struct thr *t, struct ev *ev)
{
	if (ev->queued)
		return;
	struct ev_list *list = &t->ready[ev->priority];
	ev->queued = true;
	ev->next = NULL;
	*list->tail = ev;
	list->tail = &ev->next;
}

/* From another thread. An ev that is in the inbox will be looked at later than now: enough. */
void thr_post(struct thr *t, struct ev *ev)
{
	if (sync_xchg(&ev->posted, 1))
		return;
	struct ev *top = atomic_load_explicit(&t->inbox, memory_order_relaxed);
	do {
		atomic_store_explicit(&ev->next_post, top, memory_order_relaxed);
	} while (!atomic_compare_exchange_weak_explicit(
		&t->inbox, &top, ev, memory_order_seq_cst, memory_order_relaxed));
	if (!park_must_wake(&t->park))
		return;
	atomic_store_explicit(&t->woken_ns, lt_now_ns(), memory_order_relaxed);
	if (sync_load(&t->polls)) {
		uint64_t one = 1;
		ssize_t n = write(t->event_fd, &one, sizeof(one));
		(void)n; /* full: readable all the same */
	} else {
		sync_wake(&t->park.state, 1);
	}
}

/* Oldest first. Each is open for posting again before anybody looks at what it is about. */
static void take_inbox(struct thr *t)
{
	if (!atomic_load_explicit(&t->inbox, memory_order_relaxed))
		return;
	struct ev *ev = atomic_exchange_explicit(&t->inbox, NULL, memory_order_acquire);
	struct ev *oldest = NULL;
	while (ev) {
		struct ev *next = atomic_load_explicit(&ev->next_post, memory_order_relaxed);
		atomic_store_explicit(&ev->next_post, oldest, memory_order_relaxed);
		oldest = ev;
		ev = next;
	}
	while (oldest) {
		struct ev *next = atomic_load_explicit(&oldest->next_post, memory_order_relaxed);
		sync_xchg(&oldest->posted, 0);
		thr_queue(t, oldest);
		oldest = next;
	}
}

static struct ev *pop(struct ev_list *list)
{
	struct ev *ev = list->head;
	list->head = ev->next;
	if (!list->head)
		list->tail = &list->head;
	ev->queued = false;
	return ev;
}

/* Priority 1 is high, 0 normal, 2 low. After SKIPS picks of one list the next lower one that has
 * something gets a turn; which may in turn go to the one below it. */
static struct ev *pick(struct thr *t)
{
	static const uint8_t order[PRIORITIES] = { 1, 0, 2 };
	struct ev_list *best = NULL;
	for (unsigned i = 0; i < PRIORITIES; i++) {
		unsigned p = order[i];
		if (!t->ready[p].head)
			continue;
		if (best && t->picked[best - t->ready]++ < SKIPS)
			break;
		if (best)
			t->picked[best - t->ready] = 0;
		best = &t->ready[p];
	}
	return best ? pop(best) : NULL;
}

void thr_flush(struct thr *t)
{
	while (t->dirty) {
		struct leat_port *p = t->dirty;
		t->dirty = p->next_dirty;
		p->dirty = false;
		if (p->untold)
			port_tell(p);
	}
}

/* ---- alarms: a binary heap ---- */

static void heap_put(struct thr *t, unsigned i, struct alarm *a)
{
	t->heap[i] = a;
	a->at = i + 1;
}

static void sift_up(struct thr *t, unsigned i)
{
	struct alarm *a = t->heap[i];
	while (i > 0 && t->heap[(i - 1) / 2]->when > a->when) {
		heap_put(t, i, t->heap[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
	heap_put(t, i, a);
}

static void sift_down(struct thr *t, unsigned i)
{
	struct alarm *a = t->heap[i];
	for (;;) {
		unsigned k = 2 * i + 1;
		if (k >= t->n_heap)
			break;
		if (k + 1 < t->n_heap && t->heap[k + 1]->when < t->heap[k]->when)
			k++;
		if (t->heap[k]->when >= a->when)
			break;
		heap_put(t, i, t->heap[k]);
		i = k;
	}
	heap_put(t, i, a);
}

/* Room for one more alarm: each module and timer reserves its own, so that setting never fails. */
int thr_reserve(struct thr *t)
{
	struct alarm **heap = realloc(t->heap, (t->max_heap + 1) * sizeof(struct alarm *));
	if (!heap)
		return -ENOMEM;
	t->heap = heap;
	t->max_heap++;
	return 0;
}

void thr_clear_alarm(struct thr *t, struct alarm *a)
{
	if (!a->at)
		return;
	unsigned i = a->at - 1;
	a->at = 0;
	struct alarm *last = t->heap[--t->n_heap];
	if (last == a)
		return;
	heap_put(t, i, last);
	sift_up(t, i);
	sift_down(t, last->at - 1);
}

void thr_set_alarm(struct thr *t, struct alarm *a, int64_t when)
{
	thr_clear_alarm(t, a);
	a->when = when;
	heap_put(t, t->n_heap++, a);
	sift_up(t, t->n_heap - 1);
}

static bool ring_alarms(struct thr *t)
{
	if (!t->n_heap)
		return false;
	int64_t now = lt_now_ns();
	bool any = false;
	while (t->n_heap && t->heap[0]->when <= now) {
		struct alarm *a = t->heap[0];
		thr_clear_alarm(t, a);
		thr_queue(t, a->ev);
		any = true;
	}
	return any;
}

/* ---- descriptors ---- */

/* Only a thread that watches something has an epoll set, and sleeps in it. */
static int open_epoll(struct thr *t)
{
	if (t->epoll_fd >= 0)
		return 0;
	struct epoll_event ev = { .events = EPOLLIN };
	LT_AUTO_CLOSE int event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	LT_AUTO_CLOSE int epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (event_fd < 0 || epoll_fd < 0 || epoll_ctl(epoll_fd, EPOLL_CTL_ADD, event_fd, &ev) < 0)
		return -errno;
	t->event_fd = LT_TAKE_FD(event_fd);
	t->epoll_fd = LT_TAKE_FD(epoll_fd);
	return 0;
}

/* Adds, changes or (bits 0) removes. */
int thr_watch(struct thr *t, struct watch *w)
{
	struct epoll_event ev = { .events = w->bits | EPOLLONESHOT, .data.ptr = w };
	int r = open_epoll(t);
	if (r < 0)
		return r;
	if (w->bits == 0) {
		if (epoll_ctl(t->epoll_fd, EPOLL_CTL_DEL, w->fd, NULL) == 0)
			t->n_watches--;
		return 0;
	}
	if (epoll_ctl(t->epoll_fd, EPOLL_CTL_MOD, w->fd, &ev) == 0)
		return 0;
	if (epoll_ctl(t->epoll_fd, EPOLL_CTL_ADD, w->fd, &ev) < 0)
		return -errno;
	t->n_watches++;
	return 0;
}

static int wait_fds(struct thr *t, struct epoll_event *evs, int64_t until)
{
	struct timespec ts = { 0 };
	if (until > 0) { /* absolute; 0: only look */
		int64_t ns = until - lt_now_ns();
		if (ns > 0)
			ts = (struct timespec){ ns / LT_NS_PER_S, ns % LT_NS_PER_S };
	}
	int n = epoll_pwait2(t->epoll_fd, evs, FD_EVENTS, until < 0 ? NULL : &ts, NULL);
	if (n < 0 && errno == ENOSYS) { /* rounds up: never early */
		int64_t ms = ts.tv_sec * 1000 + (ts.tv_nsec + LT_NS_PER_MS - 1) / LT_NS_PER_MS;
		int most = ms < INT_MAX ? (int)ms : INT_MAX;
		n = epoll_wait(t->epoll_fd, evs, FD_EVENTS, until < 0 ? -1 : most);
	}
	return n;
}

/* until: 0 do not wait, < 0 for ever. */
static bool poll_fds(struct thr *t, int64_t until)
{
	struct epoll_event evs[FD_EVENTS];
	int n = wait_fds(t, evs, until);
	for (int i = 0; i < n; i++) {
		struct watch *w = evs[i].data.ptr;
		if (!w) {
			uint64_t count;
			ssize_t r = read(t->event_fd, &count, sizeof(count));
			(void)r;
			continue;
		}
		w->ready = evs[i].events;
		thr_queue(t, &w->ev);
	}
	return n > 0;
}

/* ---- sleep ---- */

static enum leat_cause cause_of(const struct leat_module *m, const struct leat_port **ret_port)
{
	if (m->main) {
		*ret_port = m->blocked_on;
		return m->waiting ? m->cause : LEAT_CAUSE_RUNNING;
	}
	for (const struct leat_port *p = m->outs; p; p = p->next) {
		if (p->short_ && !p->ended) {
			*ret_port = p;
			return LEAT_CAUSE_CREDIT;
		}
	}
	for (const struct leat_port *p = m->ins; p; p = p->next) {
		if (p->stalled && !m->pool_dry) {
			*ret_port = m->outs;
			return LEAT_CAUSE_CREDIT;
		}
	}
	return m->pool_dry ? LEAT_CAUSE_POOL : m->ins ? LEAT_CAUSE_INPUT : LEAT_CAUSE_TIMER;
}

/* Want of credit says more than want of buffers, that more than want of input. */
static enum leat_cause why_sleep(struct thr *t)
{
	static const uint8_t weight[LEAT_CAUSES] = {
		[LEAT_CAUSE_TIMER] = 1,
		[LEAT_CAUSE_INPUT] = 2,
		[LEAT_CAUSE_POOL] = 3,
		[LEAT_CAUSE_CREDIT] = 4,
	};
	enum leat_cause best = LEAT_CAUSE_TIMER;
	for (const struct leat_module *m = t->modules; m; m = m->next_here) {
		const struct leat_port *port = NULL;
		enum leat_cause c =
			m->state == MODULE_RUNS ? cause_of(m, &port) : LEAT_CAUSE_RUNNING;
		if (weight[c] <= weight[best])
			continue;
		best = c;
		if (c == LEAT_CAUSE_CREDIT && port && t->stats)
			stats_set(
				t->stats, LEAT_V_THREAD_PORT, stats_slot_number(port->peer->stats));
	}
	return best;
}

/* What the writer knows of a queue, whose slot is the reader's. */
static void publish_out(const struct leat_port *out)
{
	struct leat_stats_slot *queue = out->peer ? out->peer->stats : NULL;
	if (queue && out->no_credit) {
		stats_set(queue, LEAT_V_QUEUE_NO_CREDIT, out->no_credit);
		stats_set(queue, LEAT_V_QUEUE_NO_CREDIT_NS, out->no_credit_ns);
	}
	if (queue && out->link->dropped)
		stats_set(queue, LEAT_V_QUEUE_DROPPED, out->link->dropped);
}

void thr_publish(struct thr *t)
{
	if (!STATS_ON)
		return;
	for (struct leat_module *m = t->modules; m; m = m->next_here) {
		uint64_t in = 0, out = 0;
		for (struct leat_port *p = m->ins; p; p = p->next) {
			in += p->moved;
			port_publish(p);
		}
		for (struct leat_port *p = m->outs; p; p = p->next) {
			out += p->moved;
			publish_out(p);
		}
		m->in = in;
		m->out = out;
		if (!m->stats)
			continue;
		stats_set(m->stats, LEAT_V_MODULE_CALLS, m->calls);
		stats_set(m->stats, LEAT_V_MODULE_IN, in);
		stats_set(m->stats, LEAT_V_MODULE_OUT, out);
		stats_set(m->stats, LEAT_V_MODULE_ERRORS, m->errors);
		stats_set(m->stats, LEAT_V_MODULE_STATE, m->state);
	}
	if (t->stats)
		stats_set(t->stats, LEAT_V_THREAD_ROUNDS, t->rounds);
}

static bool inbox_full(struct thr *t)
{
	return atomic_load_explicit(&t->inbox, memory_order_relaxed) != NULL;
}

static bool spin(struct thr *t)
{
	if (!t->spin.pays || t->spin_ns <= 0 || t->n_watches || t->app->crowded || !park_may_spin())
		return false;
	int64_t start = lt_now_ns(), now = start;
	int64_t end = start + t->spin_ns;
	if (t->n_heap && t->heap[0]->when < end)
		end = t->heap[0]->when;
	bool found = false;
	while (!found && now < end) {
		for (int i = 0; i < 16 && !inbox_full(t); i++)
			sync_pause();
		found = inbox_full(t);
		now = lt_now_ns();
	}
	if (t->stats)
		stats_add(t->stats, LEAT_V_THREAD_SPIN_NS, (uint64_t)(now - start));
	if (!found)
		t->spin.pays = false;
	return found;
}

static void sleep_now(struct thr *t)
{
	if (spin(t))
		return;
	int64_t until = t->n_heap ? t->heap[0]->when : -1;
	enum leat_cause cause = why_sleep(t);
	thr_publish(t);
	sync_store(&t->polls, t->n_watches > 0);
	park_prepare(&t->park);
	if (inbox_full(t)) {
		park_cancel(&t->park);
		return;
	}
	int64_t since = stats_sleep_begin(t->stats, cause);
	if (t->n_watches > 0) {
		poll_fds(t, until);
	} else {
		struct timespec ts = { until / LT_NS_PER_S, until % LT_NS_PER_S };
		int r = 0;
		while (sync_load_acquire(&t->park.state) == PARK_ASLEEP && r != -ETIMEDOUT)
			r = sync_wait(&t->park.state, PARK_ASLEEP, until < 0 ? NULL : &ts);
	}
	park_cancel(&t->park);
	int64_t woken = atomic_load_explicit(&t->woken_ns, memory_order_relaxed);
	park_spin_slept(&t->spin, stats_sleep_end(t->stats, cause, since, woken));
}

struct ev *thr_pick_quick(struct thr *t)
{
	if (inbox_full(t) || (t->rounds + 1) % HOUSEKEEPING == 0)
		return NULL;
	struct ev *ev = pick(t);
	t->rounds += ev != NULL;
	return ev;
}

void thr_step(struct thr *t, bool may_sleep)
{
	struct ev *ev = t->handed;
	t->handed = NULL;
	if (!ev) {
		take_inbox(t);
		ev = pick(t);
	}
	if (ev) {
		dispatch(t, ev);
		if (__builtin_expect(++t->rounds % HOUSEKEEPING == 0, 0)) {
			ring_alarms(t);
			if (t->n_watches)
				poll_fds(t, 0);
			if (t->rounds % (16 * HOUSEKEEPING) == 0)
				thr_publish(t);
		}
		return;
	}
	thr_flush(t);
	/* A flush may have made something ready on this very thread. */
	if (t->ready[0].head || t->ready[1].head || t->ready[2].head || ring_alarms(t))
		return;
	if (may_sleep)
		sleep_now(t);
}

/* ---- main loops ---- */

int thr_block(struct leat_module *m, enum leat_cause cause, int64_t until)
{
	struct thr *t = m->thr;
	m->waiting = true;
	m->timed_out = false;
	m->cause = cause;
	m->until = until;
	if (until >= 0)
		thr_set_alarm(t, &m->alarm, until);
	if (m->lone) {
		while (m->waiting)
			thr_step(t, true);
	} else {
		struct coro *to = dispatch_next(t, m);
		if (to)
			coro_switch(&m->coro, to);
	}
	m->blocked_on = NULL;
	if (until >= 0)
		thr_clear_alarm(t, &m->alarm);
	if (m->stopped)
		return -ECANCELED;
	return m->timed_out ? -ETIMEDOUT : 0;
}

static void start_modules(struct thr *t)
{
	for (struct leat_module *m = t->modules; m; m = m->next_here) {
		m->bits = BIT_START;
		if (!m->lone)
			thr_queue(t, &m->ev);
		for (struct leat_port *p = m->ins; p; p = p->next)
			thr_queue(t, &p->ev); /* whatever was sent early is found */
		for (struct leat_timer *tm = m->timers; tm; tm = tm->next) {
			if (tm->early)
				thr_set_alarm(
					t, &tm->alarm, lt_ns_after(lt_now_ns(), tm->alarm.when));
			tm->early = false;
		}
	}
}

static void run_lone(struct thr *t, struct leat_module *m)
{
	t->current = m;
	m->bits = 0;
	m->state = MODULE_RUNS;
	m->calls = 1;
	int r = sync_load(&t->app->stop) ? -ECANCELED : m->run(m, m->ctx);
	if (r < 0 && !module_cut_off(r))
		app_error(m, r);
	module_end(m);
	thr_flush(t);
}

void *thr_main(void *arg)
{
	struct thr *t = arg;
	char name[16];
	strncpy(name, t->name, sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	pthread_setname_np(pthread_self(), name);
	if (t->cpu >= 0)
		cpus_bind(t->cpu);
	thr_self = t;
	t->stats = stats_thread_begin(t->name);
	for (struct leat_module *m = t->modules; m; m = m->next_here) {
		if (m->stats)
			m->stats->parent = stats_slot_number(t->stats);
	}
	if (coro_init_thread(&t->coro) == 0) {
		start_modules(t);
		if (t->modules->lone)
			run_lone(t, t->modules);
		while (t->live)
			thr_step(t, true);
		thr_flush(t);
	}
	thr_publish(t);
	coro_done(&t->coro);
	stats_thread_end(t->stats);
	thr_self = NULL;
	app_thread_ended(t->app);
	return NULL;
}
