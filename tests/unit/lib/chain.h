/* SPDX-License-Identifier: MIT */
/* The test chain: a source, modules that pass on, a sink that checks order; event modules, main
 * loops, or both in turn. */
#ifndef TEST_CHAIN_H
#define TEST_CHAIN_H

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "leat/module.h"

enum {
	CHAIN_MAX = 16,
	BURST = 16,
};

struct chain;
struct chain_link {
	struct chain *chain;
	struct leat_module *module;
	struct leat_port *in, *out;
	unsigned index;
};

struct chain {
	struct leat_app *app;
	struct leat_pool *pool;
	struct chain_link link[CHAIN_MAX];
	unsigned n, depth, burst;
	uint64_t limit, sent; /* of the source; 0: no end */
	atomic_ulong got, wrong;
	unsigned fail_at; /* module that fails, 0: none */
	uint64_t fail_after;
	unsigned stuck_at; /* module that never receives */
	unsigned dies_at;  /* module that ends early */
	unsigned nap_us;   /* of the sink when it is called and finds nothing */
};

/* How many buffers of one handler call or turn. */
static unsigned chain_burst(const struct chain *c)
{
	return c->burst ? c->burst : BURST;
}

static int chain_make(struct chain *c, struct leat_buf **bufs, int n)
{
	for (int i = 0; i < n; i++)
		bufs[i]->tag = c->sent + (unsigned)i;
	return n;
}

static bool chain_all_sent(const struct chain *c)
{
	return c->limit && c->sent >= c->limit;
}

static unsigned chain_want(const struct chain *c)
{
	uint64_t left = c->limit ? c->limit - c->sent : BURST;
	return left < chain_burst(c) ? (unsigned)left : chain_burst(c);
}

static void chain_check(struct chain *c, struct leat_buf **bufs, int n)
{
	for (int i = 0; i < n; i++) {
		if (bufs[i]->tag != c->got + (unsigned)i)
			c->wrong++;
	}
	c->got += (unsigned)n;
}

/* True: this module fails now. */
static bool chain_fails(struct chain_link *l, int n)
{
	struct chain *c = l->chain;
	if (c->fail_at != l->index || l->index == 0)
		return false;
	c->fail_after = c->fail_after > (unsigned)n ? c->fail_after - (unsigned)n : 0;
	return c->fail_after == 0;
}

static int chain_on_source(struct leat_module *m, const struct leat_event *ev, void *ctx)
{
	struct chain_link *l = ctx;
	struct chain *c = l->chain;
	struct leat_buf *bufs[BURST];
	(void)m;
	if (ev->kind == LEAT_EV_STOP || ev->kind == LEAT_EV_DRAIN)
		return LEAT_OK;
	for (int turns = 0; !chain_all_sent(c); turns++) {
		if (turns == 8) /* a link that drops always has credit: let others run */
			return LEAT_AGAIN;
		unsigned room = leat_credit(l->out), want = chain_want(c);
		if (room == 0)
			return LEAT_OK;
		int n = (int)leat_take(c->pool, bufs, room < want ? room : want);
		if (n == 0)
			return LEAT_OK;
		chain_make(c, bufs, n);
		int k = leat_send(l->out, bufs, (unsigned)n);
		if (k < n)
			leat_put(bufs + (k < 0 ? 0 : k), (unsigned)(n - (k < 0 ? 0 : k)));
		if (k < 0)
			return k;
		c->sent += (unsigned)k;
	}
	return LEAT_DONE;
}

static int chain_on_pass(struct leat_module *m, const struct leat_event *ev, void *ctx)
{
	struct chain_link *l = ctx;
	struct chain *c = l->chain;
	struct leat_buf *bufs[BURST];
	if (ev->kind != LEAT_EV_INPUT || c->stuck_at == l->index)
		return LEAT_OK;
	unsigned room = leat_credit(l->out), want = chain_burst(c);
	int n = leat_recv(
		l->in, bufs, room < want ? room : want); /* of 0: says 0, whatever is there */
	if (n <= 0)
		return n;
	bool fails = chain_fails(l, n);
	int k = leat_send(l->out, bufs, (unsigned)n);
	if (k < n)
		leat_put(bufs + (k < 0 ? 0 : k), (unsigned)(n - (k < 0 ? 0 : k)));
	if (fails)
		return leat_module_fail(m, -EBADMSG, "bad buffer");
	if (c->dies_at == l->index)
		return LEAT_DONE;
	return k < 0 ? k : LEAT_OK;
}

static int chain_on_sink(struct leat_module *m, const struct leat_event *ev, void *ctx)
{
	struct chain_link *l = ctx;
	struct chain *c = l->chain;
	struct leat_buf *bufs[BURST];
	(void)m;
	if (ev->kind != LEAT_EV_INPUT || c->stuck_at == l->index)
		return LEAT_OK;
	int n = leat_recv(l->in, bufs, chain_burst(c));
	if (n == 0 && c->nap_us)
		usleep(c->nap_us);
	if (n <= 0)
		return n;
	bool fails = chain_fails(l, n);
	chain_check(c, bufs, n);
	leat_put(bufs, (unsigned)n);
	return fails ? leat_module_fail(m, -EBADMSG, "bad buffer") : LEAT_OK;
}

static int chain_run_source(struct leat_module *m, void *ctx)
{
	struct chain_link *l = ctx;
	struct chain *c = l->chain;
	struct leat_buf *bufs[BURST];
	while (!chain_all_sent(c)) {
		int n = leat_take_wait(m, c->pool, bufs, chain_want(c), LEAT_FOREVER);
		if (n < 0)
			return n;
		chain_make(c, bufs, n);
		int k = leat_send_wait(l->out, bufs, (unsigned)n, LEAT_FOREVER);
		if (k < n)
			leat_put(bufs + (k < 0 ? 0 : k), (unsigned)(n - (k < 0 ? 0 : k)));
		if (k < n)
			return k < 0 ? k : -ECANCELED;
		c->sent += (unsigned)k;
	}
	return 0;
}

static int chain_run_pass(struct leat_module *m, void *ctx)
{
	struct chain_link *l = ctx;
	struct chain *c = l->chain;
	struct leat_buf *bufs[BURST];
	if (c->stuck_at == l->index)
		return leat_sleep(m, 3600000000000);
	for (;;) {
		int n = leat_recv_wait(l->in, bufs, chain_burst(c), LEAT_FOREVER);
		if (n < 0)
			return n;
		bool fails = chain_fails(l, n);
		int k = leat_send_wait(l->out, bufs, (unsigned)n, LEAT_FOREVER);
		if (k < n)
			leat_put(bufs + (k < 0 ? 0 : k), (unsigned)(n - (k < 0 ? 0 : k)));
		if (fails)
			return leat_module_fail(m, -EBADMSG, "bad buffer");
		if (k < n)
			return k < 0 ? k : -ECANCELED;
		if (c->dies_at == l->index)
			return 0;
	}
}

static int chain_run_sink(struct leat_module *m, void *ctx)
{
	struct chain_link *l = ctx;
	struct chain *c = l->chain;
	struct leat_buf *bufs[BURST];
	if (c->stuck_at == l->index)
		return leat_sleep(m, 3600000000000);
	for (;;) {
		int n = leat_recv_wait(l->in, bufs, chain_burst(c), LEAT_FOREVER);
		if (n < 0)
			return n;
		bool fails = chain_fails(l, n);
		chain_check(c, bufs, n);
		leat_put(bufs, (unsigned)n);
		if (fails)
			return leat_module_fail(m, -EBADMSG, "bad buffer");
	}
}

/* kinds: 'e' or 'm' per module, the last one repeated. */
static int chain_new(struct chain *c, const char *kinds, const char *placement,
	enum leat_policy policy, unsigned buffers, struct leat_err *err)
{
	struct leat_app_opts opts = { .name = "chain", .placement = placement };
	struct leat_pool_opts pool = { .count = buffers, .bytes = 64 };
	int r = leat_app_new(&opts, &c->app, err);
	if (r == 0)
		r = leat_pool_new(c->app, &pool, &c->pool, err);
	size_t n_kinds = strlen(kinds);
	for (unsigned i = 0; i < c->n && r == 0; i++) {
		struct chain_link *l = &c->link[i];
		char name[16];
		bool first = i == 0, last = i + 1 == c->n;
		snprintf(name, sizeof(name), "m%u", i);
		l->chain = c;
		l->index = i;
		struct leat_module_opts mo = { .name = name, .ctx = l };
		if (kinds[i < n_kinds ? i : n_kinds - 1] == 'e')
			mo.on = first ? chain_on_source : last ? chain_on_sink : chain_on_pass;
		else
			mo.run = first ? chain_run_source : last ? chain_run_sink : chain_run_pass;
		r = leat_module_new(c->app, &mo, &l->module, err);
		if (r == 0 && !first)
			r = leat_in(l->module, "in", c->depth, &l->in, err);
		if (r == 0 && !last)
			r = leat_out(l->module, "out", c->depth, &l->out, err);
		if (r == 0 && !first)
			r = leat_link(c->link[i - 1].out, l->in, policy, err);
	}
	return r;
}

#endif
