/* SPDX-License-Identifier: MIT */
/* An output file appears whole or not at all, and nothing is left beside it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <signal.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/outfile.h"

/* Every test works in a directory of its own. */
static char dir[] = "/tmp/leat-outfile-XXXXXX";

static int enter(void **state)
{
	(void)state;
	memcpy(dir + sizeof(dir) - 7, "XXXXXX", 7);
	return mkdtemp(dir) && chdir(dir) == 0 ? 0 : -1;
}

static int leave(void **state)
{
	(void)state;
	char command[64];
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static int files(void)
{
	int n = 0;
	DIR *d = opendir(".");
	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

static const char *content(const char *path)
{
	static char text[256];
	LT_AUTO_CLOSE int fd = open(path, O_RDONLY);
	ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	text[got < 0 ? 0 : got] = '\0';
	return got < 0 ? NULL : text;
}

static void put(const char *path, const char *text)
{
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	struct lt_outfile out = LT_OUTFILE_NONE;
	struct lt_err err = { 0 };
	lt_buf_adds(&buf, text);
	if (lt_outfile_open(&out, path, &err) < 0 || lt_outfile_commit(&out, &buf, &err) < 0)
		fail_msg("%s", err.text);
}

static void it_appears_only_when_committed(void **state)
{
	(void)state;
	struct lt_outfile out = LT_OUTFILE_NONE;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	lt_buf_adds(&buf, "whole");
	assert_int_equal(lt_outfile_open(&out, "f", NULL), 0);
	assert_int_equal(access("f", F_OK), -1);
	assert_int_equal(lt_outfile_commit(&out, &buf, NULL), 0);
	assert_string_equal(content("f"), "whole");
	assert_int_equal(files(), 1);
	lt_outfile_close(&out);
	assert_int_equal(files(), 1);
}

static void a_dropped_one_leaves_the_old(void **state)
{
	(void)state;
	put("f", "old");
	struct lt_outfile out = LT_OUTFILE_NONE;
	assert_int_equal(lt_outfile_open(&out, "f", NULL), 0);
	assert_string_equal(content("f"), "old");
	lt_outfile_close(&out);
	assert_string_equal(content("f"), "old");
	assert_int_equal(files(), 1);
}

static void nothing_is_a_content_too(void **state)
{
	(void)state;
	put("f", "old");
	put("f", "");
	assert_string_equal(content("f"), "");
}

static void its_mode_is_that_of_any_new_file(void **state)
{
	(void)state;
	struct stat st;
	mode_t old = umask(027);
	put("f", "x");
	assert_int_equal(umask(old), 027);
	assert_int_equal(stat("f", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
}

static void a_private_file_stays_private(void **state)
{
	(void)state;
	struct stat st;
	put("f", "old");
	assert_int_equal(chmod("f", 0600), 0);
	put("f", "new");
	assert_int_equal(stat("f", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_string_equal(content("f"), "new");
}

static void a_link_stays_a_link(void **state)
{
	(void)state;
	put("f", "old");
	assert_int_equal(symlink("f", "l"), 0);
	put("l", "new");
	struct stat st;
	assert_int_equal(lstat("l", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_string_equal(content("f"), "new");
}

static void a_pipe_is_written_in_place(void **state)
{
	(void)state;
	assert_int_equal(mkfifo("p", 0600), 0);
	LT_AUTO_CLOSE int fd = open("p", O_RDONLY | O_NONBLOCK);
	put("p", "through");
	char text[16] = "";
	assert_int_equal(read(fd, text, sizeof(text)), 7);
	assert_string_equal(text, "through");
	assert_int_equal(files(), 1);
	put("/dev/null", "gone");
}

static void an_unwritable_place_is_told_at_once(void **state)
{
	(void)state;
	static const struct {
		const char *path;
		int code;
	} cases[] = { { "", -EINVAL }, { ".", -EISDIR }, { "none/f", -ENOENT },
		{ "f/g", -ENOTDIR } };
	put("f", "old");
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct lt_outfile out = LT_OUTFILE_NONE;
		struct lt_err err = { 0 };
		assert_int_equal(lt_outfile_open(&out, cases[i].path, &err), cases[i].code);
		assert_string_equal(err.id, "LT-OUTPUT");
		assert_int_equal(out.fd, -1);
		assert_null(out.path);
		lt_outfile_close(&out);
	}
	assert_int_equal(files(), 1);
}

static void a_write_that_fails_leaves_nothing(void **state)
{
	(void)state;
	put("f", "old");
	struct lt_outfile out = LT_OUTFILE_NONE;
	struct lt_err err = { 0 };
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	for (int i = 0; i < 1000; i++)
		lt_buf_adds(&buf, "0123456789");
	assert_int_equal(lt_outfile_open(&out, "f", &err), 0);
	struct rlimit old, tight;
	getrlimit(RLIMIT_FSIZE, &old);
	tight = old;
	tight.rlim_cur = 4096;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
	int r = lt_outfile_commit(&out, &buf, &err);
	setrlimit(RLIMIT_FSIZE, &old);
	signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(r, -EFBIG);
	assert_non_null(strstr(err.text, "cannot write '"));
	assert_string_equal(content("f"), "old");
	assert_int_equal(files(), 1);
}

static void a_full_device_is_told(void **state)
{
	(void)state;
	struct lt_outfile out = LT_OUTFILE_NONE;
	struct lt_err err = { 0 };
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	lt_buf_adds(&buf, "x");
	assert_int_equal(lt_outfile_open(&out, "/dev/full", &err), 0);
	assert_int_equal(lt_outfile_commit(&out, &buf, &err), -ENOSPC);
}

static void a_buffer_that_failed_is_not_written(void **state)
{
	(void)state;
	struct lt_outfile out = LT_OUTFILE_NONE;
	struct lt_buf buf = { .failed = true };
	assert_int_equal(lt_outfile_open(&out, "f", NULL), 0);
	assert_int_equal(lt_outfile_commit(&out, &buf, NULL), -ENOMEM);
	lt_outfile_close(&out);
	assert_int_equal(files(), 0);
}

#define IN_DIR(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_DIR(it_appears_only_when_committed),
		IN_DIR(a_dropped_one_leaves_the_old),
		IN_DIR(nothing_is_a_content_too),
		IN_DIR(its_mode_is_that_of_any_new_file),
		IN_DIR(a_private_file_stays_private),
		IN_DIR(a_link_stays_a_link),
		IN_DIR(a_pipe_is_written_in_place),
		IN_DIR(an_unwritable_place_is_told_at_once),
		IN_DIR(a_write_that_fails_leaves_nothing),
		IN_DIR(a_full_device_is_told),
		IN_DIR(a_buffer_that_failed_is_not_written),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
