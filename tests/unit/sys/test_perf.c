/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arithmetic of counters, and every refusal explained. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "helpers/sysroot.h"
#include "sys/perf.h"

static const struct sys_perf_code switches = {
	.type = PERF_TYPE_SOFTWARE,
	.config = PERF_COUNT_SW_CONTEXT_SWITCHES,
};

static const struct sys_perf_code cycles = {
	.type = PERF_TYPE_HARDWARE,
	.config = PERF_COUNT_HW_CPU_CYCLES,
};

static void time_shared_counts_are_extrapolated_and_marked(void **state)
{
	(void)state;
	struct sys_perf_reading a = { 1000, 500, 100 }, b = { 1023, 900, 200 };
	double x;
	bool scaled;
	assert_int_equal(sys_perf_scale(&a, &b, &x, &scaled), 0);
	assert_true(scaled);
	assert_true(x == 23 * 4.0);
}

static void counts_of_the_whole_time_are_exact(void **state)
{
	(void)state;
	struct sys_perf_reading a = { 1000, 500, 400 };
	struct sys_perf_reading b = { (UINT64_C(1) << 52) + 1000, 900, 800 };
	double x;
	bool scaled;
	assert_int_equal(sys_perf_scale(&a, &b, &x, &scaled), 0);
	assert_false(scaled);
	assert_true(x == 0x1p52);
}

static void an_event_that_never_ran_has_no_count(void **state)
{
	(void)state;
	struct sys_perf_reading a = { 0, 0, 0 }, b = { 0, 900, 0 };
	double x = 7;
	bool scaled;
	assert_int_equal(sys_perf_scale(&a, &b, &x, &scaled), -ENODATA);
	assert_int_equal(sys_perf_scale(&a, &a, &x, &scaled), -ENODATA);
	assert_true(x == 7);
}

static void every_refusal_is_explained_with_level_and_hint(void **state)
{
	(void)state;
	int laptop = sysroot_open("laptop"), guest = sysroot_open("guest");
	struct lt_err err = { 0 };
	sys_perf_explain(laptop, &switches, -EACCES, &err);
	assert_non_null(strstr(err.text, "perf_event_paranoid is 2"));
	assert_non_null(strstr(err.hint, "CAP_PERFMON"));
	sys_perf_explain(guest, &switches, -EACCES, &err);
	assert_non_null(strstr(err.text, "perf_event_paranoid is 4"));
	sys_perf_explain(laptop, &switches, -EPERM, &err);
	assert_non_null(strstr(err.text, "seccomp"));
	sys_perf_explain(guest, &cycles, -ENOENT, &err);
	assert_non_null(strstr(err.text, "no PMU"));
	sys_perf_explain(laptop, &cycles, -ENOENT, &err);
	assert_null(strstr(err.text, "no PMU"));
	sys_perf_explain(laptop, &cycles, -ENOSYS, &err);
	assert_non_null(strstr(err.text, "kernel has no perf"));
	static const int others[] = { EMFILE, ESRCH, ENODATA, EINVAL, EBUSY };
	for (size_t i = 0; i < LT_COUNT(others); i++) {
		err = (struct lt_err){ 0 };
		assert_int_equal(sys_perf_explain(laptop, &cycles, -others[i], &err), -others[i]);
		assert_true(err.text[0] != '\0');
	}
	close(laptop);
	close(guest);
}

static void a_kernel_event_for_the_users_side_is_refused(void **state)
{
	(void)state;
	struct sys_perf_code user = switches;
	bool user_only;
	user.exclude_kernel = true; /* the kernel would count 0 */
	assert_int_equal(sys_perf_try(&user, &user_only), -EINVAL);
}

static void a_gone_process_is_an_error_of_each_event(void **state)
{
	(void)state;
	struct sys_perf p;
	double x;
	bool scaled;
	int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	pid_t pid = fork();
	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(sys_perf_open_process(&p, root, pid, &switches, 1, NULL), 0);
	assert_int_equal(p.events[0].error, -ESRCH);
	assert_int_equal(sys_perf_counted(&p, 0, &x, &scaled), -ESRCH);
	sys_perf_close(&p);
	assert_int_equal(sys_perf_open_tree(&p, pid, &switches, 1, NULL), 0);
	assert_int_equal(p.events[0].error, -ESRCH);
	sys_perf_close(&p);
	sys_perf_close(&p); /* twice is harmless */
	close(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_shared_counts_are_extrapolated_and_marked),
		cmocka_unit_test(counts_of_the_whole_time_are_exact),
		cmocka_unit_test(an_event_that_never_ran_has_no_count),
		cmocka_unit_test(every_refusal_is_explained_with_level_and_hint),
		cmocka_unit_test(a_kernel_event_for_the_users_side_is_refused),
		cmocka_unit_test(a_gone_process_is_an_error_of_each_event),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
