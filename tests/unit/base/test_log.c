/* SPDX-License-Identifier: MIT */
/* What the log prints, and what it keeps to itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/log.h"

static char said[8192];

/* Collects what is printed on stderr between the two. */
static int listen_begin(int *ret_old)
{
	int fd = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	*ret_old = dup(STDERR_FILENO);
	dup2(fd, STDERR_FILENO);
	return fd;
}

static void listen_end(int fd, int old)
{
	fflush(stderr);
	dup2(old, STDERR_FILENO);
	close(old);
	ssize_t got = pread(fd, said, sizeof(said) - 1, 0);
	said[got < 0 ? 0 : got] = '\0';
	close(fd);
}

static void levels_have_their_words(void **state)
{
	(void)state;
	int old, fd = listen_begin(&old);
	lt_log(LT_LOG_ERROR, "t", "e %d", 1);
	lt_log(LT_LOG_WARNING, "t", "w");
	lt_log(LT_LOG_NOTE, "t", "n");
	lt_log(LT_LOG_DEBUG, "t", "d");
	listen_end(fd, old);
	assert_string_equal(said, "leat: error: e 1\nleat: warning: w\nleat: n\n");
}

static void debugging_is_for_the_areas_picked(void **state)
{
	(void)state;
	int old, fd = listen_begin(&old);
	lt_log_debug("launch,meter");
	lt_log(LT_LOG_DEBUG, "meter", "yes");
	lt_log(LT_LOG_DEBUG, "met", "no");
	lt_log(LT_LOG_DEBUG, "meters", "no");
	lt_log_debug("all");
	lt_log(LT_LOG_DEBUG, "any", "too");
	lt_log_debug(NULL);
	lt_log(LT_LOG_DEBUG, "any", "no");
	listen_end(fd, old);
	assert_string_equal(said, "leat: debug: yes\nleat: debug: too\n");
}

static void long_lines_are_cut(void **state)
{
	(void)state;
	char much[4000];
	memset(much, 'm', sizeof(much) - 1);
	much[sizeof(much) - 1] = '\0';
	int old, fd = listen_begin(&old);
	lt_log(LT_LOG_NOTE, "t", "%s", much);
	listen_end(fd, old);
	assert_in_range(strlen(said), 1000, 1300);
	assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels_have_their_words),
		cmocka_unit_test(debugging_is_for_the_areas_picked),
		cmocka_unit_test(long_lines_are_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
