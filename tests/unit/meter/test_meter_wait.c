/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run-queue wait beside a hog, and where it cannot be told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "sys/procfs.h"
#include "unit/meter/rig.h"

static const struct lt_cpuset cpu0 = { .bits = { 1 } };

/* Something that never gives CPU 0 away. */
static pid_t start_hog(void)
{
	pid_t pid = fork();
	if (pid == 0) {
		sched_setaffinity(0, sizeof(cpu0.bits), (const void *)cpu0.bits);
		for (;;)
			__asm__ volatile("");
	}
	assert_true(pid > 0);
	return pid;
}

static void end_hog(pid_t pid)
{
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void waiting_for_a_cpu_that_another_holds_is_wait(void **state)
{
	(void)state;
	struct rig r;
	pid_t hog = start_hog();
	rig_open(&r, "wait", NULL);
	r.pin = &cpu0;
	rig_run(&r, (const char *const[]){ METER_LOAD, "ms", "53", NULL });
	double wait_ns = rig_num(&r, "wait");
	assert_true(wait_ns > 10e6); /* two programs share a CPU: about 53 ms */
	assert_near(rig_num(&r, "wall-wait"), meter_window_wall_ns(&r.win) - wait_ns, 1);
	end_hog(hog);
	rig_close(&r);
}

static void wait_never_exceeds_what_running_leaves_of_the_wall(void **state)
{
	(void)state;
	struct rig r;
	pid_t hog = start_hog();
	rig_open(&r, "wait", NULL);
	r.pin = &cpu0;
	for (int i = 0; i < 23; i++) {
		rig_run(&r, (const char *const[]){ METER_LOAD, "ms", "3", NULL });
		double rest_ns = meter_window_wall_ns(&r.win) - meter_window_cpu_ns(&r.win);
		if (rig_num(&r, "wait") > rest_ns + 0.5e6)
			fail_msg("run %d: %g ns of wait in %g", i, rig_num(&r, "wait"), rest_ns);
		assert_true(rig_num(&r, "wait") >= 0);
	}
	end_hog(hog);
	rig_close(&r);
}

static void sleeping_is_not_waiting(void **state)
{
	(void)state;
	struct rig r;
	rig_open(&r, "wait", NULL);
	double least = 1e9;
	for (int i = 0; i < 5; i++) {
		rig_run(&r, (const char *const[]){ METER_LOAD, "sleeps", "53", NULL });
		double share = rig_num(&r, "wait") / meter_window_wall_ns(&r.win);
		least = share < least ? share : least;
	}
	assert_true(least < 0.5);
	rig_close(&r);
}

static void work_of_other_threads_makes_it_unavailable(void **state)
{
	(void)state;
	struct rig r;
	rig_open(&r, "wait", NULL);
	rig_run(&r, (const char *const[]){ METER_LOAD, "thread-ms", "23", NULL });
	for (size_t i = 0; i < r.n; i++) {
		assert_int_equal(r.values[i].state, VALUE_UNAVAILABLE);
		assert_non_null(strstr(r.values[i].reason, "first thread"));
		assert_non_null(r.values[i].hint);
	}
	rig_close(&r);
}

static void procfs_of_the_same_window_agrees(void **state)
{
	(void)state;
	struct rig r;
	struct rig_server s;
	struct sys_schedstat a, b;
	rig_serve(&s, "ms", 23);
	rig_attach(&r, "wait", NULL, s.pid);
	assert_int_equal(sys_schedstat(r.place.root_fd, s.pid, &a), 0);
	rig_window(&r, rig_poke, &s);
	assert_int_equal(sys_schedstat(r.place.root_fd, s.pid, &b), 0);
	assert_near(rig_num(&r, "wait"), (double)(b.wait_ns - a.wait_ns), 2e6);
	assert_near(
		rig_num(&r, "wall-wait"), meter_window_wall_ns(&r.win) - rig_num(&r, "wait"), 1);
	rig_close(&r);
	rig_serve_end(&s);
}

static void several_threads_have_no_wall_without_wait(void **state)
{
	(void)state;
	struct rig r;
	struct rig_server s;
	rig_serve(&s, "end-thread", 1);
	rig_poke(&s);
	rig_attach(&r, "wait", NULL, s.pid);
	rig_window(&r, NULL, NULL);
	assert_int_equal(rig_value(&r, "wait")->state, VALUE_MEASURED);
	assert_int_equal(rig_value(&r, "wall-wait")->state, VALUE_UNAVAILABLE);
	rig_poke(&s);
	rig_close(&r);
	rig_serve_end(&s);
}

static void a_process_that_has_gone_does_not_wait(void **state)
{
	(void)state;
	rig_gone("wait");
}

static void a_kernel_that_does_not_keep_it_is_named(void **state)
{
	(void)state;
	struct lt_arena arena = { 0 };
	assert_int_equal(rig_probe(&arena, "laptop", "wait").state, VALUE_MEASURED);
	assert_int_equal(rig_probe(&arena, "guest", "wait").state, VALUE_UNAVAILABLE); /* "0 0 0" */
	assert_int_equal(rig_probe(&arena, "bare", "wait").state, VALUE_UNAVAILABLE);
	lt_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waiting_for_a_cpu_that_another_holds_is_wait),
		cmocka_unit_test(wait_never_exceeds_what_running_leaves_of_the_wall),
		cmocka_unit_test(sleeping_is_not_waiting),
		cmocka_unit_test(work_of_other_threads_makes_it_unavailable),
		cmocka_unit_test(procfs_of_the_same_window_agrees),
		cmocka_unit_test(several_threads_have_no_wall_without_wait),
		cmocka_unit_test(a_process_that_has_gone_does_not_wait),
		cmocka_unit_test(a_kernel_that_does_not_keep_it_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
