/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding the page of a running process, and settling the accounts of its threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "sys/stats_live.h"

static int root_fd;

static void keep_page(const char *file, uint32_t pid)
{
	struct {
		struct leat_stats_head head;
		struct leat_stats_slot slot;
	} m = { .head = { .magic = LEAT_STATS_MAGIC,
			.version = LEAT_STATS_VERSION,
			.head_size = sizeof(m.head),
			.slot_size = sizeof(m.slot),
			.n_slots = 1,
			.used = 1,
			.pid = pid } };
	m.slot.kind = LEAT_STATS_THREAD;
	m.slot.tid = pid;
	m.slot.v[LEAT_V_THREAD_HAS_SCHEDSTAT] = 1;
	m.slot.v[LEAT_V_THREAD_CAUSE] = LEAT_CAUSE_INPUT;
	m.slot.v[LEAT_V_THREAD_SINCE] = 1000;
	m.slot.v[LEAT_V_THREAD_SLEEP_NS + LEAT_CAUSE_INPUT] = 5;
	int fd = file ? open(file, O_RDWR | O_CREAT, 0600) : memfd_create(LEAT_STATS_MEMFD, 0);
	if (fd < 0 || write(fd, &m, sizeof(m)) != (ssize_t)sizeof(m))
		_exit(1);
}

/* A child that keeps a page and sleeps. `pid` 0: its own number. */
static pid_t child_with_page(const char *file, uint32_t pid)
{
	int ready[2];
	assert_int_equal(pipe(ready), 0);
	pid_t child = fork();
	if (child == 0) {
		keep_page(file, pid ? pid : (uint32_t)getpid());
		if (write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	char byte;
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	return child;
}

static void end_child(pid_t child)
{
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

static void a_page_is_found_in_memory_or_in_a_file(void **state)
{
	(void)state;
	char dir[] = "/tmp/leat-live-XXXXXX", file[64];
	assert_non_null(mkdtemp(dir));
	for (int named = 0; named < 2; named++) {
		snprintf(file, sizeof(file), "%s/leat-stats.1", dir);
		pid_t child = child_with_page(named ? file : NULL, 0);
		int fd = sys_stats_open(root_fd, child, SYS_STATS_FDS);
		assert_true(fd >= 0);
		SYS_AUTO_STATS_PAGE struct sys_stats_page page = SYS_STATS_PAGE_NONE;
		assert_int_equal(sys_stats_page_read(fd, &page, NULL), 0);
		assert_int_equal(page.head.pid, child);
		close(fd);
		end_child(child);
	}
	unlink(file);
	rmdir(dir);
}

static void a_parents_page_is_not_its_childs(void **state)
{
	(void)state;
	pid_t child = child_with_page(NULL, (uint32_t)getpid());
	assert_int_equal(sys_stats_open(root_fd, child, SYS_STATS_FDS), -ENOENT);
	end_child(child);
	assert_true(sys_stats_open(root_fd, child, SYS_STATS_FDS) < 0);
}

static void a_thread_that_sleeps_is_settled(void **state)
{
	(void)state;
	pid_t child = child_with_page(NULL, 0);
	int fd = sys_stats_open(root_fd, child, SYS_STATS_FDS);
	SYS_AUTO_STATS_PAGE struct sys_stats_page page = SYS_STATS_PAGE_NONE;
	assert_int_equal(sys_stats_page_read(fd, &page, NULL), 0);
	sys_stats_settle(root_fd, child, 3000, &page);
	const uint64_t *v = page.slots[0].v;
	assert_int_equal(v[LEAT_V_THREAD_END], 3000);
	assert_int_equal(v[LEAT_V_THREAD_SLEEP_NS + LEAT_CAUSE_INPUT], 2005);
	assert_int_equal(v[LEAT_V_THREAD_CAUSE], LEAT_CAUSE_RUNNING);
	if (v[LEAT_V_THREAD_HAS_SCHEDSTAT])
		assert_true(v[LEAT_V_THREAD_CPU] > 0);
	close(fd);
	end_child(child);
}

static void a_thread_that_is_gone_has_no_cpu_time(void **state)
{
	(void)state;
	pid_t child = child_with_page(NULL, 0);
	int fd = sys_stats_open(root_fd, child, SYS_STATS_FDS);
	SYS_AUTO_STATS_PAGE struct sys_stats_page page = SYS_STATS_PAGE_NONE;
	assert_int_equal(sys_stats_page_read(fd, &page, NULL), 0);
	end_child(child);
	sys_stats_settle(root_fd, child, 3000, &page);
	assert_int_equal(page.slots[0].v[LEAT_V_THREAD_HAS_SCHEDSTAT], 0);
	assert_int_equal(page.slots[0].v[LEAT_V_THREAD_END], 3000);
	close(fd);
}

int main(void)
{
	root_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_is_found_in_memory_or_in_a_file),
		cmocka_unit_test(a_parents_page_is_not_its_childs),
		cmocka_unit_test(a_thread_that_sleeps_is_settled),
		cmocka_unit_test(a_thread_that_is_gone_has_no_cpu_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
