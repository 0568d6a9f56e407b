/* SPDX-License-Identifier: MIT */
/* What the environment may set in place of the program's own: tokens, threads, bursts. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <leat/leat.h>

enum {
	ITEMS = 230
};

static uint64_t made;

static void *make(void *ctx, void *item, struct leat_token *token)
{
	(void)ctx;
	(void)item;
	(void)token;
	return made++ < ITEMS ? NULL : LEAT_END;
}

static void *pass(void *ctx, void *item, struct leat_token *token)
{
	(void)ctx;
	(void)token;
	return item;
}

static int pipeline(struct leat_pipeline_opts opts, struct leat_err *err)
{
	struct leat_stage stages[] = { { .kind = LEAT_IN_ORDER, .fn = make },
		{ .kind = LEAT_PARALLEL, .fn = pass } };
	struct leat_pipeline_report report;
	made = 0;
	int r = leat_pipeline(stages, 2, &opts, &report, err);
	if (r == 0)
		assert_int_equal(report.done, ITEMS);
	return r;
}

static void tokens_and_threads_of_a_pipeline_are_the_users(void **state)
{
	(void)state;
	struct leat_err err = { 0 };
	/* Far beyond what is possible, but for what the user says. */
	struct leat_pipeline_opts wild = { .tokens = 1u << 20, .workers = 1u << 20 };
	assert_int_equal(pipeline(wild, &err), -EINVAL);
	setenv("LEAT_TOKENS", "7", 1);
	assert_int_equal(pipeline(wild, &err), -EINVAL);
	setenv("LEAT_THREADS", "2", 1);
	assert_int_equal(pipeline(wild, &err), 0);
	unsetenv("LEAT_TOKENS");
	unsetenv("LEAT_THREADS");
}

static void a_pool_of_tasks_has_as_many_threads(void **state)
{
	(void)state;
	struct leat_err err = { 0 };
	struct leat_tasks *pool;
	setenv("LEAT_THREADS", "3", 1);
	assert_int_equal(leat_tasks_new(NULL, &pool, &err), 0);
	assert_int_equal(leat_tasks_threads(pool), 3);
	leat_tasks_free(pool);
	unsetenv("LEAT_THREADS");
}

static void what_is_no_number_is_named(void **state)
{
	(void)state;
	static const char *const bad[] = { "0", "many", "-1", "3x", "99999999999", "70000" };
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct leat_err err = { 0 };
		struct leat_app *app;
		setenv("LEAT_BURST", bad[i], 1);
		assert_int_equal(leat_app_new(NULL, &app, &err), -EINVAL);
		assert_string_equal(err.id, "LEAT-ENV");
		assert_non_null(strstr(err.text, bad[i]));
	}
	unsetenv("LEAT_BURST");
}

static unsigned largest;

static int source(struct leat_module *module, void *ctx)
{
	struct leat_port *out = *(struct leat_port **)ctx;
	struct leat_buf *bufs[16];
	struct leat_pool *pool = ((void **)ctx)[1];
	for (int sent = 0; sent < ITEMS;) {
		int n = leat_take_wait(module, pool, bufs, 10, LEAT_FOREVER);
		if (n > 0)
			n = leat_send_wait(out, bufs, (unsigned)n, LEAT_FOREVER);
		if (n < 0)
			return n;
		sent += n;
	}
	return 0;
}

static int sink(struct leat_module *module, const struct leat_event *event, void *ctx)
{
	struct leat_buf *bufs[64];
	(void)module;
	(void)ctx;
	if (event->kind != LEAT_EV_INPUT)
		return LEAT_OK;
	int n = leat_recv(event->port, bufs, 64);
	if (n > 0 && (unsigned)n > largest)
		largest = (unsigned)n;
	if (n > 0)
		leat_put(bufs, (unsigned)n);
	return n < 0 && n != -EPIPE ? n : LEAT_OK;
}

/* The most that the sink ever got at once. */
static unsigned largest_burst(void)
{
	struct leat_err err = { 0 };
	struct leat_app *app;
	struct leat_module *a, *b;
	struct leat_port *out, *in;
	struct leat_pool *pool;
	void *ctx[2];
	largest = 0;
	assert_int_equal(leat_app_new(NULL, &app, &err), 0);
	struct leat_module_opts from = { .name = "a", .run = source, .ctx = ctx };
	struct leat_module_opts to = { .name = "b", .on = sink };
	assert_int_equal(leat_module_new(app, &from, &a, &err), 0);
	assert_int_equal(leat_module_new(app, &to, &b, &err), 0);
	assert_int_equal(leat_out(a, "out", 32, &out, &err), 0);
	assert_int_equal(leat_in(b, "in", 32, &in, &err), 0);
	assert_int_equal(leat_link(out, in, LEAT_BLOCK, &err), 0);
	struct leat_pool_opts pool_opts = { .name = "p", .count = 64 };
	assert_int_equal(leat_pool_new(app, &pool_opts, &pool, &err), 0);
	ctx[0] = out;
	ctx[1] = pool;
	assert_int_equal(leat_start(app, &err), 0);
	assert_int_equal(leat_wait(app, LEAT_FOREVER, &err), 0);
	leat_app_free(app);
	return largest;
}

static void a_burst_is_no_larger_than_the_user_wants(void **state)
{
	(void)state;
	assert_true(largest_burst() > 3);
	setenv("LEAT_BURST", "3", 1);
	assert_int_equal(largest_burst(), 3);
	unsetenv("LEAT_BURST");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tokens_and_threads_of_a_pipeline_are_the_users),
		cmocka_unit_test(a_pool_of_tasks_has_as_many_threads),
		cmocka_unit_test(what_is_no_number_is_named),
		cmocka_unit_test(a_burst_is_no_larger_than_the_user_wants),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
