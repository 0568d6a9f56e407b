/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program's environment: ours, with the changes asked for and a pad of any length. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/own.h"
#include "run/environment.h"

static const char *value(char *const *list, const char *name)
{
	const char *found = NULL;
	size_t len = strlen(name);
	for (; *list; list++) {
		if (strncmp(*list, name, len) || (*list)[len] != '=')
			continue;
		if (found)
			fail_msg("%s is there twice", name);
		found = *list + len + 1;
	}
	return found;
}

static void changes_replace_and_add(void **state)
{
	(void)state;
	setenv("LEAT_T_OLD", "old", 1);
	setenv("LEAT_T_KEEP", "kept", 1);
	const char *const changes[] = { "LEAT_T_OLD=new=1", "LEAT_T_MORE=", "LEAT_T_OLD=newer",
		"LEAT_T=x" };
	struct environment env = { 0 };
	assert_int_equal(environment_open(&env, changes, LT_COUNT(changes), NULL), 0);
	char *const *list = environment_list(&env, 0, false);
	assert_string_equal(value(list, "LEAT_T_OLD"), "newer");
	assert_string_equal(value(list, "LEAT_T_KEEP"), "kept");
	assert_string_equal(value(list, "LEAT_T_MORE"), "");
	assert_string_equal(value(list, "LEAT_T"), "x");
	assert_string_equal(value(list, "PATH"), getenv("PATH"));
	environment_close(&env);
	environment_close(&env);
}

static void the_pad_has_any_length(void **state)
{
	(void)state;
	static const size_t lengths[] = { 0, 1, 77, ENVIRONMENT_PAD - 1, 5 };
	setenv("LEAT_PAD", "one from outside", 1);
	struct environment env = { 0 };
	const char *const change = "LEAT_PAD=another";
	assert_int_equal(environment_open(&env, &change, 1, NULL), 0);
	for (size_t i = 0; i < LT_COUNT(lengths); i++)
		assert_int_equal(
			strlen(value(environment_list(&env, lengths[i], false), "LEAT_PAD")),
			lengths[i]);
	environment_close(&env);
	unsetenv("LEAT_PAD");
}

static void what_is_no_variable_is_refused(void **state)
{
	(void)state;
	static const char *const bad[] = { "", "=", "=x", "NAME" };
	for (size_t i = 0; i < LT_COUNT(bad); i++) {
		struct environment env = { 0 };
		struct lt_err err = { 0 };
		assert_int_equal(environment_open(&env, &bad[i], 1, &err), -EINVAL);
		assert_string_equal(err.id, "LT-ENV");
		environment_close(&env);
	}
}

static void no_environment_is_one_too(void **state)
{
	(void)state;
	char **old = environ;
	environ = NULL;
	struct environment env = { 0 };
	const char *const change = "A=b";
	assert_int_equal(environment_open(&env, &change, 1, NULL), 0);
	environ = old;
	char *const *list = environment_list(&env, 3, false);
	assert_string_equal(list[0], "A=b");
	assert_string_equal(list[1], "LEAT_PAD=xxx");
	assert_null(list[2]);
	environment_close(&env);
}

static void leats_own_variable_is_for_measured_programs_only(void **state)
{
	(void)state;
	struct environment env = { 0 };
	const char *const change = "LEAT_T_MINE=1";
	assert_int_equal(environment_open(&env, &change, 1, NULL), 0);
	assert_string_equal(environment_get(&env, "LEAT_T_MINE"), "1");
	assert_null(environment_get(&env, "LEAT_T_MIN"));
	assert_null(environment_get(&env, "LEAT_T_DIR"));
	assert_int_equal(environment_set_own(&env, "LEAT_T_DIR", "/a", NULL), 0);
	assert_string_equal(value(environment_list(&env, 1, true), "LEAT_T_DIR"), "/a");
	assert_null(value(environment_list(&env, 1, false), "LEAT_T_DIR"));
	assert_string_equal(value(environment_list(&env, 1, true), "LEAT_T_DIR"), "/a");
	environment_close(&env);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changes_replace_and_add),
		cmocka_unit_test(the_pad_has_any_length),
		cmocka_unit_test(what_is_no_variable_is_refused),
		cmocka_unit_test(no_environment_is_one_too),
		cmocka_unit_test(leats_own_variable_is_for_measured_programs_only),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
