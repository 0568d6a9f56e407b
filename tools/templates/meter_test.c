/* SPDX-License-Identifier: GPL-2.0-or-later */
/* this-name: gives the number that is known beforehand, and says why where there is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "meter/meter.h"

static void known_window_gives_known_number(void **state)
{
	(void)state;
	struct meter_place place = { .root_fd = -1 };
	struct meter_window win = { .end_ns = 23 };
	struct value v = { 0 };
	meter_find("this-name")->read(NULL, &place, &win, &v);
	assert_int_equal(v.state, VALUE_MEASURED);
	assert_int_equal((int64_t)v.num, 23);
}

static void missing_is_not_zero(void **state)
{
	(void)state;
	struct meter_place place = { .root_fd = -1 };
	struct meter_window win = { 0 };
	struct value v = { 0 };
	meter_find("this-name")->read(NULL, &place, &win, &v);
	assert_int_equal(v.state, VALUE_UNAVAILABLE);
	assert_non_null(v.reason);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_window_gives_known_number),
		cmocka_unit_test(missing_is_not_zero),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
