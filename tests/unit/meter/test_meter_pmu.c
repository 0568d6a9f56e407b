/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events by name, and a machine without PMU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fcntl.h>
#include <string.h>
#include <cmocka.h>

#include "meter/counters.h"
#include "sys/pmu.h"
#include "unit/meter/rig.h"

extern const struct meter meter_pmu;

static void names_joined_by_plus_are_metrics_in_that_order(void **state)
{
	(void)state;
	struct rig r;
	rig_open(&r, "pmu", "page-faults+context-switches:k+perf::TASK-CLOCK");
	assert_int_equal(r.n, 3);
	assert_string_equal(r.metrics[0].name, "page-faults");
	assert_string_equal(r.metrics[1].name, "context-switches-k");
	assert_string_equal(r.metrics[2].name, "perf-task-clock");
	rig_close(&r);
}

static void an_event_by_name_counts_23(void **state)
{
	(void)state;
	struct rig r;
	rig_open(&r, "pmu", "page-faults");
	assert_near(rig_extra(&r, "page-faults", "faults", 23), 23, 0);
	rig_close(&r);
}

static void a_name_nobody_knows_is_the_users_mistake(void **state)
{
	(void)state;
	struct lt_arena arena = { 0 };
	struct meter_place place = { .root_fd = AT_FDCWD, .arena = &arena };
	static const char *const bad[] = { "no-such-event", "page-faults+", "+", "cycles:zz", "" };
	for (size_t i = 0; i < LT_COUNT(bad); i++) {
		struct counters c = { 0 };
		struct lt_err err = { 0 };
		int r = meter_pmu.open(&c, &place, bad[i], &err);
		assert_int_equal(r, -EINVAL);
		assert_true(err.text[0] && err.hint[0]);
		meter_pmu.close(&c);
	}
	lt_arena_done(&arena);
}

static void without_a_pmu_every_metric_says_so(void **state)
{
	(void)state;
	struct rig r;
	rig_open(&r, "pmu", NULL);
	assert_int_equal(r.n, 5);
	rig_run(&r, (const char *const[]){ METER_LOAD, "loops", "23", NULL });
	bool have = sys_pmu_present(r.place.root_fd);
	struct value v = meter_probe(r.meter, &r.place);
	assert_int_equal(v.state != VALUE_UNAVAILABLE, have);
	for (size_t i = 0; i < r.n && !have; i++) {
		assert_int_equal(r.values[i].state, VALUE_UNAVAILABLE);
		assert_non_null(strstr(r.values[i].reason, "PMU"));
		assert_non_null(r.values[i].hint);
	}
	if (have)
		assert_true(rig_num(&r, "instructions") > 23000);
	rig_close(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_joined_by_plus_are_metrics_in_that_order),
		cmocka_unit_test(an_event_by_name_counts_23),
		cmocka_unit_test(a_name_nobody_knows_is_the_users_mistake),
		cmocka_unit_test(without_a_pmu_every_metric_says_so),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
