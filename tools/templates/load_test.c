/* SPDX-License-Identifier: GPL-2.0-or-later */
/* this-name: does as much as it was asked to, and counts it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "load/load.h"

static void work_is_counted(void **state)
{
	(void)state;
	struct load_value values[] = { { .count = 23 } };
	struct load_result res = { 0 };
	struct lt_err err = { 0 };
	assert_int_equal(load_find("this-name")->run(values, &res, &err), 0);
	assert_int_equal(res.work, 23);
	assert_true(res.elapsed_ns >= 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_is_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
