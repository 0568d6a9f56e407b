/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An event builder's network in one process: senders and receivers, each sender linked to each
 * receiver, and a controller that starts the run, hears from the receivers and ends it. */
#include <leat/module.h>
#include <leat/work.h>

#include "base/clock.h"
#include "base/own.h"
#include "load/load.h"
#include "load/share.h"

#include <stdio.h>
#include <string.h>

enum {
	SIDE_MAX = 64,
	BURST = 16,
};

/* At the begin of every buffer. */
struct stamp {
	uint32_t sender, receiver;
	uint64_t number; /* of this sender's buffers for this receiver */
};

struct net;
struct node {
	struct net *net;
	unsigned index;
	struct leat_module *module;
	struct leat_port *data[SIDE_MAX]; /* to or from each of the other side */
	struct leat_port *command;        /* sender: from the controller */
	struct leat_port *report;         /* receiver: to the controller */
	uint64_t count[SIDE_MAX];         /* buffers, by the other side's index */
	uint64_t sent, wrong;
	unsigned turn, ended;
	bool started;
};

struct net {
	struct leat_app *app;
	struct leat_module *controller;
	struct leat_port *commands[SIDE_MAX], *reports[SIDE_MAX];
	struct leat_pool *data, *control;
	unsigned n_senders, n_receivers;
	uint64_t limit; /* buffers of each sender */
	bool chaotic, fill;
	struct node sender[SIDE_MAX], receiver[SIDE_MAX];
	uint64_t reported;
	struct leat_work *work;
};

/* ---- senders ---- */

/* Where the next buffer goes: strictly in turn, or to the next one that has credit. NULL: wait. */
static struct leat_port *choose(struct node *s, unsigned *ret_receiver)
{
	unsigned n = s->net->n_receivers;
	for (unsigned i = 0; i < (s->net->chaotic ? n : 1); i++) {
		unsigned r = (s->turn + i) % n;
		if (leat_credit(s->data[r]) > 0) {
			*ret_receiver = r;
			s->turn = (r + 1) % n;
			return s->data[r];
		}
	}
	return NULL;
}

static void write_stamp(struct node *s, struct leat_buf *buf, unsigned receiver)
{
	struct stamp stamp = { s->index, receiver, s->count[receiver]++ };
	if (s->net->fill)
		memset(buf->data, (int)s->index, buf->size);
	memcpy(buf->data, &stamp, sizeof(stamp));
	buf->len = buf->size;
}

static int send_all(struct node *s)
{
	for (unsigned i = 0; s->sent < s->net->limit; i++) {
		struct leat_buf *buf;
		unsigned receiver;
		if (i == 4 * BURST)
			return LEAT_AGAIN;
		struct leat_port *out = choose(s, &receiver);
		if (!out || leat_take(s->net->data, &buf, 1) == 0)
			return LEAT_OK;
		write_stamp(s, buf, receiver);
		int k = leat_send(out, &buf, 1);
		if (k != 1) {
			leat_put(&buf, 1);
			return k < 0 ? k : LEAT_OK;
		}
		s->sent++;
	}
	return LEAT_DONE;
}

static int on_sender(struct leat_module *m, const struct leat_event *ev, void *ctx)
{
	struct node *s = ctx;
	struct leat_buf *command;
	(void)m;
	if (ev->kind == LEAT_EV_STOP)
		return LEAT_OK;
	if (ev->kind == LEAT_EV_INPUT && leat_recv(s->command, &command, 1) == 1) {
		leat_put(&command, 1);
		s->started = true;
	}
	return s->started ? send_all(s) : LEAT_OK;
}

/* ---- receivers ---- */

static void check_buffer(struct node *r, const struct leat_buf *buf)
{
	struct stamp stamp;
	memcpy(&stamp, buf->data, sizeof(stamp));
	if (stamp.sender >= r->net->n_senders || stamp.receiver != r->index) {
		r->wrong++;
		return;
	}
	r->wrong += stamp.number != r->count[stamp.sender]++;
}

/* After the last stream has ended it tells the controller how many there were. */
static int report(struct node *r)
{
	struct leat_buf *buf;
	if (leat_take(r->net->control, &buf, 1) != 1)
		return leat_module_fail(r->module, -ENOBUFS, "no buffer for the report");
	for (unsigned i = 0; i < r->net->n_senders; i++)
		buf->tag += r->count[i];
	if (leat_send(r->report, &buf, 1) != 1) {
		leat_put(&buf, 1);
		return leat_module_fail(r->module, -ENOBUFS, "no credit for the report");
	}
	return LEAT_OK;
}

static int on_receiver(struct leat_module *m, const struct leat_event *ev, void *ctx)
{
	struct node *r = ctx;
	struct leat_buf *bufs[BURST];
	(void)m;
	if (ev->kind == LEAT_EV_END && ++r->ended == r->net->n_senders)
		return report(r);
	if (ev->kind != LEAT_EV_INPUT)
		return LEAT_OK;
	int n = leat_recv(ev->port, bufs, BURST);
	for (int i = 0; i < n; i++)
		check_buffer(r, bufs[i]);
	if (n > 0) {
		leat_work_add(r->net->work, (uint64_t)n);
		leat_put(bufs, (unsigned)n);
	}
	return n < 0 ? n : LEAT_OK;
}

/* ---- the controller ---- */

static int start_senders(struct net *net)
{
	for (unsigned i = 0; i < net->n_senders; i++) {
		struct leat_buf *buf;
		if (leat_take(net->control, &buf, 1) != 1)
			return -ENOBUFS;
		if (leat_send(net->commands[i], &buf, 1) != 1) {
			leat_put(&buf, 1);
			return -ENOBUFS;
		}
	}
	return LEAT_OK;
}

static int on_controller(struct leat_module *m, const struct leat_event *ev, void *ctx)
{
	struct net *net = ctx;
	struct leat_buf *buf;
	(void)m;
	if (ev->kind == LEAT_EV_START)
		return start_senders(net);
	if (ev->kind == LEAT_EV_INPUT && leat_recv(ev->port, &buf, 1) == 1) {
		net->reported += buf->tag;
		leat_put(&buf, 1);
	}
	return LEAT_OK;
}

/* ---- the load ---- */

enum option {
	OPT_SENDERS,
	OPT_RECEIVERS,
	OPT_SIZE,
	OPT_DEPTH,
	OPT_BUFFERS,
	OPT_THREADS,
	OPT_CHAOTIC,
	OPT_FILL,
	OPT_COUNT,
};

static const struct load_option options[] = {
	[OPT_SENDERS] = { "senders", 's', LOAD_COUNT, 2, 1, SIDE_MAX, "senders" },
	[OPT_RECEIVERS] = { "receivers", 'r', LOAD_COUNT, 2, 1, SIDE_MAX, "receivers" },
	[OPT_SIZE] = { "buffer-size", 'z', LOAD_COUNT, 65536, 64, 1 << 24, "bytes of a buffer" },
	[OPT_DEPTH] = { "depth", 'd', LOAD_COUNT, 5, 1, 4096, "buffers a queue holds" },
	[OPT_BUFFERS] = { "buffers", 'b', LOAD_COUNT, 100, 1, 100000, "buffers per sender" },
	[OPT_THREADS] = { "threads", 't', LOAD_TEXT, 0, 0, 0, "1, 3 (by side) or all (1)" },
	[OPT_CHAOTIC] = { "chaotic", 'c', LOAD_FLAG, 0, 0, 0, "send wherever there is credit" },
	[OPT_FILL] = { "fill", 'f', LOAD_FLAG, 0, 0, 0, "write every byte of every buffer" },
	[OPT_COUNT] = { "count", 'n', LOAD_COUNT, 200000, 1, UINT64_MAX / 256,
		"buffers of each sender" },
};

static void app_freep(struct leat_app **app)
{
	leat_app_free(*app);
}

static int add_node(
	struct net *net, bool is_sender, unsigned i, unsigned depth, struct leat_err *err)
{
	struct node *node = is_sender ? &net->sender[i] : &net->receiver[i];
	char name[16], port[16];
	snprintf(name, sizeof(name), "%s%u", is_sender ? "send" : "recv", i);
	node->net = net;
	node->index = i;
	node->turn = i; /* not all to the same one at first */
	struct leat_module_opts opts = {
		.name = name, .ctx = node, .on = is_sender ? on_sender : on_receiver
	};
	int r = leat_module_new(net->app, &opts, &node->module, err);
	unsigned others = is_sender ? net->n_receivers : net->n_senders;
	for (unsigned k = 0; k < others && r == 0; k++) {
		snprintf(port, sizeof(port), "data%u", k);
		r = is_sender ? leat_out(node->module, port, depth, &node->data[k], err)
			      : leat_in(node->module, port, depth, &node->data[k], err);
	}
	struct leat_port *mine = NULL, *theirs = NULL;
	if (r == 0)
		r = is_sender ? leat_in(node->module, "command", 1, &mine, err)
			      : leat_out(node->module, "report", 1, &mine, err);
	if (r == 0)
		r = is_sender ? leat_out(net->controller, name, 1, &theirs, err)
			      : leat_in(net->controller, name, 1, &theirs, err);
	if (r == 0)
		r = is_sender ? leat_link(theirs, mine, LEAT_BLOCK, err)
			      : leat_link(mine, theirs, LEAT_BLOCK, err);
	*(is_sender ? &node->command : &node->report) = mine;
	*(is_sender ? &net->commands[i] : &net->reports[i]) = theirs;
	return r;
}

static int build(
	struct net *net, const struct load_value *v, const char *placement, struct leat_err *err)
{
	unsigned depth = (unsigned)v[OPT_DEPTH].count;
	struct leat_app_opts opts = { .name = "net", .placement = placement };
	struct leat_pool_opts data = { .name = "data",
		.bytes = v[OPT_SIZE].count,
		.count = (unsigned)v[OPT_BUFFERS].count * net->n_senders };
	struct leat_pool_opts control = { .name = "control", .count = 2 * SIDE_MAX };
	struct leat_module_opts ctrl = {
		.name = "control", .on = on_controller, .ctx = net, .priority = 1
	};
	int r = leat_app_new(&opts, &net->app, err);
	if (r == 0)
		r = leat_pool_new(net->app, &data, &net->data, err);
	if (r == 0)
		r = leat_pool_new(net->app, &control, &net->control, err);
	if (r == 0)
		r = leat_module_new(net->app, &ctrl, &net->controller, err);
	for (unsigned i = 0; i < net->n_senders && r == 0; i++)
		r = add_node(net, true, i, depth, err);
	for (unsigned i = 0; i < net->n_receivers && r == 0; i++)
		r = add_node(net, false, i, depth, err);
	for (unsigned i = 0; i < net->n_senders && r == 0; i++)
		for (unsigned k = 0; k < net->n_receivers && r == 0; k++)
			r = leat_link(
				net->sender[i].data[k], net->receiver[k].data[i], LEAT_BLOCK, err);
	return r;
}

static const char *placement_of(const char *threads)
{
	if (!threads || strcmp(threads, "1") == 0)
		return "threads:1";
	if (strcmp(threads, "3") == 0)
		return "control=control;senders=send*;receivers=recv*";
	return strcmp(threads, "all") == 0 ? "each" : NULL;
}

static int check(const struct net *net, uint64_t *ret_got, struct lt_err *err)
{
	uint64_t got = 0, wrong = 0, due = net->limit * net->n_senders;
	for (unsigned i = 0; i < net->n_receivers; i++) {
		wrong += net->receiver[i].wrong;
		for (unsigned k = 0; k < net->n_senders; k++)
			got += net->receiver[i].count[k];
	}
	*ret_got = got;
	if (got == due && net->reported == due && wrong == 0)
		return 0;
	return lt_fail(err, -EBADMSG, "LT-NET-LOST",
		"%llu buffers received, %llu reported, of %llu; %llu wrong or out of order",
		(unsigned long long)got, (unsigned long long)net->reported, (unsigned long long)due,
		(unsigned long long)wrong);
}

static int net_run(const struct load_value *v, struct load_result *ret, struct lt_err *err)
{
	const char *placement = placement_of(v[OPT_THREADS].text);
	if (!placement)
		return lt_fail(err, -EINVAL, "LT-NET-THREADS", "threads '%.40s' is not 1, 3 or all",
			v[OPT_THREADS].text);
	LT_AUTO_FREE struct net *net = calloc(1, sizeof(*net));
	LT_AUTO(app_freep) struct leat_app *app = NULL;
	struct leat_err lib_err = { 0 };
	if (!net)
		return lt_fail_mem(err);
	net->n_senders = (unsigned)v[OPT_SENDERS].count;
	net->n_receivers = (unsigned)v[OPT_RECEIVERS].count;
	net->limit = v[OPT_COUNT].count;
	net->chaotic = v[OPT_CHAOTIC].count;
	net->fill = v[OPT_FILL].count;
	leat_work_get("net", "buffer", &net->work, NULL); /* on failure there is none */
	int r = build(net, v, placement, &lib_err);
	app = net->app;
	int64_t begin_ns = lt_now_ns();
	if (r == 0)
		r = leat_start(app, &lib_err);
	if (r == 0)
		r = leat_wait(app, LEAT_FOREVER, &lib_err);
	int64_t elapsed_ns = lt_now_ns() - begin_ns;
	if (r < 0)
		return lt_fail(err, r, "LT-NET-RUN", "%s", lib_err.text);
	uint64_t got;
	r = check(net, &got, err);
	if (r < 0)
		return r;
	double bytes = (double)got * (double)v[OPT_SIZE].count;
	*ret = (struct load_result){
		.work = got,
		.elapsed_ns = elapsed_ns,
		.figures = {
			{ "data-rate", "bytes/s", bytes * 1e9 / (double)elapsed_ns },
			{ "time-per-buffer", "ns", (double)elapsed_ns / (double)got },
		},
		.n_figures = 2,
		.text = share_text(begin_ns),
	};
	return 0;
}

const struct load load_net = {
	.name = "net",
	.brief = "buffers from all senders to all receivers, with a controller",
	.work = "buffers",
	.timed = "from the start of the threads to their end",
	.options = options,
	.n_options = LT_COUNT(options),
	.run = net_run,
};
