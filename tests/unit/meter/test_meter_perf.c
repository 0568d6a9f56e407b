/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Known numbers of events, for the 500th program too, against rusage and perf stat. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
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

static bool counts_kernel(void)
{
	return paranoid() < 2 || geteuid() == 0;
}

static void keep_least(double *least, double x)
{
	if (x < *least)
		*least = x;
}

/* context-switches and page-faults as perf stat sees them. */
static bool perf_stat(const char *command, double ret[2])
{
	char line[512];
	int found = 0;
	snprintf(line, sizeof(line),
		"setarch -R perf stat -x, -e context-switches,page-faults -- %s 2>&1", command);
	FILE *pipe = popen(line, "r");
	assert_non_null(pipe);
	while (fgets(line, sizeof(line), pipe)) {
		double x;
		if (sscanf(line, "%lf,", &x) != 1)
			continue;
		if (strstr(line, "context-switches"))
			ret[0] = x, found |= 1;
		if (strstr(line, "page-faults"))
			ret[1] = x, found |= 2;
	}
	pclose(pipe);
	return found == 3;
}

static void unprivileged(void)
{
	struct rig r;
	rig_open(&r, "perf", NULL);
	struct value v = meter_probe(r.meter, &r.place);
	assert_int_equal(v.state, VALUE_MEASURED);
	assert_non_null(strstr(v.reason, "perf_event_paranoid"));
	rig_run(&r, (const char *const[]){ METER_LOAD, "sleeps", "23", NULL });
	assert_int_equal(rig_value(&r, "context-switches")->state, VALUE_UNAVAILABLE);
	assert_int_equal(rig_value(&r, "cpu-migrations")->state, VALUE_UNAVAILABLE);
	assert_non_null(rig_value(&r, "context-switches")->reason);
	assert_non_null(rig_value(&r, "context-switches")->hint);
	assert_true(rig_num(&r, "task-clock") > 0);
	assert_string_equal(rig_metric(&r, "task-clock")->scope, "tree, user and kernel");
	assert_true(rig_num(&r, "page-faults") > 0);
	assert_string_equal(rig_metric(&r, "page-faults")->scope, "tree, user only");
	rig_close(&r);
}

static void sleeping_23_times_is_23_context_switches(void **state)
{
	(void)state;
	struct rig r;
	if (!counts_kernel())
		skip();
	rig_open(&r, "perf", NULL);
	assert_near(rig_extra(&r, "context-switches", "sleeps", 23), 23, 0);
	rig_close(&r);
}

static void touching_23_pages_is_23_page_faults(void **state)
{
	(void)state;
	struct rig r;
	rig_open(&r, "perf", NULL);
	assert_near(rig_extra(&r, "page-faults", "faults", 23), 23, 0);
	rig_close(&r);
}

static void moving_23_times_is_23_migrations(void **state)
{
	(void)state;
	struct rig r;
	if (!counts_kernel() || sysconf(_SC_NPROCESSORS_ONLN) < 2)
		skip();
	rig_open(&r, "perf", NULL);
	assert_near(rig_extra(&r, "cpu-migrations", "migrations", 23), 23, 0);
	rig_close(&r);
}

/* What a hypervisor or an interrupt takes is in the one and not in the other. */
static void the_clock_agrees_with_rusage(void **state)
{
	(void)state;
	struct rig r;
	rig_open(&r, "perf", NULL);
	double least = 1e9; /* rusage has what was spent to start it, too: that may take long */
	for (int i = 0; i < 40 && least > (i < 9 ? 1e6 : 3e6); i++) {
		rig_run(&r, (const char *const[]){ METER_LOAD, "ms", "53", NULL });
		double more = rig_num(&r, "task-clock") - meter_window_cpu_ns(&r.win);
		if (more > -1e6)
			keep_least(&least, more);
	}
	assert_true(least < 3e6);
	rig_close(&r);
}

static void descendants_nobody_waited_for_count(void **state)
{
	(void)state;
	struct rig r;
	if (!counts_kernel())
		skip();
	rig_open(&r, "perf", NULL);
	assert_near(rig_extra(&r, "context-switches", "orphan-sleeps", 23), 23, 1);
	rig_close(&r);
}

static void descendants_still_running_count(void **state)
{
	(void)state;
	struct rig r;
	if (!counts_kernel())
		skip();
	rig_open(&r, "perf", NULL);
	assert_near(rig_extra(&r, "context-switches", "living-sleeps", 23), 23, 1);
	assert_int_equal(r.win.left, 1);
	rig_close(&r);
}

static void the_500th_program_is_counted_like_the_first(void **state)
{
	(void)state;
	struct rig r;
	rig_open(&r, "perf", NULL);
	for (int i = 0; i < 500; i++) {
		rig_run(&r, (const char *const[]){ METER_LOAD, "faults", "23", NULL });
		assert_true(rig_num(&r, "page-faults") >= 23);
		assert_true(rig_num(&r, "task-clock") > 0);
	}
	rig_close(&r);
}

static void programs_exec_in_children_count(void **state)
{
	(void)state;
	struct rig r;
	rig_open(&r, "perf", NULL);
	static const char with[] = METER_LOAD " faults 23; " METER_LOAD " faults 23; :";
	static const char without[] = METER_LOAD " faults 0; " METER_LOAD " faults 0; :";
	double least[2] = { 1e9, 1e9 };
	for (int i = 0; i < 10; i++) {
		rig_run(&r, (const char *const[]){ "/bin/sh", "-c", i % 2 ? with : without, NULL });
		double x = rig_num(&r, "page-faults");
		least[i % 2] = x < least[i % 2] ? x : least[i % 2];
	}
	assert_near(least[1] - least[0], 46, 2);
	rig_close(&r);
}

static void perf_stat_agrees(void **state)
{
	(void)state;
	struct rig r;
	if (!counts_kernel() || access("/usr/bin/perf", X_OK) < 0)
		skip();
	rig_open(&r, "perf", NULL);
	double ours[2] = { 1e9, 1e9 }, theirs[2] = { 1e9, 1e9 };
	for (int i = 0; i < 15 && (i < 3 || ours[0] != theirs[0]); i++) {
		double c[2] = { 0 };
		rig_run(&r, (const char *const[]){ METER_LOAD, "sleeps", "53", NULL });
		if (!perf_stat(METER_LOAD " sleeps 53", c))
			skip();
		keep_least(&ours[0], rig_num(&r, "context-switches"));
		keep_least(&ours[1], rig_num(&r, "page-faults"));
		keep_least(&theirs[0], c[0]);
		keep_least(&theirs[1], c[1]);
	}
	assert_near(ours[0], theirs[0], 2);
	assert_near(ours[1], theirs[1], 4);
	rig_close(&r);
}

static void in_a_running_process_too(void **state)
{
	(void)state;
	struct rig r;
	struct rig_server s;
	rig_serve(&s, "faults", 23);
	rig_attach(&r, "perf", NULL, s.pid);
	rig_window(&r, rig_poke, &s);
	assert_in_range(rig_num(&r, "page-faults"), 23, 26);
	rig_window(&r, rig_poke, &s);
	assert_in_range(rig_num(&r, "page-faults"), 23, 26);
	assert_non_null(strstr(rig_metric(&r, "page-faults")->scope, "process"));
	rig_close(&r);
	rig_serve_end(&s);
}

static void a_process_that_has_gone_counts_nothing(void **state)
{
	(void)state;
	struct rig r;
	struct rig_server s;
	rig_serve(&s, "nothing", 0);
	rig_serve_end(&s);
	rig_attach(&r, "perf", NULL, s.pid);
	rig_window(&r, NULL, NULL);
	for (size_t i = 0; i < r.n; i++) {
		assert_int_equal(r.values[i].state, VALUE_UNAVAILABLE);
		assert_non_null(r.values[i].reason);
	}
	rig_close(&r);
}

static void without_privilege_the_kernels_side_is_unavailable(void **state)
{
	(void)state;
	if (paranoid() != 2 || geteuid() != 0)
		skip();
	rig_as_nobody(unprivileged);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sleeping_23_times_is_23_context_switches),
		cmocka_unit_test(touching_23_pages_is_23_page_faults),
		cmocka_unit_test(moving_23_times_is_23_migrations),
		cmocka_unit_test(the_clock_agrees_with_rusage),
		cmocka_unit_test(descendants_nobody_waited_for_count),
		cmocka_unit_test(descendants_still_running_count),
		cmocka_unit_test(the_500th_program_is_counted_like_the_first),
		cmocka_unit_test(programs_exec_in_children_count),
		cmocka_unit_test(perf_stat_agrees),
		cmocka_unit_test(in_a_running_process_too),
		cmocka_unit_test(a_process_that_has_gone_counts_nothing),
		cmocka_unit_test(without_privilege_the_kernels_side_is_unavailable),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
