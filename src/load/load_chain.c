/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The module chain: a source, modules that hand buffers on, a sink that checks their order. What
 * one hop costs, for event modules and main loops, on any number of threads. */
#include <leat/module.h>
#include <leat/work.h>

#include "base/clock.h"
#include "base/own.h"
#include "load/load.h"
#include "load/share.h"

#include <stdio.h>
#include <string.h>

enum {
	MODULES_MAX = 1000,
	BURST = 64,
};

struct chain;
struct part {
	struct chain *chain;
	struct leat_module *module;
	struct leat_port *in, *out;
};

struct chain {
	struct leat_app *app;
	struct leat_pool *pool;
	struct part *part;
	unsigned n, burst;
	uint64_t limit, sent, got, wrong;
	struct leat_work *work;
};

/* ---- what both kinds do with buffers ---- */

static unsigned next_burst(const struct chain *c)
{
	uint64_t left = c->limit - c->sent;
	return left < c->burst ? (unsigned)left : c->burst;
}

static void number(struct chain *c, struct leat_buf **bufs, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		bufs[i]->tag = c->sent + i;
}

static void take_in(struct chain *c, struct leat_buf **bufs, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		c->wrong += bufs[i]->tag != c->got + i;
	c->got += n;
	leat_work_add(c->work, n);
	leat_put(bufs, n);
}

/* Of n buffers k were sent: the rest goes home. */
static int give_back(struct leat_buf **bufs, unsigned n, int k)
{
	unsigned gone = k > 0 ? (unsigned)k : 0;
	if (gone < n)
		leat_put(bufs + gone, n - gone);
	return k;
}

/* ---- event modules ---- */

static int on_source(struct leat_module *m, const struct leat_event *ev, void *ctx)
{
	struct part *p = ctx;
	struct chain *c = p->chain;
	struct leat_buf *bufs[BURST];
	(void)m;
	if (ev->kind == LEAT_EV_STOP)
		return LEAT_OK;
	while (c->sent < c->limit) {
		unsigned room = leat_credit(p->out), n = next_burst(c);
		n = leat_take(c->pool, bufs, room < n ? room : n);
		if (n == 0)
			return LEAT_OK;
		number(c, bufs, n);
		int k = give_back(bufs, n, leat_send(p->out, bufs, n));
		if (k < 0)
			return k;
		c->sent += (unsigned)k;
	}
	return LEAT_DONE;
}

static int on_middle(struct leat_module *m, const struct leat_event *ev, void *ctx)
{
	struct part *p = ctx;
	struct leat_buf *bufs[BURST];
	(void)m;
	if (ev->kind != LEAT_EV_INPUT)
		return LEAT_OK;
	unsigned room = leat_credit(p->out), max = p->chain->burst;
	if (room == 0)
		return LEAT_OK;
	int n = leat_recv(p->in, bufs, room < max ? room : max);
	if (n <= 0)
		return n;
	int k = give_back(bufs, (unsigned)n, leat_send(p->out, bufs, (unsigned)n));
	return k < 0 ? k : LEAT_OK;
}

static int on_sink(struct leat_module *m, const struct leat_event *ev, void *ctx)
{
	struct part *p = ctx;
	struct leat_buf *bufs[BURST];
	(void)m;
	if (ev->kind != LEAT_EV_INPUT)
		return LEAT_OK;
	int n = leat_recv(p->in, bufs, p->chain->burst);
	if (n > 0)
		take_in(p->chain, bufs, (unsigned)n);
	return n < 0 ? n : LEAT_OK;
}

/* ---- main loops ---- */

static int run_source(struct leat_module *m, void *ctx)
{
	struct part *p = ctx;
	struct chain *c = p->chain;
	struct leat_buf *bufs[BURST];
	while (c->sent < c->limit) {
		int n = leat_take_wait(m, c->pool, bufs, next_burst(c), LEAT_FOREVER);
		if (n < 0)
			return n;
		number(c, bufs, (unsigned)n);
		int k = give_back(
			bufs, (unsigned)n, leat_send_wait(p->out, bufs, (unsigned)n, LEAT_FOREVER));
		if (k < n)
			return k < 0 ? k : -ECANCELED;
		c->sent += (unsigned)k;
	}
	return 0;
}

static int run_middle(struct leat_module *m, void *ctx)
{
	struct part *p = ctx;
	struct leat_buf *bufs[BURST];
	(void)m;
	for (;;) {
		int n = leat_recv_wait(p->in, bufs, p->chain->burst, LEAT_FOREVER);
		if (n < 0)
			return n;
		int k = give_back(
			bufs, (unsigned)n, leat_send_wait(p->out, bufs, (unsigned)n, LEAT_FOREVER));
		if (k < n)
			return k < 0 ? k : -ECANCELED;
	}
}

static int run_sink(struct leat_module *m, void *ctx)
{
	struct part *p = ctx;
	struct leat_buf *bufs[BURST];
	(void)m;
	for (;;) {
		int n = leat_recv_wait(p->in, bufs, p->chain->burst, LEAT_FOREVER);
		if (n < 0)
			return n;
		take_in(p->chain, bufs, (unsigned)n);
	}
}

/* ---- the load ---- */

enum option {
	OPT_MODULES,
	OPT_KIND,
	OPT_THREADS,
	OPT_DEPTH,
	OPT_BUFFERS,
	OPT_PLACEMENT,
	OPT_COUNT,
};

static const struct load_option options[] = {
	[OPT_MODULES] = { "modules", 'm', LOAD_COUNT, 10, 2, MODULES_MAX, "modules in the chain" },
	[OPT_KIND] = { "kind", 'k', LOAD_TEXT, 0, 0, 0, "event or main (event)" },
	[OPT_THREADS] = { "threads", 't', LOAD_COUNT, 1, 0, MODULES_MAX,
		"threads; 0: one for each module" },
	[OPT_DEPTH] = { "depth", 'd', LOAD_COUNT, 10, 1, 65536, "buffers a queue holds" },
	[OPT_BUFFERS] = { "buffers", 'b', LOAD_COUNT, 256, 1, 1000000, "buffers there are" },
	[OPT_PLACEMENT] = { "placement", 'p', LOAD_TEXT, 0, 0, 0,
		"a placement, instead of threads" },
	[OPT_COUNT] = { "count", 'n', LOAD_COUNT, 1000000, 1, UINT64_MAX / 2, "buffers to send" },
};

static void app_freep(struct leat_app **app)
{
	leat_app_free(*app);
}

static int add_part(struct chain *c, unsigned i, bool main, unsigned depth, struct leat_err *err)
{
	struct part *p = &c->part[i];
	bool first = i == 0, last = i + 1 == c->n;
	char name[16];
	snprintf(name, sizeof(name), "m%u", i);
	p->chain = c;
	struct leat_module_opts opts = { .name = name, .ctx = p };
	if (main)
		opts.run = first ? run_source : last ? run_sink : run_middle;
	else
		opts.on = first ? on_source : last ? on_sink : on_middle;
	int r = leat_module_new(c->app, &opts, &p->module, err);
	if (r == 0 && !first)
		r = leat_in(p->module, "in", depth, &p->in, err);
	if (r == 0 && !last)
		r = leat_out(p->module, "out", depth, &p->out, err);
	if (r == 0 && !first)
		r = leat_link(c->part[i - 1].out, p->in, LEAT_BLOCK, err);
	return r;
}

static int build(struct chain *c, const struct load_value *v, bool main, struct leat_err *err)
{
	char placement[64];
	unsigned depth = (unsigned)v[OPT_DEPTH].count;
	if (v[OPT_THREADS].count == 0)
		snprintf(placement, sizeof(placement), "each@all");
	else
		snprintf(
			placement, sizeof(placement), "threads:%u", (unsigned)v[OPT_THREADS].count);
	struct leat_app_opts opts = { .name = "chain",
		.lazy = 1,
		.placement = v[OPT_PLACEMENT].text ? v[OPT_PLACEMENT].text : placement };
	struct leat_pool_opts pool = { .name = "chain", .count = (unsigned)v[OPT_BUFFERS].count };
	int r = leat_app_new(&opts, &c->app, err);
	if (r == 0)
		r = leat_pool_new(c->app, &pool, &c->pool, err);
	for (unsigned i = 0; i < c->n && r == 0; i++)
		r = add_part(c, i, main, depth, err);
	return r;
}

static int check(const struct chain *c, struct lt_err *err)
{
	unsigned home = leat_pool_home(c->pool);
	if (c->got == c->limit && c->wrong == 0)
		return 0;
	return lt_fail(err, -EBADMSG, "LT-CHAIN-LOST",
		"%llu of %llu buffers arrived, %llu out of order, %u are home",
		(unsigned long long)c->got, (unsigned long long)c->limit,
		(unsigned long long)c->wrong, home);
}

static int chain_run(const struct load_value *v, struct load_result *ret, struct lt_err *err)
{
	unsigned n = (unsigned)v[OPT_MODULES].count, depth = (unsigned)v[OPT_DEPTH].count;
	const char *kind = v[OPT_KIND].text ? v[OPT_KIND].text : "event";
	bool main = strcmp(kind, "main") == 0;
	if (!main && strcmp(kind, "event") != 0)
		return lt_fail(err, -EINVAL, "LT-CHAIN-KIND",
			"kind '%.40s' is neither event nor main", kind);
	LT_AUTO_FREE struct part *parts = calloc(n, sizeof(*parts));
	LT_AUTO(app_freep) struct leat_app *app = NULL;
	struct chain c = { .part = parts,
		.n = n,
		.limit = v[OPT_COUNT].count,
		.burst = depth < BURST ? depth : BURST };
	struct leat_err lib_err = { 0 };
	if (!parts)
		return lt_fail_mem(err);
	leat_work_get("chain", "buffer", &c.work, NULL); /* on failure there is none */
	int r = build(&c, v, main, &lib_err);
	app = c.app;
	int64_t begin_ns = lt_now_ns();
	if (r == 0)
		r = leat_start(app, &lib_err);
	if (r == 0)
		r = leat_wait(app, LEAT_FOREVER, &lib_err);
	int64_t elapsed_ns = lt_now_ns() - begin_ns;
	if (r < 0)
		return lt_fail(err, r, "LT-CHAIN-RUN", "%s", lib_err.text);
	r = check(&c, err);
	if (r < 0)
		return r;
	*ret = (struct load_result){
		.work = c.got,
		.elapsed_ns = elapsed_ns,
		.figures = {
			{ "time-per-buffer", "ns", (double)elapsed_ns / (double)c.got },
			{ "time-per-hop", "ns",
				(double)elapsed_ns / (double)c.got / (double)(n - 1) },
		},
		.n_figures = 2,
		.text = share_text(begin_ns),
	};
	return 0;
}

const struct load load_chain = {
	.name = "chain",
	.brief = "buffers through a chain of modules on one thread or many",
	.work = "buffers",
	.timed = "from the start of the threads to their end",
	.options = options,
	.n_options = LT_COUNT(options),
	.run = chain_run,
};
