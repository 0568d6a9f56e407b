/* SPDX-License-Identifier: MIT */
/* Apps from outside: building the graph, and taking it down. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/own.h"
#include "lib/env.h"
#include "lib/mod.h"
#include "lib/stats.h"

enum {
	NAME_MAX_BYTES = 31,
};

/* ---- building ---- */

int app_is_running(const struct leat_app *app, struct leat_err *err)
{
	return LEAT_FAIL(err, -EBUSY, "LEAT-APP-RUNNING", "%s was started already", app->name);
}

static char *join_placements(const char *first, const char *second)
{
	char *all = NULL;
	if (asprintf(&all, "%s%s%s", first ? first : "", first && second ? ";" : "",
		    second ? second : "") < 0)
		return NULL;
	return all;
}

int leat_app_new(const struct leat_app_opts *opts, struct leat_app **ret_app, struct leat_err *err)
{
	LT_AUTO_FREE struct leat_app *app = calloc(1, sizeof(*app));
	if (!app)
		return LEAT_FAIL_MEM(err);
	if (opts)
		app->opts = *opts;
	LT_AUTO_FREE char *placement =
		join_placements(secure_getenv("LEAT_PLACEMENT"), app->opts.placement);
	if (!placement)
		return LEAT_FAIL_MEM(err);
	int r = place_check(placement, err);
	if (r >= 0)
		r = env_number("LEAT_BURST", DEPTH_MAX, &app->burst, err);
	if (r < 0)
		return r;
	if (!leat_stats_self())
		return LEAT_FAIL(err, -ENOMEM, "LEAT-STATS-PAGE", "no statistics page");
	snprintf(app->name, sizeof(app->name), "%s", app->opts.name ? app->opts.name : "app");
	app->placement = LT_TAKE(placement);
	app->last_module = &app->modules;
	app->quit_fd = -1;
	pthread_mutex_init(&app->lock, NULL);
	*ret_app = LT_TAKE(app);
	return 0;
}

static bool bad_name(const char *name)
{
	return !name || !*name || strlen(name) > NAME_MAX_BYTES || strpbrk(name, ",;@=*?[ .>");
}

int leat_module_new(struct leat_app *app, const struct leat_module_opts *opts,
	struct leat_module **ret_module, struct leat_err *err)
{
	if (app->running)
		return app_is_running(app, err);
	if (bad_name(opts->name))
		return LEAT_FAIL(err, -EINVAL, "LEAT-MODULE-NAME",
			"'%.40s' is no name: 1 to %d bytes without , ; @ = * ? [ . > or blank",
			opts->name ? opts->name : "", NAME_MAX_BYTES);
	if (!opts->on == !opts->run)
		return LEAT_FAIL(err, -EINVAL, "LEAT-MODULE-KIND",
			"%s needs one of a handler and a main loop", opts->name);
	if (opts->priority >= PRIORITIES)
		return LEAT_FAIL(err, -EINVAL, "LEAT-MODULE-PRIORITY", "%s: no priority %u",
			opts->name, opts->priority);
	for (struct leat_module *m = app->modules; m; m = m->next) {
		if (strcmp(m->name, opts->name) == 0)
			return LEAT_FAIL(err, -EEXIST, "LEAT-MODULE-TWICE",
				"%s has a module %s already", app->name, opts->name);
	}
	size_t len = strlen(opts->name) + 1;
	struct leat_module *m = calloc(1, sizeof(*m) + len);
	if (!m)
		return LEAT_FAIL_MEM(err);
	memcpy(m->name, opts->name, len);
	m->opts = *opts;
	m->app = app;
	m->on = opts->on;
	m->run = opts->run;
	m->ctx = opts->ctx;
	m->main = opts->run != NULL;
	m->until = -1;
	uint8_t priority = (uint8_t)opts->priority;
	m->ev = (struct ev){ .kind = EV_MODULE, .module = m, .priority = priority };
	m->alarm_ev = (struct ev){ .kind = EV_TIMER, .module = m, .priority = priority };
	m->waits_fd.ev = (struct ev){ .kind = EV_WATCH, .module = m, .priority = priority };
	m->alarm.ev = &m->alarm_ev;
	m->stats = stats_slot_new(LEAT_STATS_MODULE, m->name, NULL, 0);
	*app->last_module = m;
	app->last_module = &m->next;
	*ret_module = m;
	return 0;
}

static int new_port(struct leat_module *m, bool input, const char *name, unsigned depth,
	struct leat_port **ret_port, struct leat_err *err)
{
	if (m->app->running)
		return app_is_running(m->app, err);
	if (bad_name(name))
		return LEAT_FAIL(err, -EINVAL, "LEAT-PORT-NAME",
			"'%.40s' is no name for a port of %s", name ? name : "", m->name);
	if (depth == 0 || depth > DEPTH_MAX)
		return LEAT_FAIL(err, -EINVAL, "LEAT-PORT-DEPTH", "%s.%s: depth %u is not 1 to %d",
			m->name, name, depth, DEPTH_MAX);
	for (int side = 0; side < 2; side++) {
		for (struct leat_port *p = side ? m->ins : m->outs; p; p = p->next) {
			if (strcmp(p->name, name) == 0)
				return LEAT_FAIL(err, -EEXIST, "LEAT-PORT-TWICE",
					"%s has a port %s already", m->name, name);
		}
	}
	LT_AUTO_FREE char *copy = strdup(name);
	struct leat_port *p = copy ? calloc(1, sizeof(*p)) : NULL;
	if (!p)
		return LEAT_FAIL_MEM(err);
	p->name = LT_TAKE(copy);
	p->module = m;
	p->input = input;
	p->depth = depth;
	p->stop = &m->app->stop;
	p->ev = (struct ev){
		.kind = input ? EV_IN : EV_OUT, .module = m, .priority = m->ev.priority
	};
	struct leat_port **at = input ? &m->ins : &m->outs;
	while (*at)
		at = &(*at)->next;
	*at = p;
	m->open_ins += input;
	*ret_port = p;
	return 0;
}

int leat_in(struct leat_module *module, const char *name, unsigned depth,
	struct leat_port **ret_port, struct leat_err *err)
{
	return new_port(module, true, name, depth, ret_port, err);
}

int leat_out(struct leat_module *module, const char *name, unsigned depth,
	struct leat_port **ret_port, struct leat_err *err)
{
	return new_port(module, false, name, depth, ret_port, err);
}

int leat_link(
	struct leat_port *out, struct leat_port *in, enum leat_policy policy, struct leat_err *err)
{
	struct leat_app *app = out->module->app;
	if (out->input || !in->input)
		return LEAT_FAIL(err, -EINVAL, "LEAT-LINK-WAY",
			"%s.%s to %s.%s: a link goes from an output to an input", out->module->name,
			out->name, in->module->name, in->name);
	if (app != in->module->app)
		return LEAT_FAIL(err, -EINVAL, "LEAT-LINK-APP", "%s and %s are in different apps",
			out->module->name, in->module->name);
	if (app->running)
		return app_is_running(app, err);
	if (out->link || in->link)
		return LEAT_FAIL(err, -EBUSY, "LEAT-LINK-TWICE", "%s.%s is linked already",
			out->link ? out->module->name : in->module->name,
			out->link ? out->name : in->name);
	if ((unsigned)policy > LEAT_DROP_NEWEST)
		return LEAT_FAIL(
			err, -EINVAL, "LEAT-LINK-POLICY", "no link policy %d", (int)policy);
	size_t size = (sizeof(struct link) + RING_LINE - 1) & ~(size_t)(RING_LINE - 1);
	struct link *l = aligned_alloc(RING_LINE, size);
	if (!l)
		return LEAT_FAIL_MEM(err);
	memset(l, 0, size);
	uint32_t depth = out->depth > in->depth ? out->depth : in->depth, slots = 1;
	while (slots < depth)
		slots *= 2;
	l->ring.depth = depth;
	l->ring.mask = slots - 1;
	l->ring.slot = calloc(slots, sizeof(void *));
	if (!l->ring.slot) {
		free(l);
		return LEAT_FAIL_MEM(err);
	}
	l->policy = policy;
	l->next = app->links;
	app->links = l;
	out->link = in->link = l;
	out->peer = in;
	in->peer = out;
	char name[LEAT_STATS_NAME * 3];
	snprintf(name, sizeof(name), "%s.%s>%s.%s", out->module->name, out->name, in->module->name,
		in->name);
	in->stats =
		stats_slot_new(LEAT_STATS_QUEUE, name, NULL, stats_slot_number(in->module->stats));
	if (in->stats)
		stats_set(in->stats, LEAT_V_QUEUE_DEPTH, depth);
	return 0;
}

/* ---- timers and descriptors ---- */

static int on_own_thread(struct leat_module *m, struct leat_err *err)
{
	if (m->main)
		return LEAT_FAIL(err, -EINVAL, "LEAT-MODULE-KIND",
			"%s is a main loop: it waits with timeouts", m->name);
	if (m->app->running && m->thr != thr_self)
		return LEAT_FAIL(
			err, -EPERM, "LEAT-MODULE-THREAD", "%s runs on another thread", m->name);
	return 0;
}

int leat_timer_new(struct leat_module *module, int64_t first_ns, int64_t period_ns,
	struct leat_timer **ret_timer, struct leat_err *err)
{
	int r = on_own_thread(module, err);
	if (r < 0)
		return r;
	if (first_ns < 0 || period_ns < 0)
		return LEAT_FAIL(err, -EINVAL, "LEAT-TIMER-TIME", "%s: a timer cannot go back",
			module->name);
	struct leat_timer *tm = calloc(1, sizeof(*tm));
	if (!tm)
		return LEAT_FAIL_MEM(err);
	tm->ev = (struct ev){ .kind = EV_TIMER, .module = module, .priority = module->ev.priority };
	tm->alarm.ev = &tm->ev;
	if (module->app->running && thr_reserve(module->thr) < 0) {
		free(tm);
		return LEAT_FAIL_MEM(err);
	}
	tm->next = module->timers;
	module->timers = tm;
	if (ret_timer)
		*ret_timer = tm;
	return leat_timer_set(tm, first_ns, period_ns);
}

int leat_timer_set(struct leat_timer *timer, int64_t first_ns, int64_t period_ns)
{
	struct leat_module *m = timer->ev.module;
	int r = on_own_thread(m, err_last());
	if (r < 0)
		return r;
	timer->period_ns = period_ns > 0 ? period_ns : 0;
	if (!m->app->running) {
		timer->early = first_ns >= 0;
		timer->alarm.when = first_ns;
	} else if (first_ns < 0 || m->state == MODULE_ENDED) {
		thr_clear_alarm(m->thr, &timer->alarm);
	} else {
		thr_set_alarm(m->thr, &timer->alarm, lt_ns_after(lt_now_ns(), first_ns));
	}
	return 0;
}

static struct watch *find_watch(struct leat_module *m, int fd)
{
	for (struct watch *w = m->watches; w; w = w->next) {
		if (w->fd == fd)
			return w;
	}
	struct watch *w = calloc(1, sizeof(*w));
	if (w) {
		w->fd = fd;
		w->ev = (struct ev){ .kind = EV_WATCH, .module = m, .priority = m->ev.priority };
		w->next = m->watches;
		m->watches = w;
	}
	return w;
}

int leat_watch(struct leat_module *module, int fd, unsigned bits, struct leat_err *err)
{
	int r = on_own_thread(module, err);
	if (r < 0)
		return r;
	struct pollfd probe = { .fd = fd, .events = (short)bits };
	if (fd < 0 || poll(&probe, 1, 0) < 0 || probe.revents & POLLNVAL)
		return LEAT_FAIL(err, -EBADF, "LEAT-FD", "%s: no descriptor %d", module->name, fd);
	struct watch *w = find_watch(module, fd);
	if (!w)
		return LEAT_FAIL_MEM(err);
	w->bits = bits;
	r = module->app->running ? thr_watch(module->thr, w) : 0;
	return r == 0 ? 0
		      : LEAT_FAIL(err, r, "LEAT-FD", "%s: descriptor %d cannot be polled: %s",
				module->name, fd, strerror(-r));
}

/* ---- freeing ---- */

static void free_ports(struct leat_port *p)
{
	while (p) {
		struct leat_port *next = p->next;
		stats_slot_end(p->stats);
		free((char *)p->name);
		free(p->hand);
		free(p);
		p = next;
	}
}

/* A list whose links have this name. */
#define FREE_LIST(list, next_name)                                     \
	while (list) {                                                 \
		__typeof__(list) next_##next_name = (list)->next_name; \
		free(list);                                            \
		(list) = next_##next_name;                             \
	}

static void free_module(struct leat_module *m)
{
	free_ports(m->ins);
	free_ports(m->outs);
	for (struct pool_wait *w = m->pools; w; w = w->next_in_module)
		pool_unlist(w);
	FREE_LIST(m->pools, next_in_module)
	FREE_LIST(m->timers, next)
	FREE_LIST(m->watches, next)
	coro_done(&m->coro);
	stats_slot_end(m->stats);
	free(m);
}

static void free_threads(struct leat_app *app)
{
	for (struct thr *t = app->threads; t; t = t->next) {
		if (t->started)
			pthread_join(t->thread, NULL);
	}
	while (app->threads) {
		struct thr *next = app->threads->next;
		if (app->threads->epoll_fd >= 0) {
			close(app->threads->epoll_fd);
			close(app->threads->event_fd);
		}
		free(app->threads->heap);
		free(app->threads);
		app->threads = next;
	}
}

void leat_app_free(struct leat_app *app)
{
	if (!app)
		return;
	if (app->running)
		app_stop(app, true);
	app_stop_watcher(app);
	free_threads(app);
	for (struct link *l = app->links; l; l = l->next)
		link_drain(l);
	while (app->modules) {
		struct leat_module *next = app->modules->next;
		free_module(app->modules);
		app->modules = next;
	}
	while (app->links) {
		struct link *next = app->links->next;
		free(app->links->ring.slot);
		free(app->links);
		app->links = next;
	}
	pools_free(app);
	pthread_mutex_destroy(&app->lock);
	free(app->placement);
	free(app);
}

const char *leat_module_name(const struct leat_module *module)
{
	return module->name;
}

const char *leat_module_thread(const struct leat_module *module)
{
	return module->thr ? module->thr->name : "";
}

const char *leat_port_name(const struct leat_port *port)
{
	return port->name;
}

struct leat_module *leat_port_module(const struct leat_port *port)
{
	return port->module;
}
