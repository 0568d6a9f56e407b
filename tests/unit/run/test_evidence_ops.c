/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls as waits: what each is for, and how long it is willing to wait. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/syscall.h>

#include <cmocka.h>

#include "run/evidence_ops.h"

static void patience_is_what_the_arguments_say(void **state)
{
	(void)state;
	static const struct {
		long nr;
		uint64_t arg;
		int64_t time[2];
		uint64_t ns;
	} cases[] = {
		{ SYS_epoll_pwait, 20, { 0 }, 20000000 },
		{ SYS_epoll_pwait, 0xffffffff, { 0 }, 0 }, /* -1: endless */
		{ SYS_epoll_pwait, 0, { 0 }, 0 },
		{ SYS_ppoll, 0x1000, { 1, 5 }, 1000000005 },
		{ SYS_pselect6, 0x1000, { 0, 3000 }, 3000 },
		{ SYS_pselect6, 0x1000, { -1, 3000 }, 0 }, /* no time, so no timeout */
		{ SYS_pselect6, 0x1000, { 0, 1000000000 }, 0 },
#ifdef SYS_select
		{ SYS_select, 0x1000, { 2, 3000 }, 2003000000 },
		{ SYS_select, 0x1000, { 0, 1000000 }, 0 },
#endif
		{ SYS_read, 20, { 0 }, 0 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct evidence_patience how = evidence_call_patience(cases[i].nr);
		assert_int_equal(
			evidence_patience_ns(how, cases[i].arg, cases[i].time), cases[i].ns);
	}
}

static void a_poll_whose_time_ran_out_was_a_sleep(void **state)
{
	(void)state;
	assert_int_equal(evidence_op_of_wait(SYS_ppoll, 0, false, true), EVIDENCE_OP_SLEEP);
	assert_int_equal(evidence_op_of_wait(SYS_ppoll, 0, false, false), EVIDENCE_OP_POLL);
}

static void waiting_for_a_file_is_waiting_for_a_disk(void **state)
{
	(void)state;
	assert_int_equal(evidence_op_of_wait(SYS_read, 0, true, false), EVIDENCE_OP_DISK);
	assert_int_equal(evidence_op_of_wait(SYS_read, 0, false, false), EVIDENCE_OP_READ);
	assert_int_equal(evidence_op_of_wait(SYS_mmap, 0, true, false), EVIDENCE_OP_MAP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patience_is_what_the_arguments_say),
		cmocka_unit_test(a_poll_whose_time_ran_out_was_a_sleep),
		cmocka_unit_test(waiting_for_a_file_is_waiting_for_a_disk),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
