/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts that repeat exactly, add up, and say when they cannot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "unit/meter/rig.h"

static void open_or_skip(struct rig *r)
{
	struct lt_arena arena = { 0 };
	struct meter_place place = { .arena = &arena };
	place.root_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	bool here = meter_probe(meter_find("count"), &place).state != VALUE_UNAVAILABLE;
	close(place.root_fd);
	lt_arena_done(&arena);
	if (!here)
		skip();
	rig_open(r, "count", NULL);
}

static void count(struct rig *r, const char *const *argv)
{
	char **wrapped;
	struct lt_err err = { 0 };
	int e = r->meter->wrap(r->inst, &r->place, (char *const *)argv, &wrapped, &err);
	assert_int_equal(e, 0);
	rig_run(r, (const char *const *)wrapped);
}

static void a_static_program_counts_the_same_every_time(void **state)
{
	(void)state;
	struct rig r;
	open_or_skip(&r);
	count(&r, (const char *const[]){ METER_LOAD, "loops", "23", NULL });
	double instructions = rig_num(&r, "sim-instructions"),
	       branches = rig_num(&r, "sim-branches");
	assert_int_equal(rig_value(&r, "sim-instructions")->state, VALUE_MEASURED);
	assert_true(instructions > 3 * 23000 && branches > 23000);
	for (int i = 0; i < 2; i++) {
		count(&r, (const char *const[]){ METER_LOAD, "loops", "23", NULL });
		assert_near(rig_num(&r, "sim-instructions"), instructions, 0);
		assert_near(rig_num(&r, "sim-branches"), branches, 0);
	}
	count(&r, (const char *const[]){ METER_LOAD, "loops", "46", NULL });
	assert_near(rig_num(&r, "sim-branches"), branches + 23000, 100);
	rig_close(&r);
}

static void programs_started_by_programs_add_up(void **state)
{
	(void)state;
	struct rig r;
	open_or_skip(&r);
	count(&r, (const char *const[]){ METER_LOAD, "loops", "230", NULL });
	double one = rig_num(&r, "sim-branches");
	count(&r,
		(const char *const[]){ "/bin/sh", "-c",
			METER_LOAD " loops 230; " METER_LOAD " loops 230; :", NULL });
	assert_true(rig_num(&r, "sim-branches") > 2 * one - 1000);
	assert_true(rig_num(&r, "sim-branches") < 2 * one + 200000);
	rig_close(&r);
}

static void what_a_fork_counts_twice_is_named(void **state)
{
	(void)state;
	struct rig r;
	open_or_skip(&r);
	count(&r, (const char *const[]){ METER_LOAD, "fork-loops", "1", NULL });
	assert_int_equal(rig_value(&r, "sim-instructions")->state, VALUE_ESTIMATED);
	assert_non_null(strstr(rig_value(&r, "sim-instructions")->reason, "fork"));
	rig_close(&r);
}

static void a_program_that_aborts_is_counted_up_to_there(void **state)
{
	(void)state;
	struct rig r;
	open_or_skip(&r);
	count(&r, (const char *const[]){ METER_LOAD, "abort", "0", NULL });
	assert_int_equal(r.status, -SIGABRT);
	assert_true(rig_num(&r, "sim-instructions") > 0);
	rig_close(&r);
}

static void a_process_that_is_killed_leaves_no_sum(void **state)
{
	(void)state;
	struct rig r;
	open_or_skip(&r);
	count(&r,
		(const char *const[]){
			"/bin/sh", "-c", "/bin/sleep 10 & sleep 1; kill -9 $!; :", NULL });
	assert_int_equal(rig_value(&r, "sim-instructions")->state, VALUE_UNAVAILABLE);
	assert_non_null(rig_value(&r, "sim-instructions")->reason);
	rig_close(&r);
}

static void a_program_valgrind_cannot_run_has_no_count(void **state)
{
	(void)state;
	struct rig r;
	open_or_skip(&r);
	count(&r, (const char *const[]){ "/nonexistent", NULL });
	assert_int_equal(rig_value(&r, "sim-instructions")->state, VALUE_UNAVAILABLE);
	assert_non_null(strstr(rig_value(&r, "sim-instructions")->reason, "valgrind"));
	rig_close(&r);
}

static void without_valgrind_it_says_so(void **state)
{
	(void)state;
	const char *now = getenv("PATH");
	char *path = strdup(now ? now : "");
	assert_non_null(path);
	struct lt_arena arena = { 0 };
	struct meter_place place = { .root_fd = AT_FDCWD, .arena = &arena };
	setenv("PATH", "/nowhere", 1);
	struct value v = meter_probe(meter_find("count"), &place);
	setenv("PATH", path, 1);
	assert_int_equal(v.state, VALUE_UNAVAILABLE);
	assert_non_null(strstr(v.reason, "valgrind"));
	assert_non_null(v.hint);
	free(path);
	lt_arena_done(&arena);
}

static void nothing_is_left_in_the_temporary_directory(void **state)
{
	(void)state;
	char dir[] = "/tmp/leat-100%p-XXXXXX";
	struct rig r;
	assert_non_null(mkdtemp(dir));
	setenv("TMPDIR", dir, 1);
	open_or_skip(&r);
	count(&r, (const char *const[]){ METER_LOAD, "nothing", "0", NULL });
	assert_true(rig_num(&r, "sim-instructions") > 0);
	rig_close(&r);
	unsetenv("TMPDIR");
	assert_int_equal(rmdir(dir), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_static_program_counts_the_same_every_time),
		cmocka_unit_test(programs_started_by_programs_add_up),
		cmocka_unit_test(what_a_fork_counts_twice_is_named),
		cmocka_unit_test(a_program_that_aborts_is_counted_up_to_there),
		cmocka_unit_test(a_process_that_is_killed_leaves_no_sum),
		cmocka_unit_test(a_program_valgrind_cannot_run_has_no_count),
		cmocka_unit_test(without_valgrind_it_says_so),
		cmocka_unit_test(nothing_is_left_in_the_temporary_directory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
