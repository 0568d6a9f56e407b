/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is wrong with a program's streams is told before anything runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "run/streams.h"

static void refused(const struct run_opts *opts, int code, const char *id)
{
	struct streams s;
	struct lt_err err = { 0 };
	int r = streams_open(&s, opts, &err);
	streams_close(&s);
	if (r != code || strcmp(err.id, id))
		fail_msg("%d, %s: %s", r, err.id, err.text);
}

static void files_that_cannot_be_used_are_told_at_once(void **state)
{
	(void)state;
	char pipe[] = "/tmp/leat-streams-XXXXXX";
	int fd = mkstemp(pipe);
	assert_true(fd >= 0);
	close(fd);
	unlink(pipe);
	assert_int_equal(mkfifo(pipe, 0600), 0);
	refused(&(struct run_opts){ .stdin_mode = RUN_STDIN_FILE, .stdin_path = "/nowhere" },
		-ENOENT, "LT-STDIN");
	refused(&(struct run_opts){ .stdin_mode = RUN_STDIN_FILE, .stdin_path = "/tmp" }, -EISDIR,
		"LT-STDIN");
	refused(&(struct run_opts){ .stdin_mode = RUN_STDIN_FILE, .stdin_path = pipe }, -ESPIPE,
		"LT-STDIN");
	refused(&(struct run_opts){ .stdout_mode = RUN_STDOUT_FILE, .stdout_path = "/no/where" },
		-ENOENT, "LT-STDOUT");
	refused(&(struct run_opts){ .stdout_mode = RUN_STDOUT_FILE, .stdout_path = "/tmp" },
		-EISDIR, "LT-STDOUT");
	refused(&(struct run_opts){ .stdout_mode = RUN_STDOUT_FILE, .stdout_path = pipe }, -ESPIPE,
		"LT-STDOUT");
	unlink(pipe);
	setenv("TMPDIR", "/nowhere", 1);
	refused(&(struct run_opts){ .stdout_mode = RUN_STDOUT_FILE }, -EROFS, "LT-STREAM");
	unsetenv("TMPDIR");
}

static int open_descriptors(void)
{
	int n = 0;
	for (int fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static void no_descriptor_is_lost_or_passed_on(void **state)
{
	(void)state;
	static const struct run_opts modes[] = {
		{ .stdout_mode = RUN_STDOUT_NULL },
		{ .stdout_mode = RUN_STDOUT_PIPE },
		{ .stdout_mode = RUN_STDOUT_FILE },
		{ .stdout_mode = RUN_STDOUT_FILE, .stdout_path = "/dev/null" },
		{ .stdout_mode = RUN_STDOUT_INHERIT,
			.stdin_mode = RUN_STDIN_INHERIT,
			.stderr_inherit = true },
		{ .stdin_mode = RUN_STDIN_FILE, .stdin_path = "/etc/passwd" },
		{ .pty = true },
	};
	int before = open_descriptors();
	for (size_t i = 0; i < LT_COUNT(modes); i++) {
		struct streams s;
		assert_int_equal(streams_open(&s, &modes[i], NULL), 0);
		int open = 0;
		for (int k = 0; k < 5; k++) {
			int fds[3];
			assert_int_equal(streams_begin(&s, fds, NULL), 0);
			for (int f = 0; f < 3; f++) {
				assert_true(fds[f] > 2);
				assert_true(fcntl(fds[f], F_GETFD) & FD_CLOEXEC);
			}
			streams_started(&s, fds);
			streams_end(&s);
			if (k == 0)
				open = open_descriptors();
			assert_int_equal(open_descriptors(), open);
		}
		streams_close(&s);
		streams_close(&s);
		assert_int_equal(open_descriptors(), before);
	}
}

static void the_end_of_its_talk_is_kept(void **state)
{
	(void)state;
	static const size_t pieces[] = { 1, 7, 100, 4095, 4096, 4097, 9000, 3, 60000 };
	for (size_t i = 0; i < LT_COUNT(pieces); i++) {
		struct streams s;
		int fds[3];
		char sent[65536];
		size_t total = 0;
		struct run_opts opts = { .stdout_mode = RUN_STDOUT_NULL };
		assert_int_equal(streams_open(&s, &opts, NULL), 0);
		assert_int_equal(streams_begin(&s, fds, NULL), 0);
		while (total + pieces[i] <= sizeof(sent) && total < 20480) {
			for (size_t k = 0; k < pieces[i]; k++)
				sent[total + k] = (char)('a' + (total + k) % 23);
			assert_int_equal(write(fds[2], sent + total, pieces[i]), pieces[i]);
			total += pieces[i];
			struct pollfd on[STREAMS_POLL];
			int n = streams_poll(&s, on);
			assert_true(poll(on, (nfds_t)n, 1000) > 0);
			streams_serve(&s, on, n);
		}
		streams_started(&s, fds);
		streams_end(&s);
		size_t want = total < STREAMS_TALK ? total : STREAMS_TALK;
		assert_int_equal(s.talk_len, want);
		assert_memory_equal(s.talk, sent + total - want, want);
		streams_close(&s);
	}
}

static void all_of_an_output_is_digested(void **state)
{
	(void)state;
	struct streams s;
	struct digest d, again;
	int fds[3];
	char text[100000];
	struct run_opts opts = { .stdout_mode = RUN_STDOUT_FILE };
	memset(text, 'x', sizeof(text));
	assert_int_equal(streams_open(&s, &opts, NULL), 0);
	for (int k = 0; k < 2; k++) {
		assert_int_equal(streams_begin(&s, fds, NULL), 0);
		assert_int_equal(write(fds[1], text, sizeof(text)), sizeof(text));
		streams_started(&s, fds);
		streams_end(&s);
		assert_int_equal(streams_digest(&s, k ? &again : &d, NULL), 0);
		text[sizeof(text) - 1] = 'y'; /* the last byte counts */
	}
	streams_close(&s);
	assert_true(d.bytes == (double)sizeof(text));
	assert_true(digest_hash(&d) != digest_hash(&again));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_that_cannot_be_used_are_told_at_once),
		cmocka_unit_test(no_descriptor_is_lost_or_passed_on),
		cmocka_unit_test(the_end_of_its_talk_is_kept),
		cmocka_unit_test(all_of_an_output_is_digested),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
