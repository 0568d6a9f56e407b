/* SPDX-License-Identifier: GPL-2.0-or-later */
/* this-name: says what is in the record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "report/report.h"

static void names_stand_a_line_each(void **state)
{
	(void)state;
	struct variant variants[] = { { .name = "old" }, { .name = "new" } };
	struct record rec = { .variants = variants, .n_variants = 2 };
	struct report_opts opts = { 0 };
	struct lt_err err = { 0 };
	LT_AUTO_BUF struct lt_buf out = { 0 };
	assert_int_equal(report_find("this-name")->write(&rec, &opts, &out, &err), 0);
	assert_string_equal(out.data, "old\nnew\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_stand_a_line_each),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
