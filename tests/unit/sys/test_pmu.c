/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of events, and where a PMU is seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <linux/perf_event.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "helpers/sysroot.h"
#include "sys/pmu.h"

static void generic_names_are_generic_events(void **state)
{
	(void)state;
	struct sys_perf_code code;
	assert_int_equal(sys_pmu_encode("page-faults", &code, NULL), 0);
	assert_int_equal(code.type, PERF_TYPE_SOFTWARE);
	assert_int_equal(code.config, PERF_COUNT_SW_PAGE_FAULTS);
	assert_false(code.exclude_kernel);
	assert_false(code.exclude_user);
	assert_int_equal(sys_pmu_encode("perf::CYCLES", &code, NULL), 0);
	assert_int_equal(code.type, PERF_TYPE_HARDWARE);
	assert_int_equal(code.config, PERF_COUNT_HW_CPU_CYCLES);
}

static void modifiers_choose_a_side(void **state)
{
	(void)state;
	struct sys_perf_code code;
	assert_int_equal(sys_pmu_encode("perf::INSTRUCTIONS:u", &code, NULL), 0);
	assert_true(code.exclude_kernel);
	assert_false(code.exclude_user);
	assert_int_equal(sys_pmu_encode("perf::INSTRUCTIONS:k", &code, NULL), 0);
	assert_true(code.exclude_user);
	assert_false(code.exclude_kernel);
}

static void an_unknown_name_is_named(void **state)
{
	(void)state;
	struct sys_perf_code code = { .type = 99 };
	struct lt_err err = { 0 };
	assert_int_equal(sys_pmu_encode("no-such-event", &code, &err), -EINVAL);
	assert_string_equal(err.id, "LT-PMU-NAME");
	assert_non_null(strstr(err.text, "no-such-event"));
	assert_int_equal(code.type, 99);
}

static void a_pmu_is_seen_where_the_kernel_shows_one(void **state)
{
	(void)state;
	int laptop = sysroot_open("laptop"), guest = sysroot_open("guest"),
	    bare = sysroot_open("bare");
	assert_true(sys_pmu_present(laptop));
	assert_false(sys_pmu_present(guest)); /* its "software" is none */
	assert_false(sys_pmu_present(bare));
	close(laptop);
	close(guest);
	close(bare);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(generic_names_are_generic_events),
		cmocka_unit_test(modifiers_choose_a_side),
		cmocka_unit_test(an_unknown_name_is_named),
		cmocka_unit_test(a_pmu_is_seen_where_the_kernel_shows_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
