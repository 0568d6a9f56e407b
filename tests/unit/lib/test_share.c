/* SPDX-License-Identifier: MIT */
/* What the statistics page says: where threads spent their time, what queues and modules moved,
 * and that an idle app wakes nobody. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "chain.h"
#include "leat/stats.h"

static const int64_t SOON = 20000000000;

/* The newest slot of this kind and name. */
static bool find(unsigned kind, const char *name, struct leat_stats_slot *ret)
{
	const struct leat_stats_head *head = leat_stats_self();
	struct leat_stats_slot slot;
	bool found = false;
	for (uint32_t i = 0; i < head->used; i++) {
		if (leat_stats_copy(leat_stats_slot_at(head, i), &slot) == kind &&
			strcmp(slot.name, name) == 0) {
			*ret = slot;
			found = true;
		}
	}
	return found;
}

static uint64_t sum_of(const struct leat_share *s)
{
	uint64_t sum = s->cpu_ns + s->runq_ns;
	for (int i = 0; i < LEAT_CAUSES; i++)
		sum += s->wait_ns[i];
	return sum;
}

static void run_stuck(const char *kinds, struct leat_share *ret_source, struct leat_share *ret_last,
	struct leat_stats_slot *ret_queue, struct leat_stats_slot *ret_thread)
{
	struct chain c = { .n = 4, .depth = 5, .burst = 5, .stuck_at = 2 };
	struct leat_err err;
	struct leat_stats_slot last = { 0 };
	assert_int_equal(chain_new(&c, kinds, "each", LEAT_BLOCK, 40, &err), 0);
	assert_int_equal(leat_start(c.app, &err), 0);
	usleep(60000);
	assert_int_equal(leat_stop(c.app, SOON, &err), 0);
	assert_true(find(LEAT_STATS_THREAD, "t1", ret_thread));
	leat_stats_share(ret_thread, 0, 0, 0, ret_source);
	assert_true(find(LEAT_STATS_THREAD, "t3", &last));
	leat_stats_share(&last, 0, 0, 0, ret_last);
	assert_true(find(LEAT_STATS_QUEUE, "m1.out>m2.in", ret_queue));
	leat_app_free(c.app);
}

static void a_wait_is_put_down_to_its_cause(void **state)
{
	(void)state;
	for (int main = 0; main < 2; main++) {
		struct leat_share writer, reader;
		struct leat_stats_slot queue = { 0 }, thread = { 0 };
		run_stuck(main ? "m" : "e", &writer, &reader, &queue, &thread);
		assert_true(writer.wait_ns[LEAT_CAUSE_CREDIT] > writer.wall_ns / 2);
		assert_true(reader.wait_ns[LEAT_CAUSE_INPUT] > reader.wall_ns / 2);
		assert_int_equal(queue.v[LEAT_V_QUEUE_DEPTH], 5);
		assert_true(queue.v[LEAT_V_QUEUE_NO_CREDIT] >= 1);
		/* the queue that gave no credit is named */
		const struct leat_stats_slot *named = leat_stats_slot_at(
			leat_stats_self(), (uint32_t)thread.v[LEAT_V_THREAD_PORT] - 1);
		assert_string_equal(named->name, "m1.out>m2.in");
	}
}

static void parts_add_up_to_wall_time(void **state)
{
	(void)state;
	struct chain c = { .n = 10, .depth = 10, .limit = 30000 };
	struct leat_err err;
	char name[16];
	assert_int_equal(chain_new(&c, "em", "each", LEAT_BLOCK, 100, &err), 0);
	assert_int_equal(leat_start(c.app, &err), 0);
	assert_int_equal(leat_wait(c.app, SOON, &err), 0);
	for (int i = 0; i < 10; i++) {
		struct leat_stats_slot slot = { 0 };
		struct leat_share s;
		snprintf(name, sizeof(name), "t%d", i);
		assert_true(find(LEAT_STATS_THREAD, name, &slot));
		leat_stats_share(&slot, 0, 0, 0, &s);
		if (slot.v[LEAT_V_THREAD_HAS_SCHEDSTAT]) {
			uint64_t sum = sum_of(&s),
				 off = sum > s.wall_ns ? sum - s.wall_ns : s.wall_ns - sum;
			assert_true(off <= s.wall_ns / 100);
		}
		snprintf(name, sizeof(name), "m%d", i);
		assert_true(find(LEAT_STATS_MODULE, name, &slot));
		assert_int_equal(slot.v[LEAT_V_MODULE_IN], i == 0 ? 0 : 30000);
		assert_int_equal(slot.v[LEAT_V_MODULE_OUT], i == 9 ? 0 : 30000);
		assert_int_equal(slot.v[LEAT_V_MODULE_STATE], 2);
	}
	leat_app_free(c.app);
}

static void parts_of_a_made_up_thread_are_cut_to_fit(void **state)
{
	(void)state;
	struct leat_stats_slot slot = { 0 };
	struct leat_share s;
	slot.v[LEAT_V_THREAD_START] = 1000;
	slot.v[LEAT_V_THREAD_CPU0] = 5;
	slot.v[LEAT_V_THREAD_RUNQ0] = 7;
	slot.v[LEAT_V_THREAD_SLEEP_NS + LEAT_CAUSE_INPUT] = 300;
	slot.v[LEAT_V_THREAD_CAUSE] = LEAT_CAUSE_POOL;
	slot.v[LEAT_V_THREAD_SINCE] = 1900;
	leat_stats_share(
		&slot, 2000, 405, 107, &s); /* asleep for 500, of which 400 are explained */
	assert_int_equal(s.wall_ns, 1000);
	assert_int_equal(s.cpu_ns, 400);
	assert_int_equal(s.runq_ns, 100);
	assert_int_equal(s.wait_ns[LEAT_CAUSE_INPUT], 300);
	assert_int_equal(s.wait_ns[LEAT_CAUSE_POOL], 100);
	assert_int_equal(s.wait_ns[0], 100);
	leat_stats_share(&slot, 2000, 705, 107, &s); /* asleep for 200 only */
	assert_int_equal(s.wait_ns[LEAT_CAUSE_INPUT], 150);
	assert_int_equal(s.wait_ns[LEAT_CAUSE_POOL], 50);
	assert_int_equal(s.wait_ns[0], 0);
	assert_int_equal(s.raw_ns, 400);
}

/* Voluntary switches of the app's threads; they are called t0, t1, ... */
static unsigned long switches(void)
{
	unsigned long all = 0;
	DIR *d = opendir("/proc/self/task");
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));) {
		char path[300], line[128], name[32] = "";
		snprintf(path, sizeof(path), "/proc/self/task/%s/status", e->d_name);
		FILE *f = e->d_name[0] == '.' || atoi(e->d_name) == getpid() ? NULL
									     : fopen(path, "r");
		while (f && fgets(line, sizeof(line), f)) {
			unsigned long v;
			sscanf(line, "Name: %31s", name);
			if (name[0] == 't' && sscanf(line, "voluntary_ctxt_switches: %lu", &v) == 1)
				all += v;
		}
		if (f)
			fclose(f);
	}
	closedir(d);
	return all;
}

static void an_idle_app_wakes_nobody(void **state)
{
	(void)state;
	for (int main = 0; main < 2; main++) {
		struct chain c = { .n = 6, .depth = 5, .stuck_at = 3 };
		struct leat_err err;
		assert_int_equal(chain_new(&c, main ? "m" : "e", "each", LEAT_BLOCK, 20, &err), 0);
		assert_int_equal(leat_start(c.app, &err), 0);
		usleep(200000); /* until all are blocked */
		unsigned long before = switches();
		usleep(500000);
		assert_int_equal(switches() - before, 0);
		assert_int_equal(leat_stop(c.app, SOON, &err), 0);
		leat_app_free(c.app);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wait_is_put_down_to_its_cause),
		cmocka_unit_test(parts_add_up_to_wall_time),
		cmocka_unit_test(parts_of_a_made_up_thread_are_cut_to_fit),
		cmocka_unit_test(an_idle_app_wakes_nobody),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
