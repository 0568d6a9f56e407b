/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the processes of a trial load, seen while they run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "run/loaded.h"
#include "sys/loader.h"
#include "sys/program.h"
#include "unit/run/trial_rig.h"

static void watch(struct loaded *l, const char *wanted, const char *preload, const char *script)
{
	static const struct run_opts opts;
	struct lt_err err = { 0 };
	const char *argv[] = { "/bin/sh", "-c", script, NULL };
	char *env[] = { lt_arena_printf(&arena, "LD_PRELOAD=%s", preload), NULL };
	struct run_command cmd = { .argv = (char *const *)argv, .path = argv[0] };
	loaded_begin(l, root_fd, launcher.pid, wanted, &arena);
	struct trial_run t = trial_rig_run(&opts, env);
	t.look = loaded_look;
	t.look_ctx = l;
	if (trial_run_wait(&t, &cmd, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(trial_run_end(&t, &err), 0);
	assert_int_equal(t.outcome.kind, OUTCOME_EXIT);
}

/* A library that sh does not need, and every C library has. */
static const char *a_library(void)
{
	struct sys_program p = { 0 };
	const char *file = NULL;
	assert_int_equal(sys_program("/bin/sh", &arena, &p, NULL), 0);
	if (sys_loader_find(p.loader, "/bin/sh", "libm.so.6", &arena, &file, NULL) < 0 || !file) {
		print_message("skipped: no libm.so.6 for /bin/sh\n");
		exit(77);
	}
	return file;
}

static const char spin[] = "i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done";

static void preloaded_library_shows_in_the_maps(void **state)
{
	(void)state;
	struct loaded l;
	const char *lib = a_library();
	watch(&l, lib, lib, spin);
	assert_null(loaded_without(&l));
	assert_true(l.n >= 1);
	bool seen = false;
	for (size_t i = 0; i < l.n_files; i++)
		seen |= strstr(l.files[i], "libm") != NULL;
	assert_true(seen);
}

static void process_without_it_is_named(void **state)
{
	(void)state;
	struct loaded l;
	watch(&l, a_library(), "", spin);
	assert_non_null(loaded_without(&l));
	assert_string_equal(loaded_without(&l), "sh");
}

/* The process that works counts, not the one that waits for it. */
static void child_that_clears_its_environment_is_named(void **state)
{
	(void)state;
	struct loaded l;
	const char *lib = a_library();
	watch(&l, lib, lib,
		"env -i sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done; exit 0'");
	assert_non_null(loaded_without(&l));
	watch(&l, lib, lib, "sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done; exit 0'");
	assert_null(loaded_without(&l));
}

static void nothing_wanted_is_nothing_missing(void **state)
{
	(void)state;
	struct loaded l;
	watch(&l, NULL, "", "exit 0");
	assert_null(loaded_without(&l));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(preloaded_library_shows_in_the_maps),
		cmocka_unit_test(process_without_it_is_named),
		cmocka_unit_test(child_that_clears_its_environment_is_named),
		cmocka_unit_test(nothing_wanted_is_nothing_missing),
	};
	return cmocka_run_group_tests(tests, trial_rig_open, trial_rig_close);
}
