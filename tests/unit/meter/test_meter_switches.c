/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A known number of sleeps, here and in a running process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "unit/meter/rig.h"

static void sleeping_23_times_is_23_voluntary_switches(void **state)
{
	(void)state;
	struct rig r;
	rig_open(&r, "switches", NULL);
	assert_near(rig_extra(&r, "vol-switches", "sleeps", 23), 23, 0);
	rig_close(&r);
}

static void rusage_of_a_plain_fork_agrees(void **state)
{
	(void)state;
	struct rig r;
	rig_open(&r, "switches", NULL);
	rig_run(&r, (const char *const[]){ METER_LOAD, "sleeps", "23", NULL });
	struct rusage usage;
	pid_t pid = fork();
	if (pid == 0) {
		execl(METER_LOAD, METER_LOAD, "sleeps", "23", NULL);
		_exit(127);
	}
	assert_int_equal(wait4(pid, NULL, 0, &usage), pid);
	assert_in_range(rig_num(&r, "vol-switches"), 23, 23 + 3);
	assert_in_range(usage.ru_nvcsw, 23, 23 + 3);
	rig_close(&r);
}

static void in_a_running_process_too(void **state)
{
	(void)state;
	struct rig r;
	struct rig_server s;
	rig_serve(&s, "sleeps", 23);
	rig_attach(&r, "switches", NULL, s.pid);
	rig_window(&r, rig_poke, &s);
	assert_in_range(rig_num(&r, "vol-switches"), 23, 25);
	rig_close(&r);
	rig_serve_end(&s);
}

static void threads_that_end_are_named(void **state)
{
	(void)state;
	struct rig r;
	struct rig_server s;
	rig_serve(&s, "end-thread", 1);
	rig_attach(&r, "switches", NULL, s.pid);
	rig_window(&r, rig_poke, &s); /* starts it */
	assert_int_equal(rig_value(&r, "vol-switches")->state, VALUE_MEASURED);
	rig_window(&r, rig_poke, &s); /* ends it */
	assert_int_equal(rig_value(&r, "vol-switches")->state, VALUE_ESTIMATED);
	assert_non_null(rig_value(&r, "vol-switches")->reason);
	rig_close(&r);
	rig_serve_end(&s);
}

static void a_process_that_has_gone_has_no_switches(void **state)
{
	(void)state;
	rig_gone("switches");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sleeping_23_times_is_23_voluntary_switches),
		cmocka_unit_test(rusage_of_a_plain_fork_agrees),
		cmocka_unit_test(in_a_running_process_too),
		cmocka_unit_test(threads_that_end_are_named),
		cmocka_unit_test(a_process_that_has_gone_has_no_switches),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
