/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Idle states of recorded machines, and rousing the live one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "helpers/sysroot.h"
#include "sys/cpuidle.h"

static void a_hybrid_laptop_has_the_union_of_its_states(void **state)
{
	(void)state;
	int root = sysroot_open("laptop");
	struct sys_cpuidle idle;
	assert_int_equal(sys_cpuidle_find(root, &idle), 0);
	assert_int_equal(idle.n_cpus, 4);
	assert_int_equal(idle.n, 4);
	assert_string_equal(idle.names[0], "POLL");
	assert_string_equal(idle.names[3], "C8");
	assert_true(lt_cpuset_has(&idle.cpus, 3));
	assert_false(lt_cpuset_has(&idle.cpus, 4));
	close(root);
}

static void counts_are_summed_by_name_over_cpus(void **state)
{
	(void)state;
	int root = sysroot_open("laptop");
	struct sys_cpuidle idle;
	struct sys_cpuidle_counts c;
	assert_int_equal(sys_cpuidle_find(root, &idle), 0);
	assert_int_equal(sys_cpuidle_read(root, &idle, &c), 0);
	assert_int_equal(c.entries[0], 4 * 207);
	assert_int_equal(c.entries[1], 4 * 811002 + 6);
	assert_int_equal(c.time_us[3], 2 * 21007331094 + 1); /* two CPUs have it */
	assert_int_equal(c.entries[3], 2 * 1402331 + 1);
	close(root);
}

static void a_guest_has_the_states_of_haltpoll(void **state)
{
	(void)state;
	int root = sysroot_open("guest");
	struct sys_cpuidle idle;
	assert_int_equal(sys_cpuidle_find(root, &idle), 0);
	assert_int_equal(idle.n, 2);
	assert_string_equal(idle.names[1], "haltpoll idle");
	close(root);
}

static void no_states_is_an_error(void **state)
{
	(void)state;
	int root = sysroot_open("bare");
	struct sys_cpuidle idle;
	assert_true(sys_cpuidle_find(root, &idle) < 0);
	assert_true(sys_cpuidle_present(root) < 0);
	close(root);
}

static void rousing_visits_every_cpu_and_comes_back(void **state)
{
	(void)state;
	struct lt_cpuset before, after, none = { .bits = { 0 } };
	assert_int_equal(lt_cpuset_allowed(&before, NULL), 0);
	assert_int_equal(sys_cpuidle_rouse(&before), 0);
	lt_cpuset_add(&none, LT_CPUS_MAX - 1);
	assert_int_equal(sys_cpuidle_rouse(&none), 1); /* no such CPU */
	assert_int_equal(lt_cpuset_allowed(&after, NULL), 0);
	assert_memory_equal(&before, &after, sizeof(before));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hybrid_laptop_has_the_union_of_its_states),
		cmocka_unit_test(counts_are_summed_by_name_over_cpus),
		cmocka_unit_test(a_guest_has_the_states_of_haltpoll),
		cmocka_unit_test(no_states_is_an_error),
		cmocka_unit_test(rousing_visits_every_cpu_and_comes_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
