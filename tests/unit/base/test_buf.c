/* SPDX-License-Identifier: MIT */
/* The buffer that grows: always ended in NUL, fails once and stays so, reads to the end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fcntl.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"

static void pieces_come_out_in_order(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	lt_buf_adds(&buf, "ab");
	lt_buf_addf(&buf, "%d-%s", 42, "x");
	lt_buf_add(&buf, "c\0d", 3);
	assert_int_equal(buf.len, 9);
	assert_memory_equal(buf.data, "ab42-xc\0d", 10);
	lt_buf_reset(&buf);
	assert_int_equal(buf.len, 0);
	assert_string_equal(buf.data, "");
}

static void nothing_added_is_nothing(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	lt_buf_reset(&buf);
	assert_null(buf.data);
	lt_buf_add(&buf, NULL, 0);
	assert_int_equal(buf.len, 0);
	assert_string_equal(buf.data, "");
	lt_buf_done(&buf);
	lt_buf_done(&buf);
}

static void growing_keeps_every_byte(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	for (int i = 0; i < 20000; i++) {
		lt_buf_addf(&buf, "%d,", i);
		assert_int_equal(buf.data[buf.len], '\0');
	}
	char *at = buf.data;
	for (long i = 0; i < 20000; i++, at++)
		assert_int_equal(strtol(at, &at, 10), i);
	assert_ptr_equal(at, buf.data + buf.len);
}

static void more_than_memory_fails_and_stays_failed(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	lt_buf_adds(&buf, "kept");
	assert_false(lt_buf_reserve(&buf, (size_t)-1 / 2 + 1));
	assert_true(buf.failed);
	lt_buf_adds(&buf, "dropped");
	assert_string_equal(buf.data, "kept");
	assert_false(lt_buf_reserve(&buf, 1));
}

static void sizes_beyond_counting_fail_too(void **state)
{
	(void)state;
	static const size_t sizes[] = { (size_t)-1, (size_t)-2, (size_t)-5 };
	for (size_t i = 0; i < LT_COUNT(sizes); i++) {
		LT_AUTO_BUF struct lt_buf buf = { 0 };
		lt_buf_adds(&buf, "kept");
		assert_false(lt_buf_reserve(&buf, sizes[i]));
		assert_string_equal(buf.data, "kept");
	}
}

/* A pipe that holds `len` bytes and then ends. */
static int pipe_of(size_t len)
{
	int fds[2];
	assert_int_equal(pipe(fds), 0);
	for (size_t i = 0; i < len; i++)
		assert_int_equal(write(fds[1], &"abcdefghijk"[i % 11], 1), 1);
	close(fds[1]);
	return fds[0];
}

static void a_pipe_is_read_to_its_end(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	LT_AUTO_CLOSE int fd = pipe_of(9000);
	struct lt_err err = { 0 };
	lt_buf_adds(&buf, "before ");
	assert_int_equal(lt_buf_read_fd(&buf, fd, "pipe", 9000, &err), 0);
	assert_int_equal(buf.len, 9007);
	assert_memory_equal(buf.data, "before abcdefghijkabc", 21);
}

static void one_byte_beyond_the_limit_is_refused(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	LT_AUTO_CLOSE int fd = pipe_of(9001);
	struct lt_err err = { 0 };
	assert_int_equal(lt_buf_read_fd(&buf, fd, "big.txt", 9000, &err), -EFBIG);
	assert_string_equal(err.id, "LT-READ-LIMIT");
	assert_non_null(strstr(err.text, "'big.txt'"));
}

static void a_failed_read_says_why(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	LT_AUTO_CLOSE int dir = open("/", O_RDONLY | O_DIRECTORY);
	struct lt_err err = { 0 };
	assert_int_equal(lt_buf_read_fd(&buf, dir, "folder", 10, &err), -EISDIR);
	assert_int_equal(lt_buf_read_fd(&buf, -1, "closed", 10, &err), -EBADF);
	assert_string_equal(err.id, "LT-READ");
	assert_non_null(strstr(err.text, "'closed'"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_come_out_in_order),
		cmocka_unit_test(nothing_added_is_nothing),
		cmocka_unit_test(growing_keeps_every_byte),
		cmocka_unit_test(more_than_memory_fails_and_stays_failed),
		cmocka_unit_test(sizes_beyond_counting_fail_too),
		cmocka_unit_test(a_pipe_is_read_to_its_end),
		cmocka_unit_test(one_byte_beyond_the_limit_is_refused),
		cmocka_unit_test(a_failed_read_says_why),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
