/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cores used, from known CPU and wall time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "unit/meter/rig.h"

static void a_busy_program_uses_a_core_and_a_sleeping_one_does_not(void **state)
{
	(void)state;
	struct rig r;
	rig_open(&r, "cores", NULL);
	rig_run(&r, (const char *const[]){ METER_LOAD, "sleeps", "230", NULL });
	assert_true(rig_num(&r, "cores") < 0.9);
	rig_run(&r, (const char *const[]){ METER_LOAD, "ms", "53", NULL });
	assert_true(rig_num(&r, "cores") > 0.05 && rig_num(&r, "cores") < 1.05);
	assert_near(rig_num(&r, "cores"),
		meter_window_cpu_ns(&r.win) / meter_window_wall_ns(&r.win), 1e-12);
	rig_close(&r);
}

static void two_seconds_of_cpu_in_one_second_are_two_cores(void **state)
{
	(void)state;
	struct rig r;
	rig_open(&r, "cores", NULL);
	struct meter_window win = { .ended = true, .begin_ns = 5, .end_ns = 1000000005 };
	win.usage.ru_utime.tv_sec = 1;
	win.usage.ru_stime.tv_usec = 500000;
	win.orphans_cpu_ns = 0.5e9;
	r.meter->read(r.inst, &r.place, &win, r.values);
	assert_near(rig_num(&r, "cores"), 2, 1e-12);
	win.end_ns = win.begin_ns;
	r.meter->read(r.inst, &r.place, &win, r.values);
	assert_int_equal(rig_value(&r, "cores")->state, VALUE_UNAVAILABLE);
	rig_close(&r);
}

static void in_a_running_process_too(void **state)
{
	(void)state;
	struct rig r;
	struct rig_server s;
	rig_serve(&s, "ms", 53);
	rig_attach(&r, "cores", NULL, s.pid);
	rig_window(&r, rig_poke, &s);
	assert_true(rig_num(&r, "cores") > 0.05 && rig_num(&r, "cores") < 1.05);
	rig_close(&r);
	rig_serve_end(&s);
}

static void a_process_that_has_gone_uses_no_core(void **state)
{
	(void)state;
	rig_gone("cores");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_busy_program_uses_a_core_and_a_sleeping_one_does_not),
		cmocka_unit_test(two_seconds_of_cpu_in_one_second_are_two_cores),
		cmocka_unit_test(in_a_running_process_too),
		cmocka_unit_test(a_process_that_has_gone_uses_no_core),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
