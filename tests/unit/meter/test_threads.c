/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Differences over threads that stay, come and go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>
#include <cmocka.h>

#include "helpers/sysroot.h"
#include "meter/threads.h"
#include "unit/meter/rig.h"

static size_t added(struct thread_numbers *a, size_t n, struct thread_numbers *b, size_t m,
	double ret[THREADS_NUMBERS])
{
	return threads_added(&(struct threads){ .list = a, .n = n },
		&(struct threads){ .list = b, .n = m }, ret);
}

static int tid_reader(int root_fd, pid_t pid, pid_t tid, uint64_t ret[THREADS_NUMBERS])
{
	(void)root_fd, (void)pid;
	ret[0] = ret[1] = (uint64_t)tid;
	return 0;
}

static void threads_that_stay_count_their_difference(void **state)
{
	(void)state;
	struct thread_numbers a[] = { { 1, { 10, 100 } }, { 3, { 20, 200 } } };
	struct thread_numbers b[] = { { 1, { 13, 107 } }, { 3, { 40, 223 } } };
	double got[THREADS_NUMBERS];
	assert_int_equal(added(a, 2, b, 2, got), 0);
	assert_near(got[0], 23, 0);
	assert_near(got[1], 30, 0);
}

static void new_threads_count_in_full_and_ended_ones_are_told(void **state)
{
	(void)state;
	struct thread_numbers a[] = { { 1, { 10, 0 } }, { 2, { 99, 0 } }, { 9, { 7, 0 } } };
	struct thread_numbers b[] = { { 1, { 11, 0 } }, { 5, { 22, 0 } } };
	double got[THREADS_NUMBERS];
	assert_int_equal(added(a, 3, b, 2, got), 2);
	assert_near(got[0], 23, 0);
}

static void a_smaller_number_is_a_new_thread_under_an_old_id(void **state)
{
	(void)state;
	struct thread_numbers a[] = { { 4, { 100, 5 } } };
	struct thread_numbers b[] = { { 4, { 23, 6 } } };
	double got[THREADS_NUMBERS];
	assert_int_equal(added(a, 1, b, 1, got), 1);
	assert_near(got[0], 23, 0);
	assert_near(got[1], 6, 0);
}

static void a_recorded_process_is_read_thread_by_thread(void **state)
{
	(void)state;
	struct threads t = { 0 };
	int root = sysroot_open("guest");
	assert_int_equal(threads_read(&t, root, 4711, tid_reader), 0);
	assert_int_equal(t.n, 2);
	assert_int_equal(t.list[0].tid, 4711);
	assert_int_equal(t.list[1].tid, 4712);
	assert_true(threads_read(&t, root, 1234, tid_reader) < 0);
	threads_done(&t);
	close(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_that_stay_count_their_difference),
		cmocka_unit_test(new_threads_count_in_full_and_ended_ones_are_told),
		cmocka_unit_test(a_smaller_number_is_a_new_thread_under_an_old_id),
		cmocka_unit_test(a_recorded_process_is_read_thread_by_thread),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
