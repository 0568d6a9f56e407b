/* SPDX-License-Identifier: GPL-2.0-or-later */
/* this-name: what it would change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "remedy/remedy.h"

static void change_is_in_front_of_the_command(void **state)
{
	(void)state;
	struct remedy_place place = { .root_fd = -1 };
	struct remedy_change change = { 0 };
	assert_int_equal(remedy_find("this-name")->offer(&place, &change).state, REMEDY_READY);
	assert_int_equal(change.n_prefix, 2);
	assert_string_equal(change.prefix[0], "stdbuf");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(change_is_in_front_of_the_command),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
