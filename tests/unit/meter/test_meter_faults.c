/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A known number of faults, here and in a running process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "unit/meter/rig.h"

static void touching_23_pages_is_23_minor_faults(void **state)
{
	(void)state;
	struct rig r;
	rig_open(&r, "faults", NULL);
	assert_near(rig_extra(&r, "minor-faults", "faults", 23), 23, 0);
	assert_near(rig_extra(&r, "major-faults", "faults", 23), 0, 0);
	rig_close(&r);
}

static void in_a_running_process_too(void **state)
{
	(void)state;
	struct rig r;
	struct rig_server s;
	rig_serve(&s, "faults", 23);
	rig_attach(&r, "faults", NULL, s.pid);
	rig_window(&r, rig_poke, &s);
	assert_in_range(rig_num(&r, "minor-faults"), 23, 26);
	assert_string_equal(rig_metric(&r, "minor-faults")->scope, "process, without children");
	rig_close(&r);
	rig_serve_end(&s);
}

static void an_unwaited_descendant_is_named(void **state)
{
	(void)state;
	struct rig r;
	rig_open(&r, "faults", NULL);
	rig_run(&r, (const char *const[]){ METER_LOAD, "living-sleeps", "1", NULL });
	assert_int_equal(rig_value(&r, "minor-faults")->state, VALUE_MEASURED);
	assert_non_null(rig_value(&r, "minor-faults")->reason);
	rig_close(&r);
}

static void a_process_that_has_gone_has_no_faults(void **state)
{
	(void)state;
	rig_gone("faults");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(touching_23_pages_is_23_minor_faults),
		cmocka_unit_test(in_a_running_process_too),
		cmocka_unit_test(an_unwaited_descendant_is_named),
		cmocka_unit_test(a_process_that_has_gone_has_no_faults),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
