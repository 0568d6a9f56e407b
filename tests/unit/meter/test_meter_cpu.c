/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPU time of loads of known size, waited for and not, and of a running process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "unit/meter/rig.h"

static void burning_23_ms_is_23_ms(void **state)
{
	(void)state;
	struct rig r;
	rig_open(&r, "cpu", NULL);
	double extra = rig_extra(&r, "cpu", "ms", 23);
	assert_true(extra > 22.5e6 && extra < 26e6);
	rig_close(&r);
}

static void parts_add_up_to_the_sum(void **state)
{
	(void)state;
	struct rig r;
	rig_open(&r, "cpu", NULL);
	rig_run(&r, (const char *const[]){ METER_LOAD, "ms", "23", NULL });
	double parts = rig_num(&r, "user") + rig_num(&r, "sys");
	assert_near(parts, rig_num(&r, "cpu"), 2e3);
	assert_true(rig_metric(&r, "user")->sampled);
	assert_true(rig_metric(&r, "sys")->sampled);
	assert_false(rig_metric(&r, "cpu")->sampled);
	rig_close(&r);
}

static void a_descendant_nobody_waited_for_is_in_the_sum(void **state)
{
	(void)state;
	struct rig r;
	rig_open(&r, "cpu", NULL);
	rig_run(&r, (const char *const[]){ METER_LOAD, "orphan-ms", "23", NULL });
	assert_true(rig_num(&r, "cpu") > 22.5e6);
	assert_true(rig_num(&r, "user") + rig_num(&r, "sys") < 20e6);
	assert_non_null(rig_value(&r, "user")->reason);
	rig_close(&r);
}

static void the_clock_of_a_running_process_agrees(void **state)
{
	(void)state;
	struct rig r;
	struct rig_server s;
	rig_serve(&s, "ms", 23);
	rig_attach(&r, "cpu", NULL, s.pid);
	rig_window(&r, rig_poke, &s);
	assert_true(rig_num(&r, "cpu") > 22.5e6 && rig_num(&r, "cpu") < 26e6);
	double parts = rig_num(&r, "user") + rig_num(&r, "sys");
	assert_near(parts, rig_num(&r, "cpu"), 20e6); /* two ticks */
	rig_close(&r);
	rig_serve_end(&s);
}

static void a_process_that_has_gone_has_no_clock(void **state)
{
	(void)state;
	rig_gone("cpu");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(burning_23_ms_is_23_ms),
		cmocka_unit_test(parts_add_up_to_the_sum),
		cmocka_unit_test(a_descendant_nobody_waited_for_is_in_the_sum),
		cmocka_unit_test(the_clock_of_a_running_process_agrees),
		cmocka_unit_test(a_process_that_has_gone_has_no_clock),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
