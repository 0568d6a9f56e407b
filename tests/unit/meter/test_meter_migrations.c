/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A known number of moves, and no number without privilege. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fcntl.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "sys/file.h"
#include "unit/meter/rig.h"

static int paranoid(void)
{
	char level[16] = "9";
	sys_read_line_at(AT_FDCWD, "/proc/sys/kernel/perf_event_paranoid", level, sizeof(level));
	return atoi(level);
}

static void unprivileged(void)
{
	struct rig r;
	rig_open(&r, "migrations", NULL);
	struct value v = meter_probe(r.meter, &r.place);
	assert_int_equal(v.state, VALUE_UNAVAILABLE);
	assert_non_null(strstr(v.reason, "perf_event_paranoid"));
	assert_non_null(v.hint);
	rig_run(&r, (const char *const[]){ METER_LOAD, "migrations", "23", NULL });
	assert_int_equal(rig_value(&r, "migrations")->state, VALUE_UNAVAILABLE);
	assert_non_null(strstr(rig_value(&r, "migrations")->reason, "perf_event_paranoid"));
	rig_close(&r);
}

static void moving_23_times_is_23_migrations(void **state)
{
	(void)state;
	struct rig r;
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2 || geteuid() != 0)
		skip();
	rig_open(&r, "migrations", NULL);
	assert_near(rig_extra(&r, "migrations", "migrations", 23), 23, 0);
	rig_close(&r);
}

static void without_privilege_it_is_unavailable_and_not_0(void **state)
{
	(void)state;
	int level = paranoid();
	if (level < 2 || geteuid() != 0)
		skip();
	rig_as_nobody(unprivileged);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moving_23_times_is_23_migrations),
		cmocka_unit_test(without_privilege_it_is_unavailable_and_not_0),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
