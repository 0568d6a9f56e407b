/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A known number of calls and bytes, against rusage, and without privilege. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "helpers/sysroot.h"
#include "unit/meter/rig.h"

static void closed_to_others(void)
{
	struct rig r;
	rig_attach(&r, "io", NULL, getppid()); /* still root */
	rig_window(&r, NULL, NULL);
	for (size_t i = 0; i < r.n; i++) {
		assert_int_equal(r.values[i].state, VALUE_UNAVAILABLE);
		assert_non_null(strstr(r.values[i].reason, "user"));
	}
	rig_close(&r);
}

static void an_ended_program(void)
{
	struct rig r;
	rig_open(&r, "io", NULL);
	rig_run(&r, (const char *const[]){ METER_LOAD, "writes", "23", NULL });
	assert_near(rig_num(&r, "write-bytes"), (double)r.win.usage.ru_oublock * 512, 0);
	assert_near(rig_num(&r, "read-bytes"), (double)r.win.usage.ru_inblock * 512, 0);
	if (rig_value(&r, "write-calls")->state == VALUE_UNAVAILABLE) {
		assert_non_null(strstr(rig_value(&r, "write-calls")->reason, "root"));
		assert_non_null(rig_value(&r, "write-calls")->hint);
	} else {
		assert_near(rig_num(&r, "write-calls"), 23, 0);
	}
	rig_close(&r);
}

/* Calls of ended programs may be closed to us. */
static void open_or_skip(struct rig *r)
{
	rig_open(r, "io", NULL);
	rig_run(r, (const char *const[]){ METER_LOAD, "nothing", "0", NULL });
	if (geteuid() == 0 || rig_value(r, "read-calls")->state != VALUE_UNAVAILABLE)
		return;
	rig_close(r);
	skip();
}

static void storage_is_told_without_privilege_too(void **state)
{
	(void)state;
	rig_as_nobody(an_ended_program);
}

static void twenty_three_calls_of_7_bytes_are_161_bytes(void **state)
{
	(void)state;
	struct rig r;
	open_or_skip(&r);
	assert_near(rig_extra(&r, "read-calls", "reads", 23), 23, 0);
	assert_near(rig_extra(&r, "read-chars", "reads", 23), 161, 0);
	assert_near(rig_extra(&r, "write-calls", "writes", 23), 23, 0);
	assert_near(rig_extra(&r, "write-chars", "writes", 23), 161, 0);
	rig_close(&r);
}

/* What the launcher reads in the program's name before exec is not the program's: the
 * kernel's two reads of the program file are all there is. */
static void a_program_that_reads_nothing_reads_nothing(void **state)
{
	(void)state;
	struct rig r;
	open_or_skip(&r);
	rig_run(&r, (const char *const[]){ METER_LOAD, "nothing", "0", NULL });
	double chars = rig_num(&r, "read-chars"), calls = rig_num(&r, "read-calls");
	assert_true(r.win.begin_read_chars > 0);
	for (int i = 0; i < 23; i++) {
		rig_run(&r, (const char *const[]){ METER_LOAD, "nothing", "0", NULL });
		assert_near(rig_num(&r, "read-chars"), chars, 0);
		assert_near(rig_num(&r, "read-calls"), calls, 0);
	}
	rig_close(&r);
}

static void blocks_that_reach_storage_agree_with_rusage(void **state)
{
	(void)state;
	struct rig r;
	open_or_skip(&r);
	rig_run(&r, (const char *const[]){ METER_LOAD, "blocks", "23", NULL });
	assert_int_equal(r.status, 0);
	assert_near(rig_num(&r, "write-bytes"), (double)r.win.usage.ru_oublock * 512, 0);
	assert_near(rig_num(&r, "write-chars"), 23 * 4096, 0);
	rig_close(&r);
}

static void children_that_were_waited_for_count(void **state)
{
	(void)state;
	struct rig r;
	open_or_skip(&r);
	rig_run(&r,
		(const char *const[]){
			"/bin/sh", "-c", METER_LOAD " writes 23; " METER_LOAD " writes 23", NULL });
	assert_near(rig_num(&r, "write-calls"), 46, 0);
	rig_close(&r);
}

static void in_a_running_process_too(void **state)
{
	(void)state;
	struct rig r;
	struct rig_server s;
	rig_serve(&s, "writes", 23);
	rig_attach(&r, "io", NULL, s.pid);
	rig_window(&r, rig_poke, &s);
	assert_near(rig_num(&r, "write-calls"), 24, 0); /* one is its answer */
	assert_near(rig_num(&r, "write-chars"), 162, 0);
	rig_close(&r);
	rig_serve_end(&s);
}

static void a_process_that_has_gone_does_no_io(void **state)
{
	(void)state;
	rig_gone("io");
}

static void a_process_of_root_is_closed_to_others(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	rig_as_nobody(closed_to_others);
}

static void a_kernel_without_accounting_is_named(void **state)
{
	(void)state;
	struct lt_arena arena = { 0 };
	struct meter_place place = { .arena = &arena };
	place.root_fd = sysroot_open("bare");
	struct value v = meter_probe(meter_find("io"), &place);
	assert_int_equal(v.state, VALUE_UNAVAILABLE);
	assert_non_null(v.reason);
	close(place.root_fd);
	lt_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(storage_is_told_without_privilege_too),
		cmocka_unit_test(twenty_three_calls_of_7_bytes_are_161_bytes),
		cmocka_unit_test(a_program_that_reads_nothing_reads_nothing),
		cmocka_unit_test(blocks_that_reach_storage_agree_with_rusage),
		cmocka_unit_test(children_that_were_waited_for_count),
		cmocka_unit_test(in_a_running_process_too),
		cmocka_unit_test(a_process_that_has_gone_does_no_io),
		cmocka_unit_test(a_process_of_root_is_closed_to_others),
		cmocka_unit_test(a_kernel_without_accounting_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
