/* SPDX-License-Identifier: MIT */
/* Pipelines: order, serial stages, limits, binding, end, skip, failure, cancel, misuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "leat/pipeline.h"
#include "leat/stats.h"

enum {
	N_ITEMS = 5000,
	MAX_STAGES = 10,
};

struct world {
	uint64_t next, limit;
	atomic_int in_flight, most;
	atomic_int inside[MAX_STAGES]; /* a serial stage has at most one */
	uint64_t seen[MAX_STAGES];     /* next number an in-order stage expects */
	atomic_int wrong;
	atomic_ulong last, dropped, sum;
	unsigned fail_stage, skip_every, spin;
	uint64_t fail_item;
	pthread_t caller;
	struct leat_cancel *cancel;
};

struct spot {
	struct world *w;
	enum leat_stage_kind kind;
};

static void work(unsigned loops)
{
	for (volatile unsigned i = 0; i < loops; i++)
		;
}

static void *input(void *ctx, void *item, struct leat_token *t)
{
	struct spot *s = ctx;
	struct world *w = s->w;
	(void)item;
	if (atomic_fetch_add(&w->inside[0], 1) != 0)
		w->wrong++;
	void *out = LEAT_END;
	if (w->next < w->limit) {
		if (t->number != w->next)
			w->wrong++;
		out = (void *)(uintptr_t)(++w->next); /* NOLINT(performance-no-int-to-ptr) */
		int now = ++w->in_flight;
		if (now > w->most)
			w->most = now;
	}
	w->inside[0]--;
	return out;
}

static void *middle(void *ctx, void *item, struct leat_token *t)
{
	struct spot *s = ctx;
	struct world *w = s->w;
	if (s->kind != LEAT_PARALLEL && atomic_fetch_add(&w->inside[t->stage], 1) != 0)
		w->wrong++;
	if (s->kind == LEAT_IN_ORDER && w->skip_every == 0 && w->seen[t->stage]++ != t->number)
		w->wrong++;
	if ((uintptr_t)item != t->number + 1)
		w->wrong++;
	work(w->spin);
	if (s->kind != LEAT_PARALLEL)
		w->inside[t->stage]--;
	if (w->fail_stage == t->stage && w->fail_item == t->number) {
		w->in_flight--;
		leat_token_fail(t, -EBADMSG, "bad item");
		return LEAT_SKIP;
	}
	if (w->skip_every && t->number % w->skip_every == 0 && t->stage == 2) {
		w->in_flight--;
		return LEAT_SKIP;
	}
	return item;
}

static void *output(void *ctx, void *item, struct leat_token *t)
{
	struct spot *s = ctx;
	middle(ctx, item, t);
	s->w->last++;
	s->w->sum += (uintptr_t)item;
	s->w->in_flight--;
	return NULL;
}

static void drop(void *ctx, void *item, unsigned stage)
{
	struct world *w = ctx;
	if ((uintptr_t)item == 0 || stage == 0)
		w->wrong++;
	w->dropped++;
	w->in_flight--;
}

static const enum leat_stage_kind ORDERED[] = { LEAT_IN_ORDER };
static const enum leat_stage_kind SERIAL[] = { LEAT_SERIAL };
static const enum leat_stage_kind PARALLEL[] = { LEAT_PARALLEL };
static const enum leat_stage_kind MIXED[] = { LEAT_IN_ORDER, LEAT_PARALLEL, LEAT_SERIAL };

static int go(struct world *w, const enum leat_stage_kind *kinds, unsigned n_kinds,
	struct leat_pipeline_opts opts, const unsigned *bind, struct leat_pipeline_report *rep,
	struct leat_err *err)
{
	struct leat_stage stage[MAX_STAGES] = { 0 };
	struct spot spot[MAX_STAGES];
	for (unsigned i = 0; i < MAX_STAGES; i++) {
		enum leat_stage_kind kind = i ? kinds[i % n_kinds] : LEAT_IN_ORDER;
		spot[i] = (struct spot){ w, kind };
		stage[i] = (struct leat_stage){ .kind = kind,
			.fn = i == 0                  ? input
				: i + 1 == MAX_STAGES ? output
						      : middle,
			.ctx = &spot[i],
			.bind = bind ? bind[i] : 0 };
	}
	opts.drop = drop;
	opts.drop_ctx = w;
	return leat_pipeline(stage, MAX_STAGES, &opts, rep, err);
}

static void check_all(unsigned workers, unsigned tokens, const enum leat_stage_kind *kinds,
	unsigned n_kinds, unsigned skip_every)
{
	struct world w = { .limit = N_ITEMS, .skip_every = skip_every, .fail_stage = 99 };
	struct leat_pipeline_report rep;
	struct leat_err err = { 0 };
	struct leat_pipeline_opts opts = { .workers = workers, .tokens = tokens, .wake_ns = 1 };
	assert_int_equal(go(&w, kinds, n_kinds, opts, NULL, &rep, &err), 0);
	uint64_t skipped = skip_every ? (N_ITEMS + skip_every - 1) / skip_every : 0;
	assert_int_equal(w.wrong, 0);
	assert_int_equal(w.in_flight, 0);
	assert_true(w.most <= (int)tokens);
	assert_int_equal(rep.items, N_ITEMS);
	assert_int_equal(rep.done, N_ITEMS - skipped);
	assert_int_equal(rep.skipped, skipped);
	assert_int_equal(rep.dropped, 0);
	assert_int_equal(w.last, N_ITEMS - skipped);
}

static void every_kind_keeps_its_promise(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 4; workers++) {
		for (unsigned tokens = 1; tokens <= 9; tokens += 2) {
			check_all(workers, tokens, ORDERED, 1, 0);
			check_all(workers, tokens, SERIAL, 1, 0);
			check_all(workers, tokens, PARALLEL, 1, 0);
			check_all(workers, tokens, MIXED, 3, 0);
			check_all(workers, tokens, MIXED, 3, 7);
		}
	}
}

static void first_failure_names_stage_and_item(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 3; workers++) {
		struct world w = { .limit = N_ITEMS, .fail_stage = 4, .fail_item = 1234 };
		struct leat_pipeline_report rep;
		struct leat_err err = { 0 };
		struct leat_pipeline_opts opts = { .workers = workers, .tokens = 6, .wake_ns = 1 };
		assert_int_equal(go(&w, MIXED, 3, opts, NULL, &rep, &err), -EBADMSG);
		assert_string_equal(err.id, "LEAT-STAGE");
		assert_string_equal(err.text, "stage 4, item 1234: bad item");
		assert_int_equal(rep.fail_stage, 4);
		assert_int_equal(rep.fail_item, 1234);
		assert_int_equal(w.in_flight, 0);
		assert_int_equal(w.wrong, 0);
		assert_int_equal(rep.dropped, w.dropped);
		assert_int_equal(rep.done + rep.dropped + 1, rep.items);
	}
}

static void *blocking_input(void *ctx, void *item, struct leat_token *t)
{
	struct world *w = ctx;
	(void)item;
	if (t->number < 3)
		return (void *)(uintptr_t)(t->number + 1); /* NOLINT(performance-no-int-to-ptr) */
	struct pollfd p = { .fd = leat_token_stop_fd(t), .events = POLLIN };
	w->last = 1;
	if (poll(&p, 1, 10000) != 1)
		w->wrong++;
	return LEAT_END;
}

static void *pass(void *ctx, void *item, struct leat_token *t)
{
	(void)ctx;
	(void)t;
	return item;
}

static void *count_to_230(void *ctx, void *item, struct leat_token *t)
{
	(void)item;
	(void)t;
	return (*(uint64_t *)ctx)++ < 230 ? NULL : LEAT_END;
}

static void *cancel_soon(void *arg)
{
	struct world *w = arg;
	while (!w->last)
		usleep(100);
	leat_cancel_now(w->cancel);
	return NULL;
}

static void cancel_wakes_a_blocked_stage(void **state)
{
	(void)state;
	struct world w = { 0 };
	struct leat_err err;
	pthread_t thread;
	assert_int_equal(leat_cancel_new(&w.cancel, &err), 0);
	const struct leat_stage stages[] = {
		{ .kind = LEAT_IN_ORDER, .fn = blocking_input, .ctx = &w },
		{ .kind = LEAT_IN_ORDER, .fn = pass },
	};
	struct leat_pipeline_opts opts = { .cancel = w.cancel };
	pthread_create(&thread, NULL, cancel_soon, &w);
	assert_int_equal(leat_pipeline(stages, 2, &opts, NULL, &err), -ECANCELED);
	assert_string_equal(err.id, "LEAT-CANCELED");
	pthread_join(thread, NULL);
	assert_int_equal(w.wrong, 0);
	leat_cancel_reset(w.cancel);
	assert_false(leat_cancel_raised(w.cancel));
	leat_cancel_free(w.cancel);
}

static void *fail_late(void *ctx, void *item, struct leat_token *t)
{
	struct world *w = ctx;
	while (!w->last)
		usleep(100);
	leat_token_fail(t, -ENOSPC, "full");
	return item;
}

static void failure_wakes_a_blocked_stage(void **state)
{
	(void)state;
	struct world w = { 0 };
	struct leat_err err;
	const struct leat_stage stages[] = {
		{ .kind = LEAT_IN_ORDER, .fn = blocking_input, .ctx = &w },
		{ .kind = LEAT_IN_ORDER, .fn = fail_late, .ctx = &w },
	};
	struct leat_pipeline_opts opts = { .workers = 2, .tokens = 8, .wake_ns = 1 };
	assert_int_equal(leat_pipeline(stages, 2, &opts, NULL, &err), -ENOSPC);
	assert_string_equal(err.text, "stage 1, item 0: full");
	assert_int_equal(w.wrong, 0);
}

static void *on_caller(void *ctx, void *item, struct leat_token *t)
{
	struct spot *s = ctx;
	if (!pthread_equal(pthread_self(), s->w->caller) || t->worker != 0)
		s->w->wrong++;
	return middle(ctx, item, t);
}

static void *on_worker_2(void *ctx, void *item, struct leat_token *t)
{
	struct spot *s = ctx;
	if (pthread_equal(pthread_self(), s->w->caller) || t->worker != 2)
		s->w->wrong++;
	return middle(ctx, item, t);
}

static void bound_stages_run_where_they_should(void **state)
{
	(void)state;
	for (int with_worker = 0; with_worker < 2; with_worker++) {
		struct world w = { .limit = N_ITEMS, .fail_stage = 99, .caller = pthread_self() };
		struct spot s[4] = { { &w, LEAT_IN_ORDER }, { &w, LEAT_IN_ORDER },
			{ &w, LEAT_PARALLEL }, { &w, LEAT_SERIAL } };
		const struct leat_stage stages[] = {
			{ .kind = LEAT_IN_ORDER, .fn = input, .ctx = &s[0] },
			{ .kind = LEAT_IN_ORDER,
				.fn = on_caller,
				.ctx = &s[1],
				.bind = LEAT_CALLER },
			{ .kind = LEAT_PARALLEL,
				.fn = with_worker ? on_worker_2 : middle,
				.ctx = &s[2],
				.bind = with_worker ? LEAT_WORKER(2) : 0 },
			{ .kind = LEAT_SERIAL, .fn = output, .ctx = &s[3], .bind = LEAT_CALLER },
		};
		struct leat_pipeline_opts opts = { .workers = 3, .tokens = 5, .wake_ns = 1 };
		assert_int_equal(leat_pipeline(stages, 4, &opts, NULL, NULL), 0);
		assert_int_equal(w.wrong, 0);
		assert_int_equal(w.last, N_ITEMS);
	}
}

static void helpers_come_only_for_work_worth_it(void **state)
{
	(void)state;
	struct leat_pipeline_report rep;
	/* far from what the items take, so that a slow machine does not matter */
	struct leat_pipeline_opts opts = { .workers = 2, .tokens = 4, .wake_ns = 10000000 };
	struct world small = { .limit = 200000, .fail_stage = 99 };
	assert_int_equal(go(&small, ORDERED, 1, opts, NULL, &rep, NULL), 0);
	assert_int_equal(rep.calls, 0);
	assert_int_equal(rep.workers, 1);
	opts.wake_ns = 5000;
	struct world big = { .limit = 300, .fail_stage = 99, .spin = 30000 };
	assert_int_equal(go(&big, ORDERED, 1, opts, NULL, &rep, NULL), 0);
	assert_true(rep.calls >= 1); /* whether the helper then got a CPU in time is not ours */
	assert_int_equal(big.wrong, 0);
}

struct par {
	atomic_ulong next, out;
};

static void *par_in(void *ctx, void *item, struct leat_token *t)
{
	struct par *p = ctx;
	(void)item;
	(void)t;
	unsigned long n = p->next++;
	return n < N_ITEMS ? (void *)(n + 1) : LEAT_END; /* NOLINT(performance-no-int-to-ptr) */
}

static void *par_out(void *ctx, void *item, struct leat_token *t)
{
	struct par *p = ctx;
	(void)t;
	p->out += (uintptr_t)item;
	return NULL;
}

static void a_parallel_input_loses_nothing(void **state)
{
	(void)state;
	struct par p = { 0 };
	const struct leat_stage stages[] = {
		{ .kind = LEAT_PARALLEL, .fn = par_in, .ctx = &p },
		{ .kind = LEAT_IN_ORDER, .fn = pass },
		{ .kind = LEAT_PARALLEL, .fn = par_out, .ctx = &p },
	};
	struct leat_pipeline_opts opts = { .workers = 4, .tokens = 8, .wake_ns = 1 };
	struct leat_pipeline_report rep;
	assert_int_equal(leat_pipeline(stages, 3, &opts, &rep, NULL), 0);
	assert_int_equal(p.out, (uint64_t)N_ITEMS * (N_ITEMS + 1) / 2);
	assert_int_equal(rep.done, N_ITEMS);
}

/* The stages leave how long their items took, one in so many of them. */
static void stages_leave_their_times(void **state)
{
	(void)state;
	struct leat_err err = { 0 };
	const struct leat_stats_head *page = leat_stats_self();
	uint64_t made = 0;
	struct leat_stage stages[] = { { LEAT_IN_ORDER, "in-of-230", count_to_230, &made, 0 },
		{ LEAT_PARALLEL, "through-of-230", pass, NULL, 0 } };
	struct leat_pipeline_opts opts = { .name = "of-230", .workers = 2, .wake_ns = 1 };
	assert_int_equal(leat_pipeline(stages, 2, &opts, NULL, &err), 0);
	unsigned seen = 0;
	for (uint32_t i = 0; i < page->used; i++) {
		struct leat_stats_slot s;
		if (leat_stats_copy(leat_stats_slot_at(page, i), &s) != LEAT_STATS_STAGE ||
			!strstr(s.name, "-of-230"))
			continue;
		seen++;
		assert_int_equal(s.v[LEAT_V_STAGE_ITEMS], 230);
		assert_in_range(s.v[LEAT_V_STAGE_TIMED], 4, 23);
		assert_int_equal(s.v[LEAT_V_STAGE_SERIAL], !strncmp(s.name, "in", 2));
	}
	assert_int_equal(seen, 2);
}

static void misuse_is_named(void **state)
{
	(void)state;
	struct leat_err err;
	struct world w = { 0 };
	struct spot s = { &w, LEAT_IN_ORDER };
	struct leat_stage st = { .kind = LEAT_IN_ORDER, .fn = input, .ctx = &s };
	struct leat_pipeline_opts opts = { .workers = 2 };
	assert_int_equal(leat_pipeline(NULL, 0, NULL, NULL, &err), -EINVAL);
	assert_string_equal(err.id, "LEAT-PIPELINE-STAGES");
	opts.tokens = 1u << 30;
	assert_int_equal(leat_pipeline(&st, 1, &opts, NULL, &err), -EINVAL);
	assert_string_equal(err.id, "LEAT-PIPELINE-TOKENS");
	opts.tokens = 1;
	opts.cpus = "0-";
	assert_int_equal(leat_pipeline(&st, 1, &opts, NULL, &err), -EINVAL);
	assert_string_equal(err.id, "LEAT-PIPELINE-CPUS");
	opts.cpus = NULL;
	st.bind = LEAT_WORKER(2);
	assert_int_equal(leat_pipeline(&st, 1, &opts, NULL, &err), -EINVAL);
	assert_string_equal(err.id, "LEAT-PIPELINE-BIND");
	st.bind = 0;
	st.fn = NULL;
	assert_int_equal(leat_pipeline(&st, 1, &opts, NULL, &err), -EINVAL);
	assert_string_equal(err.id, "LEAT-PIPELINE-KIND");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_keeps_its_promise),
		cmocka_unit_test(first_failure_names_stage_and_item),
		cmocka_unit_test(cancel_wakes_a_blocked_stage),
		cmocka_unit_test(failure_wakes_a_blocked_stage),
		cmocka_unit_test(bound_stages_run_where_they_should),
		cmocka_unit_test(helpers_come_only_for_work_worth_it),
		cmocka_unit_test(a_parallel_input_loses_nothing),
		cmocka_unit_test(stages_leave_their_times),
		cmocka_unit_test(misuse_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
