/* SPDX-License-Identifier: MIT */
/* Apps from outside: start, errors on the way, wait, drain, stop. */
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "lib/cancel.h"
#include "lib/mod.h"

/* ---- errors ---- */

int leat_module_fail(struct leat_module *module, int code, const char *fmt, ...)
{
	char why[160];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	return leat_err_set(&module->err, code, "LEAT-MODULE-FAILED", "%s", why);
}

void app_error(struct leat_module *m, int code)
{
	struct leat_app *app = m->app;
	uint64_t had = 0;
	for (struct leat_port *p = m->ins; p; p = p->next)
		had += p->moved;
	m->errors++;
	if (m->opts.on_error != LEAT_IGNORE) {
		pthread_mutex_lock(&app->lock);
		if (!app->err.code)
			leat_err_set(&app->err, code, "LEAT-MODULE-FAILED",
				"%s, after %llu buffers: %s", m->name, (unsigned long long)had,
				m->err.code ? m->err.text : strerror(-code));
		pthread_mutex_unlock(&app->lock);
	}
	m->err.code = 0;
	if (m->opts.on_error == LEAT_STOP_APP)
		app_stop(app, false);
	else if (m->opts.on_error == LEAT_STOP_MODULE && !m->main)
		module_end(m);
}

/* ---- running ---- */

static int check_graph(struct leat_app *app, struct leat_err *err)
{
	if (!app->modules)
		return LEAT_FAIL(err, -EINVAL, "LEAT-APP-EMPTY", "%s has no modules", app->name);
	for (struct leat_module *m = app->modules; m; m = m->next) {
		for (int side = 0; side < 2; side++) {
			for (struct leat_port *p = side ? m->ins : m->outs; p; p = p->next) {
				if (!p->link)
					return LEAT_FAIL(err, -ENOTCONN, "LEAT-PORT-LOOSE",
						"%s.%s is not linked", m->name, p->name);
			}
		}
	}
	return 0;
}

static uint32_t half_of(const struct leat_port *p)
{
	const struct thr *a = p->thr, *b = p->peer->thr;
	uint32_t depth = p->link->ring.depth;
	/* On one CPU the other side cannot use half a queue before this side sleeps. */
	if (a != b && a->cpu >= 0 && a->cpu == b->cpu)
		return depth;
	return depth > 1 ? depth / 2 : 1;
}

static int wire(struct leat_app *app)
{
	for (struct leat_module *m = app->modules; m; m = m->next) {
		for (struct leat_port *p = m->ins; p; p = p->next)
			p->thr = m->thr;
		for (struct leat_port *p = m->outs; p; p = p->next)
			p->thr = m->thr;
		m->lone = m->main && m->thr->modules == m && !m->next_here;
		int r = thr_reserve(m->thr);
		for (struct leat_timer *tm = m->timers; tm && r == 0; tm = tm->next)
			r = thr_reserve(m->thr);
		for (struct watch *w = m->watches; w && r == 0; w = w->next)
			r = w->bits ? thr_watch(m->thr, w) : 0;
		if (r < 0)
			return r;
	}
	for (struct leat_module *m = app->modules; m; m = m->next) {
		for (int side = 0; side < 2; side++) {
			for (struct leat_port *p = side ? m->ins : m->outs; p; p = p->next) {
				p->remote = p->thr != p->peer->thr;
				p->half = half_of(p);
				p->burst = app->burst ? app->burst : DEPTH_MAX;
				if (p->input && p->remote && !m->main &&
					p->link->policy == LEAT_BLOCK &&
					!(p->hand = calloc(p->link->ring.depth, sizeof(*p->hand))))
					return -ENOMEM;
			}
		}
	}
	return 0;
}

/* Two threads bound to one CPU: nobody may spin. */
static bool is_crowded(const struct leat_app *app)
{
	for (const struct thr *a = app->threads; a; a = a->next) {
		for (const struct thr *b = a->next; b; b = b->next) {
			if (a->cpu >= 0 && a->cpu == b->cpu)
				return true;
		}
	}
	return false;
}

static void *watch_cancel(void *arg)
{
	struct leat_app *app = arg;
	struct pollfd fds[2] = { { .fd = app->opts.cancel->fd, .events = POLLIN },
		{ .fd = app->quit_fd, .events = POLLIN } };
	while (poll(fds, 2, -1) < 0 && errno == EINTR)
		;
	if (fds[0].revents && !fds[1].revents)
		app_stop(app, false);
	return NULL;
}

static int start_watcher(struct leat_app *app, struct leat_err *err)
{
	if (!app->opts.cancel)
		return 0;
	app->quit_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	int r = app->quit_fd < 0 ? errno : pthread_create(&app->watcher, NULL, watch_cancel, app);
	if (r == 0)
		return 0;
	if (app->quit_fd >= 0)
		close(app->quit_fd);
	app->quit_fd = -1;
	return LEAT_FAIL(err, -r, "LEAT-THREAD", "cannot watch for cancel: %s", strerror(r));
}

void app_stop_watcher(struct leat_app *app)
{
	if (app->quit_fd < 0)
		return;
	uint64_t one = 1;
	ssize_t n = write(app->quit_fd, &one, sizeof(one));
	(void)n;
	pthread_join(app->watcher, NULL);
	close(app->quit_fd);
}

static int start_threads(struct leat_app *app, struct leat_err *err)
{
	unsigned n = 0;
	for (struct thr *t = app->threads; t; t = t->next)
		n++;
	sync_store(&app->live, n);
	park_threads_add((int)n);
	app->crowded = is_crowded(app);
	bool alone = n <= 1;
	for (struct thr *t = app->threads; t; t = t->next) {
		t->spin_ns = app->opts.spin_ns < 0 ? 0
			: app->opts.spin_ns > 0    ? app->opts.spin_ns
			: alone                    ? 0
						   : park_wake_ns();
		t->slow_ns = alone ? 0 : park_wake_ns(); /* alone, there is nobody to tell */
		int r = pthread_create(&t->thread, NULL, thr_main, t);
		if (r != 0) { /* those that never ran have ended, as far as others can see */
			for (struct thr *u = t; u; u = u->next)
				app_thread_ended(app);
			app_stop(app, true);
			return LEAT_FAIL(err, -r, "LEAT-THREAD", "cannot start thread %s: %s",
				t->name, strerror(r));
		}
		t->started = true;
	}
	return 0;
}

int leat_start(struct leat_app *app, struct leat_err *err)
{
	if (app->running)
		return app_is_running(app, err);
	int r = check_graph(app, err);
	if (r == 0)
		r = place_all(app, err);
	if (r < 0)
		return r;
	app->running = true;
	if (wire(app) < 0 || pools_prepare(app) < 0)
		return LEAT_FAIL_MEM(err);
	r = start_threads(app, err);
	return r < 0 ? r : start_watcher(app, err);
}

static void post_all(struct leat_app *app, bool stop)
{
	for (struct thr *t = app->threads; t; t = t->next) {
		struct ev *ev = stop ? &t->ev_stop : &t->ev_drain;
		if (t == thr_self)
			thr_queue(t, ev);
		else
			thr_post(t, ev);
	}
}

void app_stop(struct leat_app *app, bool asked)
{
	pthread_mutex_lock(&app->lock);
	bool first = !sync_load(&app->stop);
	if (first)
		app->stop_asked = asked;
	pthread_mutex_unlock(&app->lock);
	if (first && !sync_xchg(&app->stop, 1))
		post_all(app, true);
}

void app_thread_ended(struct leat_app *app)
{
	park_threads_add(-1);
	if (atomic_fetch_sub_explicit(&app->live, 1, memory_order_acq_rel) == 1)
		sync_wake(&app->live, INT_MAX);
}

static const char *still_running(struct leat_app *app)
{
	for (struct leat_module *m = app->modules; m; m = m->next) {
		if (m->state != MODULE_ENDED)
			return m->name;
	}
	return "nobody";
}

/* No thread is left: what lies in the queues goes home. */
static int result(struct leat_app *app, struct leat_err *err)
{
	pthread_mutex_lock(&app->lock);
	for (struct link *l = app->links; l; l = l->next)
		link_drain(l);
	pools_publish(app);
	int code = app->err.code;
	if (code && err)
		*err = app->err;
	bool canceled = !code && sync_load(&app->stop) && !app->stop_asked;
	pthread_mutex_unlock(&app->lock);
	if (canceled)
		return LEAT_FAIL(err, -ECANCELED, "LEAT-CANCELED", "%s was cancelled", app->name);
	return code;
}

int leat_wait(struct leat_app *app, int64_t timeout_ns, struct leat_err *err)
{
	if (!app->running)
		return LEAT_FAIL(err, -EINVAL, "LEAT-APP-IDLE", "%s was not started", app->name);
	if (thr_self && thr_self->app == app)
		return LEAT_FAIL(err, -EDEADLK, "LEAT-APP-THREAD",
			"a thread of %s cannot wait for its end", app->name);
	int64_t until = timeout_ns < 0 ? 0 : lt_ns_after(lt_now_ns(), timeout_ns);
	struct timespec ts = { until / LT_NS_PER_S, until % LT_NS_PER_S };
	uint32_t live;
	while ((live = sync_load_acquire(&app->live)) > 0) {
		if (sync_wait(&app->live, live, timeout_ns < 0 ? NULL : &ts) == -ETIMEDOUT)
			return LEAT_FAIL(err, -ETIMEDOUT, "LEAT-TIMEOUT", "%s still runs",
				still_running(app));
	}
	return result(app, err);
}

int leat_drain(struct leat_app *app, int64_t timeout_ns, struct leat_err *err)
{
	if (app->running && !sync_xchg(&app->drain, 1))
		post_all(app, false);
	return leat_wait(app, timeout_ns, err);
}

int leat_stop(struct leat_app *app, int64_t timeout_ns, struct leat_err *err)
{
	if (app->running)
		app_stop(app, true);
	return leat_wait(app, timeout_ns, err);
}
