/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Peaks of known size, whatever we hold ourselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "unit/meter/rig.h"

static void twenty_three_mib_more_are_23_mib_more(void **state)
{
	(void)state;
	struct rig r;
	rig_open(&r, "memory", NULL);
	assert_near(rig_extra(&r, "peak-rss", "mib", 23), 23 << 20, 1 << 20);
	rig_close(&r);
}

static void the_peak_of_a_child_counts(void **state)
{
	(void)state;
	struct rig r;
	rig_open(&r, "memory", NULL);
	assert_near(rig_extra(&r, "peak-rss", "child-mib", 23), 23 << 20, 1 << 20);
	rig_close(&r);
}

static void the_peak_is_the_programs_own_whatever_we_hold(void **state)
{
	(void)state;
	struct rig r;
	size_t size = 64 << 20;
	char *held = malloc(size);
	assert_non_null(held);
	memset(held, 1, size);
	rig_open(&r, "memory", NULL);
	rig_run(&r, (const char *const[]){ METER_LOAD, "nothing", "0", NULL });
	assert_true(rig_num(&r, "peak-rss") < 2 << 20);
	assert_int_equal(held[size - 1], 1);
	free(held);
	rig_close(&r);
}

static void a_running_process_tells_peak_and_level(void **state)
{
	(void)state;
	struct rig r;
	struct rig_server s;
	rig_serve(&s, "mib", 23);
	rig_attach(&r, "memory", NULL, s.pid);
	rig_window(&r, rig_poke, &s);
	assert_true(rig_num(&r, "peak-rss") >= 23 << 20);
	assert_true(rig_num(&r, "rss") >= 23 << 20);
	assert_true(rig_num(&r, "rss") <= rig_num(&r, "peak-rss") + (1 << 20));
	rig_close(&r);
	rig_serve_end(&s);
}

static void a_process_that_has_gone_has_no_memory(void **state)
{
	(void)state;
	rig_gone("memory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(twenty_three_mib_more_are_23_mib_more),
		cmocka_unit_test(the_peak_of_a_child_counts),
		cmocka_unit_test(the_peak_is_the_programs_own_whatever_we_hold),
		cmocka_unit_test(a_running_process_tells_peak_and_level),
		cmocka_unit_test(a_process_that_has_gone_has_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
