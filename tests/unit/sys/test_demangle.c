/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C++ and Rust names become readable, all others are left alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/own.h"
#include "sys/demangle.h"

static void names_lose_their_parameters(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{ "_ZN3foo3barEi", "foo::bar" },
		{ "_ZL8counters", "counters" },
		{ "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE",
			"std::condition_variable::wait" },
		{ "_Znwm", "operator new" },
		{ "_ZN3fooclEi", "foo::operator()" },
		{ "_ZNK3fooclEv", "foo::operator()" },
		{ "_Z4workIiEvT_", "work<int>" },
		{ "_ZN6PlayerC2Ei", "Player::Player" },
		/* Rust, its older names and those of RFC 2603 */
		{ "_ZN6worker4bump17hc89ae46eb88594f1E", "worker::bump" },
		{ "_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar" },
		{ "_RNCNvCsbmNqQUJIY6D_4test4main0B3_", "test::main::{closure#0}" },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		LT_AUTO_FREE char *plain = sys_demangle(cases[i][0]);
		assert_non_null(plain);
		assert_string_equal(plain, cases[i][1]);
	}
}

static void other_names_are_left_alone(void **state)
{
	(void)state;
	assert_null(sys_demangle("main"));
	assert_null(sys_demangle("_Z!"));
	assert_null(sys_demangle(""));
	assert_null(sys_demangle(NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_lose_their_parameters),
		cmocka_unit_test(other_names_are_left_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
