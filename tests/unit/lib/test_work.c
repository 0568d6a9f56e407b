/* SPDX-License-Identifier: MIT */
/* Work counters, region marks and the page they are seen on from outside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "leat/pipeline.h"
#include "leat/stats.h"
#include "leat/work.h"

static void *add_million(void *arg)
{
	for (int i = 0; i < 100000; i++)
		leat_work_add(arg, 10);
	return NULL;
}

static void counts_of_all_threads_add_up(void **state)
{
	(void)state;
	struct leat_work *work, *again;
	pthread_t thread[11];
	assert_int_equal(leat_work_get("packets", "packet", &work, NULL), 0);
	assert_int_equal(leat_work_get("packets", NULL, &again, NULL), 0);
	assert_ptr_equal(work, again);
	for (int i = 0; i < 11; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, add_million, work), 0);
	for (int i = 0; i < 11; i++)
		pthread_join(thread[i], NULL);
	assert_int_equal(leat_work_total(work), 11000000);
}

static void bad_names_are_refused(void **state)
{
	(void)state;
	struct leat_work *work = NULL;
	struct leat_err err;
	assert_true(leat_work_get("", NULL, &work, &err) < 0);
	assert_string_equal(err.id, "LEAT-NAME");
	assert_true(leat_work_get("a name that is far too long for a slot of the page", NULL, &work,
			    &err) < 0);
	assert_null(work);
	leat_work_add(NULL, 1);
}

/* Maps the page as another process would. */
static const struct leat_stats_head *map_from_outside(pid_t pid)
{
	char dir[64], path[384], link[256];
	snprintf(dir, sizeof(dir), "/proc/%d/fd", pid);
	DIR *d = opendir(dir);
	assert_non_null(d);
	const struct leat_stats_head *head = NULL;
	for (struct dirent *e; !head && (e = readdir(d));) {
		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		ssize_t n = readlink(path, link, sizeof(link) - 1);
		link[n > 0 ? n : 0] = '\0';
		if (strcmp(link, "/memfd:" LEAT_STATS_MEMFD " (deleted)") != 0)
			continue;
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		assert_true(fd >= 0);
		head = mmap(NULL, 128 + 512 * 640, PROT_READ, MAP_SHARED, fd, 0);
		close(fd);
	}
	closedir(d);
	return head;
}

static uint64_t outside_total(const struct leat_stats_head *head, const char *name)
{
	struct leat_stats_slot copy;
	for (uint32_t i = 0; i < head->used; i++) {
		if (leat_stats_copy(leat_stats_slot_at(head, i), &copy) == LEAT_STATS_WORK &&
			strcmp(copy.name, name) == 0) {
			uint64_t sum = 0;
			for (int s = 0; s < LEAT_STATS_SHARDS; s++)
				sum += copy.v[s * 8];
			return sum;
		}
	}
	return UINT64_MAX;
}

static void the_page_is_found_from_outside(void **state)
{
	(void)state;
	struct leat_work *work;
	assert_int_equal(leat_work_get("seen", "thing", &work, NULL), 0);
	leat_work_add(work, 23);
	const struct leat_stats_head *head = map_from_outside(getpid());
	assert_non_null(head);
	assert_true(head->magic == LEAT_STATS_MAGIC);
	assert_int_equal(head->pid, getpid());
	assert_int_equal(outside_total(head, "seen"), 23);
}

static void a_child_counts_on_its_own_page(void **state)
{
	(void)state;
	struct leat_work *work;
	assert_int_equal(leat_work_get("forked", NULL, &work, NULL), 0);
	leat_work_add(work, 5);
	pid_t pid = fork();
	if (pid == 0) {
		leat_work_add(work, 7);
		const struct leat_stats_head *head = map_from_outside(getpid());
		int ok = leat_work_total(work) == 7 && head && head->pid == (uint32_t)getpid() &&
			outside_total(head, "forked") == 7;
		_exit(ok ? 0 : 1);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(leat_work_total(work), 5);
}

/* Runs this program anew as `what`, with the directory named; returns its number. */
static pid_t run_child(const char *what, const char *dir)
{
	pid_t pid = fork();
	if (pid == 0) {
		setenv("LEAT_STATS_DIR", dir, 1);
		execl("/proc/self/exe", "test_work", what, (char *)NULL);
		_exit(2);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	return pid;
}

/* Maps what a child has left, and removes it. */
static const struct leat_stats_head *left_by(pid_t pid, const char *dir)
{
	char path[64];
	snprintf(path, sizeof(path), "%s/leat-stats.%d", dir, pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	const struct leat_stats_head *head =
		mmap(NULL, 128 + 512 * 640, PROT_READ, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(head, MAP_FAILED);
	assert_int_equal(head->pid, pid);
	close(fd);
	unlink(path);
	return head;
}

static void a_named_directory_keeps_the_page_after_the_end(void **state)
{
	(void)state;
	char dir[] = "/tmp/leat-page-XXXXXX";
	assert_non_null(mkdtemp(dir));
	const struct leat_stats_head *head = left_by(run_child("--child", dir), dir);
	assert_int_equal(outside_total(head, "child"), 42);
	assert_true(strlen(head->name) > 0 && !strchr(head->name, '/'));
	rmdir(dir);
}

static void a_directory_that_does_not_serve_does_no_harm(void **state)
{
	(void)state;
	run_child("--child", "/nowhere/at/all");
	run_child("--child", "/proc");
}

static void exit_ends_threads_and_regions(void **state)
{
	(void)state;
	char dir[] = "/tmp/leat-page-XXXXXX";
	assert_non_null(mkdtemp(dir));
	const struct leat_stats_head *head = left_by(run_child("--open", dir), dir);
	unsigned threads = 0, regions = 0;
	for (uint32_t i = 0; i < head->used; i++) {
		struct leat_stats_slot copy;
		unsigned kind = leat_stats_copy(leat_stats_slot_at(head, i), &copy);
		if (kind == LEAT_STATS_THREAD) {
			struct leat_share s;
			leat_stats_share(&copy, 0, 0, 0, &s);
			threads++;
			assert_true(s.wall_ns >= 2000000 && s.wall_ns < 20000000000);
			if (copy.v[LEAT_V_THREAD_HAS_SCHEDSTAT])
				assert_true(s.cpu_ns > 0 && s.cpu_ns <= s.wall_ns);
		} else if (kind == LEAT_STATS_REGION) {
			regions++;
			assert_int_equal(copy.v[LEAT_V_REGION_OPEN], 0);
			assert_true(copy.v[LEAT_V_REGION_WALL_NS] >= 2000000);
		}
	}
	assert_true(threads >= 1);
	assert_int_equal(regions, 1);
	rmdir(dir);
}

static void a_region_holds_what_happened_inside(void **state)
{
	(void)state;
	struct leat_work *work;
	struct leat_region *region;
	assert_int_equal(leat_work_get("inside", NULL, &work, NULL), 0);
	assert_int_equal(leat_region_get("hot", &region, NULL), 0);
	leat_region_end(region); /* without begin: ignored */
	leat_work_add(work, 100);
	leat_region_begin(region);
	leat_region_begin(region); /* nested: one opening */
	leat_work_add(work, 3);
	struct timespec ms = { .tv_nsec = 1000000 };
	nanosleep(&ms, NULL);
	leat_region_end(region);
	leat_region_end(region);
	leat_work_add(work, 100);

	const struct leat_stats_slot *slot = (const void *)region;
	struct leat_stats_slot copy;
	assert_int_equal(leat_stats_copy(slot, &copy), LEAT_STATS_REGION);
	assert_int_equal(copy.v[LEAT_V_REGION_OPEN], 0);
	assert_int_equal(copy.v[LEAT_V_REGION_TIMES], 1);
	assert_true(copy.v[LEAT_V_REGION_WALL_NS] >= 1000000);
	assert_true(copy.v[LEAT_V_REGION_NVCSW] >= 1);
	uint64_t units = 0;
	for (int i = 0; i < 32; i++)
		units += copy.v[LEAT_V_REGION_WORK + i];
	assert_int_equal(units, 3);
}

static void *stage(void *ctx, void *item, struct leat_token *token)
{
	(void)ctx;
	(void)item;
	return token->number < 10 ? ctx : LEAT_END;
}

/* What the test of exit() starts: a thread and a region that live to the end. */
static int leave_open(void)
{
	struct leat_region *region;
	const struct leat_stage stages[] = { { .kind = LEAT_IN_ORDER, .fn = stage, .ctx = &region },
		{ .kind = LEAT_IN_ORDER, .fn = stage, .ctx = &region } };
	if (leat_region_get("open", &region, NULL) < 0)
		return 1;
	leat_region_begin(region);
	leat_region_begin(region);
	if (leat_pipeline(stages, 2, NULL, NULL, NULL) < 0)
		return 1;
	struct timespec ms = { .tv_nsec = 2000000 };
	nanosleep(&ms, NULL);
	exit(0);
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "--open") == 0)
		return leave_open();
	if (argc > 1 && strcmp(argv[1], "--child") == 0) {
		struct leat_work *work;
		if (leat_work_get("child", NULL, &work, NULL) < 0)
			return 1;
		leat_work_add(work, 42);
		return 0;
	}
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_of_all_threads_add_up),
		cmocka_unit_test(bad_names_are_refused),
		cmocka_unit_test(the_page_is_found_from_outside),
		cmocka_unit_test(a_child_counts_on_its_own_page),
		cmocka_unit_test(a_named_directory_keeps_the_page_after_the_end),
		cmocka_unit_test(a_directory_that_does_not_serve_does_no_harm),
		cmocka_unit_test(exit_ends_threads_and_regions),
		cmocka_unit_test(a_region_holds_what_happened_inside),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
