/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPU quotas of recorded machines, of both versions of control groups. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

#include "helpers/sysroot.h"
#include "sys/cgroup.h"

static double quota_of(const char *name, pid_t pid)
{
	double cpus = -1;
	int root = sysroot_open(name);
	assert_int_equal(sys_cgroup_quota(root, pid, &cpus), 0);
	close(root);
	return cpus;
}

static void a_group_above_limits_too(void **state)
{
	(void)state;
	assert_true(quota_of("quota", 29) == 2);
	assert_true(quota_of("quota", 23) == 2);
}

static void version_1_has_a_fraction(void **state)
{
	(void)state;
	assert_true(quota_of("quota-v1", 23) == 1.5);
}

static void no_group_or_none_to_be_seen_is_no_limit(void **state)
{
	(void)state;
	assert_true(quota_of("quota", 31) == 0);
	assert_true(quota_of("guest", 4711) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_group_above_limits_too),
		cmocka_unit_test(version_1_has_a_fraction),
		cmocka_unit_test(no_group_or_none_to_be_seen_is_no_limit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
