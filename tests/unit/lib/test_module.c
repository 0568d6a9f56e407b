/* SPDX-License-Identifier: MIT */
/* Modules: chains of every kind and placement, policies, ends, timers, descriptors, misuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "chain.h"

static const int64_t SOON = 20000000000;

static const char *const PLACEMENTS[] = { NULL, "threads:2", "threads:3@all", "each", "each@0" };
static const char *const KINDS[] = { "e", "m", "emeemmemem" };

static void every_chain_moves_everything_in_order(void **state)
{
	(void)state;
	for (size_t p = 0; p < sizeof(PLACEMENTS) / sizeof(PLACEMENTS[0]); p++) {
		for (size_t k = 0; k < sizeof(KINDS) / sizeof(KINDS[0]); k++) {
			for (unsigned depth = 1; depth <= 25; depth += 8) {
				struct chain c = { .n = 10, .depth = depth, .limit = 3000 };
				struct leat_err err = { 0 };
				assert_int_equal(chain_new(&c, KINDS[k], PLACEMENTS[p], LEAT_BLOCK,
							 40, &err),
					0);
				assert_int_equal(leat_start(c.app, &err), 0);
				int r = leat_wait(c.app, SOON, &err);
				if (r)
					print_message("%s %s %u: %s got %lu\n", KINDS[k],
						PLACEMENTS[p] ? PLACEMENTS[p] : "-", depth,
						err.text, (unsigned long)c.got);
				assert_int_equal(r, 0);
				assert_int_equal(c.got, 3000);
				assert_int_equal(c.wrong, 0);
				assert_int_equal(leat_pool_home(c.pool), 40);
				leat_app_free(c.app);
			}
		}
	}
}

static void drain_ends_after_the_data(void **state)
{
	(void)state;
	for (size_t p = 0; p < sizeof(PLACEMENTS) / sizeof(PLACEMENTS[0]); p++) {
		for (size_t k = 0; k < sizeof(KINDS) / sizeof(KINDS[0]); k++) {
			struct chain c = { .n = 6, .depth = 4 };
			struct leat_err err = { 0 };
			assert_int_equal(
				chain_new(&c, KINDS[k], PLACEMENTS[p], LEAT_BLOCK, 30, &err), 0);
			assert_int_equal(leat_start(c.app, &err), 0);
			usleep(1000);
			assert_int_equal(leat_drain(c.app, SOON, &err), 0);
			assert_int_equal(c.got, c.sent);
			assert_int_equal(c.wrong, 0);
			assert_int_equal(leat_pool_home(c.pool), 30);
			leat_app_free(c.app);
		}
	}
}

static void stop_brings_buffers_home(void **state)
{
	(void)state;
	for (size_t p = 0; p < sizeof(PLACEMENTS) / sizeof(PLACEMENTS[0]); p++) {
		for (size_t k = 0; k < sizeof(KINDS) / sizeof(KINDS[0]); k++) {
			struct chain c = { .n = 6, .depth = 4, .stuck_at = k % 2 ? 5 : 3 };
			struct leat_err err = { 0 };
			assert_int_equal(
				chain_new(&c, KINDS[k], PLACEMENTS[p], LEAT_BLOCK, 30, &err), 0);
			assert_int_equal(leat_start(c.app, &err), 0);
			usleep(1000);
			assert_int_equal(leat_wait(c.app, 1000, &err), -ETIMEDOUT);
			assert_string_equal(err.id, "LEAT-TIMEOUT");
			assert_int_equal(leat_stop(c.app, SOON, &err), 0);
			assert_int_equal(leat_pool_home(c.pool), 30);
			leat_app_free(c.app);
		}
	}
}

static void a_failing_module_is_named(void **state)
{
	(void)state;
	for (size_t p = 0; p < sizeof(PLACEMENTS) / sizeof(PLACEMENTS[0]); p++) {
		for (size_t k = 0; k < 2; k++) {
			struct chain c = {
				.n = 5, .depth = 1, .burst = 1, .fail_at = 3, .fail_after = 7
			};
			struct leat_err err = { 0 };
			assert_int_equal(
				chain_new(&c, KINDS[k], PLACEMENTS[p], LEAT_BLOCK, 30, &err), 0);
			assert_int_equal(leat_start(c.app, &err), 0);
			assert_int_equal(leat_wait(c.app, SOON, &err), -EBADMSG);
			assert_string_equal(err.id, "LEAT-MODULE-FAILED");
			assert_string_equal(err.text, "m3, after 7 buffers: bad buffer");
			assert_int_equal(leat_pool_home(c.pool), 30);
			leat_app_free(c.app);
		}
	}
}

static void a_reader_that_ends_ends_its_writers(void **state)
{
	(void)state;
	for (size_t p = 0; p < sizeof(PLACEMENTS) / sizeof(PLACEMENTS[0]); p++) {
		for (size_t k = 0; k < 2; k++) {
			struct chain c = { .n = 5, .depth = 3, .dies_at = 3 };
			struct leat_err err = { 0 };
			assert_int_equal(
				chain_new(&c, KINDS[k], PLACEMENTS[p], LEAT_BLOCK, 30, &err), 0);
			assert_int_equal(leat_start(c.app, &err), 0);
			assert_int_equal(leat_wait(c.app, SOON, &err), 0);
			assert_int_equal(leat_pool_home(c.pool), 30);
			leat_app_free(c.app);
		}
	}
}

/* ---- policies: the reader is stuck, the writer never waits ---- */

struct flood {
	struct leat_pool *pool;
	struct leat_port *out, *in;
	atomic_bool flooded, runs;
	uint64_t first, last, n;
};

static int run_flood(struct leat_module *m, void *ctx)
{
	struct flood *f = ctx;
	struct leat_buf *buf;
	for (uint64_t i = 0; i < 100; i++) {
		int r = leat_take_wait(m, f->pool, &buf, 1, LEAT_FOREVER);
		if (r < 0)
			return r;
		buf->tag = i;
		r = leat_send_wait(f->out, &buf, 1, LEAT_FOREVER);
		if (r < 0)
			return r;
	}
	f->flooded = true;
	return 0;
}

static int run_late(struct leat_module *m, void *ctx)
{
	struct flood *f = ctx;
	struct leat_buf *buf;
	while (!f->flooded) {
		int r = leat_sleep(m, 100000);
		if (r < 0)
			return r;
	}
	int n;
	while ((n = leat_recv_wait(f->in, &buf, 1, LEAT_FOREVER)) > 0) {
		if (f->n++ == 0)
			f->first = buf->tag;
		f->last = buf->tag;
		leat_put(&buf, 1);
	}
	return n;
}

static void full_links_drop_what_they_should(void **state)
{
	(void)state;
	for (int policy = LEAT_DROP_OLDEST; policy <= LEAT_DROP_NEWEST; policy++) {
		for (int threads = 1; threads <= 2; threads++) {
			struct leat_app *app;
			struct leat_module *a, *b;
			struct flood f = { 0 };
			struct leat_err err;
			struct leat_app_opts ao = { .placement = threads == 1 ? NULL : "each" };
			struct leat_pool_opts po = { .count = 20 };
			struct leat_module_opts m0 = { .name = "a", .run = run_flood, .ctx = &f };
			struct leat_module_opts m1 = { .name = "b", .run = run_late, .ctx = &f };
			assert_int_equal(leat_app_new(&ao, &app, &err), 0);
			assert_int_equal(leat_pool_new(app, &po, &f.pool, &err), 0);
			assert_int_equal(leat_module_new(app, &m0, &a, &err), 0);
			assert_int_equal(leat_module_new(app, &m1, &b, &err), 0);
			assert_int_equal(leat_out(a, "o", 5, &f.out, &err), 0);
			assert_int_equal(leat_in(b, "i", 7, &f.in, &err), 0);
			assert_int_equal(leat_link(f.out, f.in, (enum leat_policy)policy, &err), 0);
			assert_int_equal(leat_start(app, &err), 0);
			assert_int_equal(leat_wait(app, SOON, &err), 0);
			assert_int_equal(f.n, 7);
			assert_int_equal(f.first, policy == LEAT_DROP_OLDEST ? 93 : 0);
			assert_int_equal(f.last, policy == LEAT_DROP_OLDEST ? 99 : 6);
			assert_int_equal(leat_pool_home(f.pool), 20);
			leat_app_free(app);
		}
	}
}

/* ---- timers and descriptors ---- */

struct clockwork {
	uint64_t ticks;
	int fd[2], read;
};

static int on_clockwork(struct leat_module *m, const struct leat_event *ev, void *ctx)
{
	struct clockwork *c = ctx;
	(void)m;
	if (ev->kind == LEAT_EV_TIMER) {
		c->ticks += ev->count;
		if (write(c->fd[1], "x", 1) != 1)
			return -EIO;
	}
	if (ev->kind == LEAT_EV_FD) {
		char x;
		if (!(ev->bits & POLLIN) || read(c->fd[0], &x, 1) != 1)
			return -EIO;
		c->read++;
	}
	return c->read >= 5 ? LEAT_DONE : LEAT_OK;
}

static void timers_and_descriptors_are_events(void **state)
{
	(void)state;
	struct clockwork c = { 0 };
	struct leat_app *app;
	struct leat_module *m;
	struct leat_err err;
	struct leat_module_opts mo = { .name = "clock", .on = on_clockwork, .ctx = &c };
	assert_int_equal(pipe(c.fd), 0);
	assert_int_equal(leat_app_new(NULL, &app, &err), 0);
	assert_int_equal(leat_module_new(app, &mo, &m, &err), 0);
	assert_int_equal(leat_timer_new(m, 1000000, 1000000, NULL, &err), 0);
	assert_int_equal(leat_timer_new(m, INT64_MAX, INT64_MAX, NULL, &err), 0); /* never */
	assert_int_equal(leat_watch(m, c.fd[0], POLLIN, &err), 0);
	assert_true(leat_watch(m, 9999, POLLIN, &err) < 0);
	assert_string_equal(err.id, "LEAT-FD");
	assert_int_equal(leat_start(app, &err), 0);
	assert_int_equal(leat_wait(app, INT64_MAX, &err), 0);
	assert_true(c.ticks >= 5);
	leat_app_free(app);
	close(c.fd[0]);
	close(c.fd[1]);
}

static int run_waits(struct leat_module *m, void *ctx)
{
	struct clockwork *c = ctx;
	int r = leat_wait_fd(m, c->fd[0], POLLIN, 1000000);
	if (r != -ETIMEDOUT)
		return -EIO;
	if (write(c->fd[1], "x", 1) != 1)
		return -EIO;
	if (leat_wait_fd(m, c->fd[0], POLLIN, LEAT_FOREVER) != POLLIN ||
		leat_wait_fd(m, c->fd[0], POLLIN, INT64_MAX) != POLLIN)
		return -EIO;
	r = leat_yield(m);
	c->read = 1;
	return r;
}

static void main_loops_wait_for_descriptors(void **state)
{
	(void)state;
	for (int n = 1; n <= 3; n++) {
		struct clockwork c[3] = { 0 };
		struct leat_app *app;
		struct leat_module *m;
		struct leat_err err;
		assert_int_equal(leat_app_new(NULL, &app, &err), 0);
		for (int i = 0; i < n; i++) {
			char name[8];
			snprintf(name, sizeof(name), "w%d", i);
			assert_int_equal(pipe(c[i].fd), 0);
			struct leat_module_opts mo = {
				.name = name, .run = run_waits, .ctx = &c[i]
			};
			assert_int_equal(leat_module_new(app, &mo, &m, &err), 0);
		}
		assert_int_equal(leat_start(app, &err), 0);
		assert_int_equal(leat_wait(app, SOON, &err), 0);
		for (int i = 0; i < n; i++) {
			assert_int_equal(c[i].read, 1);
			close(c[i].fd[0]);
			close(c[i].fd[1]);
		}
		leat_app_free(app);
	}
}

/* ---- misuse ---- */

static int on_nothing(struct leat_module *m, const struct leat_event *ev, void *ctx)
{
	struct chain_link *l = ctx;
	struct leat_buf *buf = NULL;
	if (ev->kind != LEAT_EV_START)
		return LEAT_OK;
	if (leat_sleep(m, 1) != -EDEADLK || strcmp(leat_err_last()->id, "LEAT-MODULE-KIND") != 0)
		return -EIO;
	if (l->out &&
		(leat_recv(l->out, &buf, 1) != -EINVAL ||
			strcmp(leat_err_last()->id, "LEAT-PORT-WAY") != 0))
		return -EIO;
	if (l->out &&
		(leat_end(l->out) != 0 || leat_send(l->out, &buf, 1) != -EPIPE ||
			strcmp(leat_err_last()->id, "LEAT-PORT-ENDED") != 0))
		return -EIO;
	return LEAT_OK;
}

#define MISUSE(call, name)                         \
	do {                                       \
		assert_true((call) < 0);           \
		assert_string_equal(err.id, name); \
	} while (0)

static void misuse_is_named(void **state)
{
	(void)state;
	struct leat_app *app, *other;
	struct leat_module *a, *b, *x;
	struct leat_port *out, *in, *in2, *far;
	struct leat_pool *pool;
	struct leat_buf *buf, *same;
	struct leat_err err;
	struct chain_link la = { 0 }, lb = { 0 };
	struct leat_app_opts bad_place = { .placement = "a@=b" };
	struct leat_module_opts mo = { .name = "a", .on = on_nothing, .ctx = &la };
	struct leat_pool_opts po = { .count = 2 };

	MISUSE(leat_app_new(&bad_place, &app, &err), "LEAT-PLACEMENT");
	assert_int_equal(leat_app_new(NULL, &app, &err), 0);
	assert_int_equal(leat_app_new(NULL, &other, &err), 0);
	MISUSE(leat_start(app, &err), "LEAT-APP-EMPTY");
	MISUSE(leat_wait(app, 0, &err), "LEAT-APP-IDLE");
	assert_int_equal(leat_module_new(app, &mo, &a, &err), 0);
	MISUSE(leat_module_new(app, &mo, &b, &err), "LEAT-MODULE-TWICE");
	mo.name = "b=c";
	MISUSE(leat_module_new(app, &mo, &b, &err), "LEAT-MODULE-NAME");
	mo.name = "b";
	mo.run = run_flood;
	MISUSE(leat_module_new(app, &mo, &b, &err), "LEAT-MODULE-KIND");
	mo.run = NULL;
	mo.ctx = &lb;
	assert_int_equal(leat_module_new(app, &mo, &b, &err), 0);
	assert_int_equal(leat_module_new(other, &mo, &x, &err), 0);
	MISUSE(leat_in(b, "in", 0, &in, &err), "LEAT-PORT-DEPTH");
	assert_int_equal(leat_in(b, "in", 2, &in, &err), 0);
	MISUSE(leat_in(b, "in", 2, &in2, &err), "LEAT-PORT-TWICE");
	assert_int_equal(leat_in(b, "in2", 2, &in2, &err), 0);
	assert_int_equal(leat_out(a, "out", 2, &out, &err), 0);
	assert_int_equal(leat_in(x, "far", 2, &far, &err), 0);
	MISUSE(leat_link(in, out, LEAT_BLOCK, &err), "LEAT-LINK-WAY");
	MISUSE(leat_link(out, far, LEAT_BLOCK, &err), "LEAT-LINK-APP");
	assert_int_equal(leat_link(out, in, LEAT_BLOCK, &err), 0);
	MISUSE(leat_link(out, in2, LEAT_BLOCK, &err), "LEAT-LINK-TWICE");
	MISUSE(leat_start(app, &err), "LEAT-PORT-LOOSE");
	struct leat_port *out2;
	assert_int_equal(leat_out(a, "out2", 2, &out2, &err), 0);
	assert_int_equal(leat_link(out2, in2, LEAT_BLOCK, &err), 0);
	assert_int_equal(leat_pool_new(app, &po, &pool, &err), 0);
	MISUSE(leat_pool_free(pool, &err), "LEAT-POOL-OWNED");
	la.out = out;
	assert_int_equal(leat_start(app, &err), 0);
	MISUSE(leat_start(app, &err), "LEAT-APP-RUNNING");
	MISUSE(leat_module_new(app, &mo, &x, &err), "LEAT-APP-RUNNING");
	buf = NULL;
	assert_int_equal(leat_send(out, &buf, 1), -EPERM);
	assert_string_equal(leat_err_last()->id, "LEAT-PORT-THREAD");
	assert_int_equal(leat_take(pool, &buf, 1), 1);
	same = buf;
	leat_buf_ref(buf);
	assert_int_equal(leat_put(&buf, 1), 1);
	assert_int_equal(leat_pool_home(pool), 1);
	assert_int_equal(leat_put(&buf, 1), 1);
	assert_int_equal(leat_put(&same, 1), -EINVAL);
	assert_string_equal(leat_err_last()->id, "LEAT-BUF-FREED");
	assert_int_equal(leat_pool_home(pool), 2);
	assert_int_equal(leat_stop(app, SOON, &err), 0);
	leat_app_free(app);
	leat_app_free(other);
	po.count = 0;
	MISUSE(leat_pool_new(NULL, &po, &pool, &err), "LEAT-POOL-COUNT");
	po.count = 1;
	po.align = 24;
	MISUSE(leat_pool_new(NULL, &po, &pool, &err), "LEAT-POOL-ALIGN");
}

static int run_after_stop(struct leat_module *m, void *ctx)
{
	struct flood *f = ctx;
	struct leat_buf *buf;
	int r;
	if (leat_take(f->pool, &buf, 1) != 1)
		return -EIO;
	atomic_store(&f->runs, true);
	do
		r = leat_sleep(m, 1000000);
	while (r == 0);
	f->n = leat_send(f->out, &buf, 1) == -ECANCELED &&
		strcmp(leat_err_last()->id, "LEAT-STOPPED") == 0;
	leat_put(&buf, 1);
	return r;
}

static void send_after_stop_is_named(void **state)
{
	(void)state;
	struct flood f = { 0 };
	struct leat_app *app;
	struct leat_module *a, *b;
	struct leat_err err;
	struct leat_cancel *cancel;
	assert_int_equal(leat_cancel_new(&cancel, &err), 0);
	struct leat_app_opts ao = { .cancel = cancel };
	struct leat_pool_opts po = { .count = 1 };
	struct chain_link none = { 0 };
	struct leat_module_opts m0 = { .name = "a", .run = run_after_stop, .ctx = &f };
	struct leat_module_opts m1 = { .name = "b", .on = on_nothing, .ctx = &none };
	assert_int_equal(leat_app_new(&ao, &app, &err), 0);
	assert_int_equal(leat_pool_new(app, &po, &f.pool, &err), 0);
	assert_int_equal(leat_module_new(app, &m0, &a, &err), 0);
	assert_int_equal(leat_module_new(app, &m1, &b, &err), 0);
	assert_int_equal(leat_out(a, "o", 5, &f.out, &err), 0);
	assert_int_equal(leat_in(b, "i", 7, &f.in, &err), 0);
	assert_int_equal(leat_link(f.out, f.in, LEAT_BLOCK, &err), 0);
	assert_int_equal(leat_start(app, &err), 0);
	while (!atomic_load(&f.runs)) /* a main loop that is stopped before does not run at all */
		usleep(1000);
	leat_cancel_now(cancel);
	assert_int_equal(leat_wait(app, SOON, &err), -ECANCELED);
	assert_string_equal(err.id, "LEAT-CANCELED");
	assert_int_equal(f.n, 1);
	assert_int_equal(leat_pool_home(f.pool), 1);
	leat_app_free(app);
	leat_cancel_free(cancel);
}

/* ---- priorities: three modules that never have enough ---- */

struct greedy {
	atomic_ulong *total;
	unsigned long calls, limit;
};

static int on_greedy(struct leat_module *m, const struct leat_event *ev, void *ctx)
{
	struct greedy *g = ctx;
	(void)m;
	if (ev->kind == LEAT_EV_STOP)
		return LEAT_OK;
	if (++*g->total > g->limit)
		return LEAT_DONE;
	g->calls++;
	return LEAT_AGAIN;
}

static void high_priority_comes_first_and_low_is_not_starved(void **state)
{
	(void)state;
	struct leat_app *app;
	struct leat_module *m;
	struct leat_err err;
	atomic_ulong total = 0;
	struct greedy g[3];
	assert_int_equal(leat_app_new(NULL, &app, &err), 0);
	for (unsigned i = 0; i < 3; i++) {
		char name[8];
		snprintf(name, sizeof(name), "g%u", i);
		g[i] = (struct greedy){ .total = &total, .limit = 10000 };
		struct leat_module_opts mo = {
			.name = name, .on = on_greedy, .ctx = &g[i], .priority = i
		};
		assert_int_equal(leat_module_new(app, &mo, &m, &err), 0);
	}
	assert_int_equal(leat_start(app, &err), 0);
	assert_int_equal(leat_wait(app, SOON, &err), 0);
	assert_true(g[1].calls > 3 * g[0].calls); /* 1 is high, 0 normal, 2 low */
	assert_true(g[0].calls > g[2].calls);
	assert_true(g[2].calls > 100);
	leat_app_free(app);
}

static void environment_places_modules(void **state)
{
	(void)state;
	setenv("LEAT_PLACEMENT", "left=m0,m1;right@0=m[23]", 1);
	struct chain c = { .n = 4, .depth = 4, .limit = 100 };
	struct leat_err err;
	assert_int_equal(chain_new(&c, "e", "each", LEAT_BLOCK, 8, &err), 0);
	assert_int_equal(leat_start(c.app, &err), 0);
	assert_int_equal(leat_wait(c.app, SOON, &err), 0);
	assert_string_equal(leat_module_thread(c.link[1].module), "left");
	assert_string_equal(leat_module_thread(c.link[3].module), "right");
	leat_app_free(c.app);
	unsetenv("LEAT_PLACEMENT");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_chain_moves_everything_in_order),
		cmocka_unit_test(drain_ends_after_the_data),
		cmocka_unit_test(stop_brings_buffers_home),
		cmocka_unit_test(a_failing_module_is_named),
		cmocka_unit_test(a_reader_that_ends_ends_its_writers),
		cmocka_unit_test(full_links_drop_what_they_should),
		cmocka_unit_test(timers_and_descriptors_are_events),
		cmocka_unit_test(main_loops_wait_for_descriptors),
		cmocka_unit_test(misuse_is_named),
		cmocka_unit_test(send_after_stop_is_named),
		cmocka_unit_test(high_priority_comes_first_and_low_is_not_starved),
		cmocka_unit_test(environment_places_modules),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
