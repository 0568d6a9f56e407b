/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums of cachegrind output directories: whole, cut off, forked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "sys/cachegrind.h"

struct dir {
	char path[32];
	int fd;
};

static void make(struct dir *d)
{
	strcpy(d->path, "/tmp/leat-test-XXXXXX");
	assert_non_null(mkdtemp(d->path));
	d->fd = open(d->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void put(struct dir *d, const char *name, const char *text)
{
	int fd = openat(d->fd, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void drop(struct dir *d)
{
	sys_cachegrind_clear(d->fd);
	close(d->fd);
	assert_int_equal(rmdir(d->path), 0);
}

static void processes_add_up_and_forks_are_told(void **state)
{
	(void)state;
	struct dir d;
	make(&d);
	put(&d, "11.log", "==11== Command: ./a\n");
	put(&d, "11.out",
		"events: Ir Bc Bcm Bi Bim\nfn=x\n1 2 3 4 5 6\n"
		"summary: 60038280 10009857 1239 59 37\n");
	put(&d, "12.out", "summary: 23 10 9 13 8\n"); /* no log: fork without exec */
	struct sys_cachegrind s;
	assert_int_equal(sys_cachegrind_sum(d.fd, &s), 0);
	assert_int_equal(s.instructions, 60038303);
	assert_int_equal(s.branches, 10009857 + 59 + 10 + 13);
	assert_int_equal(s.counted, 2);
	assert_int_equal(s.forked, 1);
	assert_int_equal(s.uncounted, 0);
	assert_false(s.unknown_code);
	drop(&d);
}

static void a_process_without_counts_is_told(void **state)
{
	(void)state;
	struct dir d;
	make(&d);
	put(&d, "11.log", "==11== Command: ./a\n");
	put(&d, "12.log", "==12== valgrind: Unrecognised instruction at address 0x1.\n");
	put(&d, "12.out", "events: Ir Bc Bcm Bi Bim\nfn=x\n1 2 3"); /* cut off */
	struct sys_cachegrind s;
	assert_int_equal(sys_cachegrind_sum(d.fd, &s), 0);
	assert_int_equal(s.counted, 0);
	assert_int_equal(s.uncounted, 2);
	assert_true(s.unknown_code);
	drop(&d);
}

static void clearing_leaves_other_files_alone(void **state)
{
	(void)state;
	struct dir d;
	make(&d);
	put(&d, "11.log", "x");
	put(&d, "11.out", "x");
	put(&d, "notes", "x");
	sys_cachegrind_clear(d.fd);
	assert_int_equal(faccessat(d.fd, "11.out", F_OK, 0), -1);
	assert_int_equal(faccessat(d.fd, "11.log", F_OK, 0), -1);
	assert_int_equal(unlinkat(d.fd, "notes", 0), 0);
	drop(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processes_add_up_and_forks_are_told),
		cmocka_unit_test(a_process_without_counts_is_told),
		cmocka_unit_test(clearing_leaves_other_files_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
