/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes of a recorded machine, one with a name meant to confuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "helpers/sysroot.h"
#include "sys/procfs.h"

struct seen {
	size_t n;
	pid_t pid[8];
};

static int see(void *ctx, pid_t child)
{
	struct seen *s = ctx;
	s->pid[s->n++] = child;
	return 0;
}

static void a_name_full_of_brackets_does_not_shift_the_fields(void **state)
{
	(void)state;
	int root = sysroot_open("guest");
	struct sys_stat st;
	assert_int_equal(sys_stat(root, 4711, &st), 0);
	assert_string_equal(st.comm, "a) R (b) 3");
	assert_int_equal(st.state, 'S');
	assert_int_equal(st.ppid, 4700);
	assert_int_equal(st.minflt, 5023);
	assert_int_equal(st.majflt, 31);
	assert_int_equal(st.utime, 1733);
	assert_int_equal(st.stime, 412);
	close(root);
}

static void io_is_read_by_name(void **state)
{
	(void)state;
	int root = sysroot_open("guest");
	struct sys_io io;
	assert_int_equal(sys_io(root, 4711, &io), 0);
	assert_int_equal(io.rchar, 4001);
	assert_int_equal(io.wchar, 161);
	assert_int_equal(io.syscr, 12);
	assert_int_equal(io.syscw, 23);
	assert_int_equal(io.read_bytes, 8192);
	assert_int_equal(io.write_bytes, 94208);
	close(root);
}

static void run_queue_times_of_leader_thread_and_sum(void **state)
{
	(void)state;
	int root = sysroot_open("guest");
	struct sys_schedstat s;
	assert_int_equal(sys_schedstat(root, 4711, &s), 0);
	assert_int_equal(s.run_ns, 1000000023);
	assert_int_equal(s.wait_ns, 500);
	assert_int_equal(sys_schedstat_thread(root, 4711, 4712, &s), 0);
	assert_int_equal(s.wait_ns, 11);
	assert_int_equal(sys_schedstat_threads(root, 4711, &s), 0);
	assert_int_equal(s.run_ns, 1000000030);
	assert_int_equal(s.wait_ns, 511);
	assert_int_equal(s.slices, 53);
	close(root);
}

static void switches_and_memory_come_from_status(void **state)
{
	(void)state;
	int root = sysroot_open("guest");
	struct sys_switches s;
	struct sys_memory m;
	assert_int_equal(sys_switches(root, 4711, 4712, &s), 0);
	assert_int_equal(s.voluntary, 17);
	assert_int_equal(s.involuntary, 19);
	assert_int_equal(sys_memory(root, 4711, &m), 0); /* the leading thread has none left */
	assert_int_equal(m.peak, 22868 * 1024);
	assert_int_equal(m.rss, 22000 * 1024);
	close(root);
}

static void descendants_come_parents_first(void **state)
{
	(void)state;
	int root = sysroot_open("guest");
	struct seen seen = { .n = 0 };
	assert_int_equal(sys_for_descendants(root, 4711, see, &seen), 0);
	assert_int_equal(seen.n, 3);
	assert_int_equal(seen.pid[0], 4720);
	assert_int_equal(seen.pid[1], 4721);
	assert_int_equal(seen.pid[2], 4730);
	seen.n = 0;
	assert_int_equal(sys_for_descendants(root, 4712, see, &seen), 0); /* not there */
	assert_int_equal(seen.n, 0);
	close(root);
}

static void what_is_missing_is_an_error_and_not_0(void **state)
{
	(void)state;
	int root = sysroot_open("bare");
	struct sys_schedstat s;
	struct sys_stat st;
	struct sys_io io;
	uint64_t n;
	double load;
	assert_int_equal(sys_schedstat(root, 1, &s), -ENOENT);
	assert_int_equal(sys_schedstat_threads(root, 1, &s), -ENOENT);
	assert_int_equal(sys_stat(root, 1, &st), -ENOENT);
	assert_int_equal(sys_io(root, 1, &io), -ENOENT);
	struct sys_memory m;
	assert_int_equal(sys_memory(root, 1, &m), -ENOENT);
	assert_int_equal(sys_steal_ticks(root, &n), -ENOENT);
	assert_int_equal(sys_load(root, &load), -ENOENT);
	close(root);
}

static void the_machine_tells_steal_and_load(void **state)
{
	(void)state;
	int root = sysroot_open("guest");
	uint64_t ticks;
	double load;
	assert_int_equal(sys_steal_ticks(root, &ticks), 0);
	assert_int_equal(ticks, 42);
	assert_int_equal(sys_load(root, &load), 0);
	assert_true(load > 5.49 && load < 5.51);
	close(root);
}

/* Its line of all CPUs together begins with 1 tick, as if it were that of CPU 1. */
static void a_machine_just_started_counts_each_cpu_once(void **state)
{
	(void)state;
	int root = sysroot_open("server-arm");
	struct lt_cpuset one = { 0 };
	uint64_t ticks;
	lt_cpuset_add(&one, 1);
	assert_int_equal(sys_busy_ticks(root, &one, &ticks), 0);
	assert_int_equal(ticks, 6);
	close(root);
}

static void we_ourselves_are_readable(void **state)
{
	(void)state;
	int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct sys_stat st;
	struct sys_io io;
	struct sys_switches sw;
	assert_int_equal(sys_stat(root, getpid(), &st), 0);
	assert_int_equal(st.ppid, getppid());
	assert_int_equal(sys_io(root, getpid(), &io), 0);
	assert_true(io.rchar > 0);
	assert_int_equal(sys_switches(root, getpid(), getpid(), &sw), 0);
	close(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_full_of_brackets_does_not_shift_the_fields),
		cmocka_unit_test(io_is_read_by_name),
		cmocka_unit_test(run_queue_times_of_leader_thread_and_sum),
		cmocka_unit_test(switches_and_memory_come_from_status),
		cmocka_unit_test(descendants_come_parents_first),
		cmocka_unit_test(what_is_missing_is_an_error_and_not_0),
		cmocka_unit_test(the_machine_tells_steal_and_load),
		cmocka_unit_test(a_machine_just_started_counts_each_cpu_once),
		cmocka_unit_test(we_ourselves_are_readable),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
