/* SPDX-License-Identifier: MIT */
/* Errors are one line, cut rather than overrun, and never read as success. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"

static void setting_and_returning_are_one_expression(void **state)
{
	(void)state;
	struct lt_err err = { 0 };
	assert_int_equal(lt_fail(&err, -ERANGE, "LT-T", "'%s' is %d", "x", 7), -ERANGE);
	assert_int_equal(err.code, -ERANGE);
	assert_string_equal(err.id, "LT-T");
	assert_string_equal(err.text, "'x' is 7");
	assert_string_equal(err.hint, "");
}

static void no_code_reads_as_success(void **state)
{
	(void)state;
	struct lt_err err = { 0 };
	assert_int_equal(lt_fail(&err, 0, "LT-T", "x"), -EIO);
	assert_int_equal(err.code, -EIO);
	assert_int_equal(lt_fail(&err, 22, "LT-T", "x"), -EIO);
	errno = 0;
	assert_true(lt_fail_sys(&err, "LT-T", "x") < 0);
}

static void a_failed_call_adds_its_reason(void **state)
{
	(void)state;
	struct lt_err err = { 0 };
	errno = ENOENT;
	assert_int_equal(lt_fail_sys(&err, "LT-T", "cannot open '%s'", "f"), -ENOENT);
	assert_string_equal(err.text, "cannot open 'f': No such file or directory");
}

static void a_hint_keeps_the_code(void **state)
{
	(void)state;
	struct lt_err err = { 0 };
	lt_err_set(&err, -EPERM, "LT-T", "no");
	assert_int_equal(lt_hint(&err, "try %d", 5), -EPERM);
	assert_string_equal(err.hint, "try 5");
	lt_err_set(&err, -EINVAL, "LT-T", "another");
	assert_string_equal(err.hint, "");
}

static void without_a_place_only_the_code_comes_back(void **state)
{
	(void)state;
	assert_int_equal(lt_fail(NULL, -EPERM, "LT-T", "%s", "x"), -EPERM);
	errno = EACCES;
	assert_int_equal(lt_fail_sys(NULL, "LT-T", "x"), -EACCES);
	assert_true(lt_hint(NULL, "x") < 0);
	assert_int_equal(lt_fail_mem(NULL), -ENOMEM);
}

static void long_texts_are_cut(void **state)
{
	(void)state;
	struct lt_err err;
	char much[3000];
	memset(much, 'y', sizeof(much) - 1);
	much[sizeof(much) - 1] = '\0';
	memset(&err, 0x55, sizeof(err));
	errno = EIO;
	lt_fail_sys(&err, much, "%s", much);
	lt_hint(&err, "%s", much);
	assert_int_equal(strlen(err.id), sizeof(err.id) - 1);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_int_equal(strlen(err.hint), sizeof(err.hint) - 1);
}

static void control_characters_do_not_break_the_line(void **state)
{
	(void)state;
	struct lt_err err = { 0 };
	lt_err_set(&err, -EINVAL, "LT-T", "'%s'", "a\nb\033[31m\177\tc\xc3\xa9");
	assert_string_equal(err.text, "'a?b?[31m??c\xc3\xa9'");
	lt_hint(&err, "x\ny");
	assert_string_equal(err.hint, "x?y");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(setting_and_returning_are_one_expression),
		cmocka_unit_test(no_code_reads_as_success),
		cmocka_unit_test(a_failed_call_adds_its_reason),
		cmocka_unit_test(a_hint_keeps_the_code),
		cmocka_unit_test(without_a_place_only_the_code_comes_back),
		cmocka_unit_test(long_texts_are_cut),
		cmocka_unit_test(control_characters_do_not_break_the_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
