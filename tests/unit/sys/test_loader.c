/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asking the loader of this very program, and loaders that are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "helpers/test_arena.h"
#include "sys/loader.h"
#include "sys/program.h"

static const char *own_loader(void)
{
	struct sys_program p = { 0 };
	assert_int_equal(sys_program("/proc/self/exe", &arena, &p, NULL), 0);
	assert_non_null(p.loader);
	return p.loader;
}

static void tunables_have_names_and_ranges(void **state)
{
	(void)state;
	const char *text = NULL;
	struct lt_err err = { 0 };
	if (sys_loader_tunables(own_loader(), &arena, &text, &err) < 0) {
		print_message("skipped: %s\n", err.text);
		exit(77);
	}
	assert_non_null(strstr(text, "glibc.malloc.trim_threshold: "));
	assert_non_null(strstr(text, "(min: 0x0, max: "));
}

static void library_that_is_there_is_found(void **state)
{
	(void)state;
	const char *found = NULL;
	struct lt_err err = { 0 };
	/* the one that every program of this C library can have */
	assert_int_equal(
		sys_loader_find(own_loader(), "/proc/self/exe", "libm.so.6", &arena, &found, &err),
		0);
	assert_non_null(found);
	assert_int_equal(found[0], '/');
	assert_int_equal(access(found, R_OK), 0);
	assert_non_null(strstr(found, "libm"));
	/* by its full name, too */
	const char *again = NULL;
	assert_int_equal(
		sys_loader_find(own_loader(), "/proc/self/exe", found, &arena, &again, &err), 0);
	assert_string_equal(again, found);
}

static void library_that_is_not_there_is_no_error(void **state)
{
	(void)state;
	const char *found = "before";
	struct lt_err err = { 0 };
	assert_int_equal(sys_loader_find(own_loader(), "/proc/self/exe", "libnonesuch.so.9", &arena,
				 &found, &err),
		0);
	assert_null(found);
}

static void what_is_no_loader_is_an_error(void **state)
{
	(void)state;
	const char *text = NULL;
	static const char *const none[] = { "/bin/true", "/bin/false", "/nonesuch", "/bin/echo" };
	for (size_t i = 0; i < LT_COUNT(none); i++) {
		struct lt_err err = { 0 };
		assert_true(sys_loader_tunables(none[i], &arena, &text, &err) < 0);
		assert_string_equal(err.id, "LT-LOADER");
	}
	assert_null(text);
	assert_true(waitpid(-1, NULL, WNOHANG) < 0); /* no child is left */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tunables_have_names_and_ranges),
		cmocka_unit_test(library_that_is_there_is_found),
		cmocka_unit_test(library_that_is_not_there_is_no_error),
		cmocka_unit_test(what_is_no_loader_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, arena_end);
}
