/* SPDX-License-Identifier: MIT */
/* Memory runs out at every allocation in turn, while an app is made, run and freed, and while a
 * pipeline runs: each time there is an error, and never a crash, a hang or a lost buffer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chain.h"
#include "helpers/failing_alloc.h"
#include "leat/pipeline.h"

enum {
	TRIES = 500
};

/* Whole life of an app; 0 or the first error. */
static int live(const char *kinds, struct leat_err *err)
{
	struct chain c = { .n = 3, .depth = 4, .limit = 50 };
	int r = chain_new(&c, kinds, "each", LEAT_BLOCK, 8, err);
	if (r == 0)
		r = leat_timer_new(c.link[1].module, 1000000, 0, NULL, NULL) == -ENOMEM ? -ENOMEM
											: 0;
	if (r == 0)
		r = leat_start(c.app, err);
	if (r == 0) {
		r = leat_wait(c.app, 20000000000, err);
		assert_int_not_equal(r, -ETIMEDOUT);
		assert_int_equal(leat_pool_home(c.pool), 8);
	}
	leat_app_free(c.app);
	return r;
}

static void an_app_survives_every_failed_allocation(void **state)
{
	(void)state;
	static const char *const kinds[] = { "e", "m" };
	for (int k = 0; k < 2; k++) {
		int n = 0;
		for (; n < TRIES; n++) {
			struct leat_err err = { 0 };
			alloc_fail_after(n);
			int r = live(kinds[k], &err);
			bool hit = alloc_hit;
			alloc_recover();
			assert_true(r == 0 || r < 0);
			if (!hit) {
				assert_int_equal(r, 0);
				break;
			}
		}
		assert_true(n > 5 && n < TRIES);
	}
}

static void *count_in(void *ctx, void *item, struct leat_token *t)
{
	(void)item;
	return t->number < 20 ? ctx : LEAT_END;
}

static void *pass(void *ctx, void *item, struct leat_token *t)
{
	(void)ctx;
	(void)t;
	return item;
}

static void a_pipeline_survives_every_failed_allocation(void **state)
{
	(void)state;
	char thing;
	const struct leat_stage stages[] = { { .fn = count_in, .ctx = &thing },
		{ .kind = LEAT_PARALLEL, .fn = pass }, { .kind = LEAT_SERIAL, .fn = pass } };
	struct leat_pipeline_opts opts = { .workers = 2, .wake_ns = 1 };
	int n = 0;
	for (; n < TRIES; n++) {
		struct leat_err err = { 0 };
		alloc_fail_after(n);
		int r = leat_pipeline(stages, 3, &opts, NULL, &err);
		bool hit = alloc_hit;
		alloc_recover();
		if (!hit) {
			assert_int_equal(r, 0);
			break;
		}
		assert_true(r == 0 || r == -ENOMEM);
		if (r < 0)
			assert_string_equal(err.id, "LEAT-MEMORY");
	}
	assert_true(n > 0 && n < TRIES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_app_survives_every_failed_allocation),
		cmocka_unit_test(a_pipeline_survives_every_failed_allocation),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
