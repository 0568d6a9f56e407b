/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The directory of statistics pages: private, emptied after each run, gone at the end, and gone
 * also after a leat that was killed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/statsdir.h"

static void put(const struct statsdir *d, const char *name)
{
	char path[256];
	snprintf(path, sizeof(path), "%s/%s", d->path, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	assert_true(fd >= 0);
	close(fd);
}

struct seen {
	int n;
	long pids;
};

static int see(void *ctx, int fd, pid_t pid)
{
	struct seen *s = ctx;
	struct stat st;
	assert_int_equal(fstat(fd, &st), 0);
	s->n++;
	s->pids += pid;
	return 0;
}

static void it_is_private_and_emptied_and_goes(void **state)
{
	(void)state;
	struct statsdir d = STATSDIR_NONE;
	struct stat st;
	char path[128];
	statsdir_open(&d);
	assert_non_null(d.dir);
	assert_true(d.own && d.path[0] == '/');
	assert_int_equal(stat(d.path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	for (int round = 0; round < 3; round++) {
		struct seen s = { 0 };
		put(&d, "leat-stats.17");
		put(&d, "leat-stats.4");
		assert_int_equal(statsdir_each(&d, see, &s), 0);
		assert_int_equal(s.n, 2);
		assert_int_equal(s.pids, 21);
		assert_int_equal(statsdir_each(&d, see, &s), 0);
		assert_int_equal(s.n, 2); /* they are gone */
	}
	put(&d, "leat-stats.5");
	snprintf(path, sizeof(path), "%s", d.path);
	statsdir_close(&d);
	assert_int_equal(stat(path, &st), -1);
	statsdir_close(&d);
}

static void what_is_no_file_is_not_opened(void **state)
{
	(void)state;
	struct statsdir d = STATSDIR_NONE;
	struct seen s = { 0 };
	char path[160];
	statsdir_open(&d);
	snprintf(path, sizeof(path), "%s/leat-stats.1", d.path);
	assert_int_equal(mkfifo(path, 0600), 0);
	snprintf(path, sizeof(path), "%s/leat-stats.2", d.path);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	assert_int_equal(statsdir_each(&d, see, &s), 0);
	assert_int_equal(s.n, 0);
	statsdir_close(&d);
}

static void a_users_directory_is_left_as_it_is(void **state)
{
	(void)state;
	char dir[] = "/tmp/leat-users-XXXXXX", path[64];
	struct stat st;
	assert_non_null(mkdtemp(dir));
	struct statsdir d = STATSDIR_NONE;
	struct seen s = { 0 };
	statsdir_use(&d, strrchr(dir, '/') + 1, "/tmp");
	assert_non_null(d.dir);
	put(&d, "leat-stats.9");
	assert_int_equal(statsdir_each(&d, see, &s), 0);
	assert_int_equal(statsdir_each(&d, see, &s), 0);
	assert_int_equal(s.n, 2);
	statsdir_close(&d);
	snprintf(path, sizeof(path), "%s/leat-stats.9", dir);
	assert_int_equal(stat(path, &st), 0);
	unlink(path);
	rmdir(dir);
	statsdir_use(&d, "", NULL);
	assert_null(d.dir);
	statsdir_use(&d, "/nowhere/at/all", NULL);
	assert_null(d.dir);
	assert_int_equal(statsdir_each(&d, see, &s), 0);
}

static void what_a_killed_one_left_is_removed_and_no_others(void **state)
{
	(void)state;
	int to_us[2];
	char path[128] = "";
	struct stat st;
	assert_int_equal(pipe(to_us), 0);
	pid_t pid = fork();
	if (pid == 0) {
		struct statsdir d = STATSDIR_NONE;
		statsdir_open(&d);
		put(&d, "leat-stats.3");
		if (write(to_us[1], d.path, strlen(d.path) + 1) < 0)
			_exit(1);
		for (;;)
			pause();
	}
	assert_true(read(to_us[0], path, sizeof(path)) > 0);
	if (strncmp(path, "/dev/shm/", strlen("/dev/shm/")) != 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		skip(); /* only there others look for it */
	}
	struct statsdir d = STATSDIR_NONE;
	statsdir_open(&d);
	assert_int_equal(stat(path, &st), 0); /* in use */
	statsdir_close(&d);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	statsdir_open(&d);
	assert_int_equal(stat(path, &st), -1);
	statsdir_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_private_and_emptied_and_goes),
		cmocka_unit_test(what_is_no_file_is_not_opened),
		cmocka_unit_test(a_users_directory_is_left_as_it_is),
		cmocka_unit_test(what_a_killed_one_left_is_removed_and_no_others),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
