/* SPDX-License-Identifier: MIT */
/* chain [PLACEMENT]: a main loop that makes numbers, an event module that squares them, a main
 * loop that adds them up. Try it with "each", or with LEAT_PLACEMENT in the environment. */
#include <errno.h>
#include <stdio.h>

#include <leat/module.h>

enum {
	NUMBERS = 1000
};

static struct leat_pool *pool;
static struct leat_port *source_out, *square_in, *square_out, *sum_in;
static unsigned long long sum;

static int run_source(struct leat_module *m, void *ctx)
{
	(void)ctx;
	for (unsigned i = 1; i <= NUMBERS; i++) {
		struct leat_buf *buf;
		int r = leat_take_wait(m, pool, &buf, 1, LEAT_FOREVER);
		if (r < 0)
			return r;
		buf->tag = i;
		r = leat_send_wait(source_out, &buf, 1, LEAT_FOREVER);
		if (r < 0) {
			leat_put(&buf, 1);
			return r;
		}
	}
	return 0; /* end of stream follows the data */
}

/* Called again and again while there is input; what finds no credit stays where it is. */
static int on_square(struct leat_module *m, const struct leat_event *ev, void *ctx)
{
	struct leat_buf *bufs[16];
	(void)m;
	(void)ctx;
	if (ev->kind != LEAT_EV_INPUT)
		return LEAT_OK;
	unsigned credit = leat_credit(square_out);
	int n = leat_recv(square_in, bufs, credit < 16 ? credit : 16);
	for (int i = 0; i < n; i++)
		bufs[i]->tag *= bufs[i]->tag;
	if (n > 0)
		n = leat_send(square_out, bufs, (unsigned)n);
	return n < 0 ? n : LEAT_OK;
}

static int run_sum(struct leat_module *m, void *ctx)
{
	(void)m;
	(void)ctx;
	for (;;) {
		struct leat_buf *bufs[16];
		int n = leat_recv_wait(sum_in, bufs, 16, LEAT_FOREVER);
		if (n < 0)
			return n == -EPIPE ? 0 : n; /* the end of the stream */
		for (int i = 0; i < n; i++)
			sum += bufs[i]->tag;
		leat_put(bufs, (unsigned)n);
	}
}

int main(int argc, char **argv)
{
	struct leat_app *app = NULL;
	struct leat_module *source, *square, *adder;
	struct leat_err err = { 0 };
	struct leat_app_opts opts = { .name = "example", .placement = argc > 1 ? argv[1] : NULL };
	struct leat_pool_opts po = { .count = 64 };
	struct leat_module_opts mo[] = {
		{ .name = "source", .run = run_source },
		{ .name = "square", .on = on_square },
		{ .name = "sum", .run = run_sum },
	};
	int r = leat_app_new(&opts, &app, &err);
	if (r < 0 || (r = leat_pool_new(app, &po, &pool, &err)) < 0 ||
		(r = leat_module_new(app, &mo[0], &source, &err)) < 0 ||
		(r = leat_module_new(app, &mo[1], &square, &err)) < 0 ||
		(r = leat_module_new(app, &mo[2], &adder, &err)) < 0 ||
		(r = leat_out(source, "out", 10, &source_out, &err)) < 0 ||
		(r = leat_in(square, "in", 10, &square_in, &err)) < 0 ||
		(r = leat_out(square, "out", 10, &square_out, &err)) < 0 ||
		(r = leat_in(adder, "in", 10, &sum_in, &err)) < 0 ||
		(r = leat_link(source_out, square_in, LEAT_BLOCK, &err)) < 0 ||
		(r = leat_link(square_out, sum_in, LEAT_BLOCK, &err)) < 0 ||
		(r = leat_start(app, &err)) < 0 || (r = leat_wait(app, LEAT_FOREVER, &err)) < 0)
		fprintf(stderr, "chain: %s: %s\n", err.id, err.text);
	else
		printf("sum of squares: %llu, buffers home: %u of 64\n", sum, leat_pool_home(pool));
	leat_app_free(app);
	return r < 0;
}
