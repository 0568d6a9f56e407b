/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening, emptying and keeping the program's streams. */
#include "run/streams.h"

#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"

enum {
	PIPE_SIZE = 1 << 20,
	KEEP_LIMIT = 64 << 20
};

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int open_pipe(int *ret_read, int *ret_write, struct lt_err *err)
{
	int fds[2];
	if (pipe2(fds, O_CLOEXEC) < 0)
		return lt_fail_sys(err, "LT-STREAM", "cannot make a pipe");
	fcntl(fds[1], F_SETPIPE_SZ, PIPE_SIZE); /* fewer wakeups; the default does too */
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	*ret_read = fds[0];
	*ret_write = fds[1];
	return 0;
}

/* A file without a name, in TMPDIR or /tmp. */
static int open_unnamed(struct lt_err *err)
{
	const char *dir = getenv("TMPDIR");
	if (!dir || !*dir)
		dir = "/tmp";
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0) {
		char path[512];
		snprintf(path, sizeof(path), "%.480s/leat-XXXXXX", dir);
		fd = mkostemp(path, O_CLOEXEC);
		if (fd >= 0)
			unlink(path);
	}
	if (fd >= 0)
		return fd;
	lt_fail_sys(err, "LT-STREAM", "cannot make a file in '%.200s'", dir);
	if (err)
		err->code = -EROFS; /* whatever it was: the machine's state, not leat's fault */
	return lt_hint(err, "TMPDIR names a folder that can be written; --stdout pipe needs none");
}

/* Opening a pipe by name waits for its other end, and what was read from one is gone. */
static bool is_pipe(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

/* Told now, not after a warm-up. */
static int check_stdin(const char *path, struct lt_err *err)
{
	if (is_pipe(path)) {
		lt_err_set(err, -ESPIPE, "LT-STDIN",
			"'%.200s' is a pipe: only one run could read it", path);
		return lt_hint(err, "save what comes through it to a file, or use --stdin inherit");
	}
	LT_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	if (fd < 0)
		return lt_fail_sys(err, "LT-STDIN", "cannot read '%.200s'", path);
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
		return lt_fail(
			err, -EISDIR, "LT-STDIN", "cannot read '%.200s': it is a directory", path);
	return 0;
}

static int check_stdout(const char *path, struct lt_err *err)
{
	if (is_pipe(path))
		return lt_fail(err, -ESPIPE, "LT-STDOUT", "'%.200s' is a pipe, not a file", path);
	LT_AUTO_CLOSE int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	return fd < 0 ? lt_fail_sys(err, "LT-STDOUT", "cannot write '%.200s'", path) : 0;
}

int streams_open(struct streams *s, const struct run_opts *opts, struct lt_err *err)
{
	*s = (struct streams)STREAMS_NONE;
	s->opts = opts;
	s->keep = opts->work_from != NULL;
	s->null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (s->null_fd < 0)
		return lt_fail_sys(err, "LT-STREAM", "cannot open the null device");
	int r = opts->stdin_mode == RUN_STDIN_FILE ? check_stdin(opts->stdin_path, err) : 0;
	if (r >= 0 && opts->stdout_path)
		r = check_stdout(opts->stdout_path, err);
	if (r >= 0)
		r = open_pipe(&s->err_read, &s->err_write, err);
	if (r < 0)
		return r;
	if (opts->stdout_mode == RUN_STDOUT_FILE && !opts->stdout_path) {
		s->out_file = open_unnamed(err);
		if (s->out_file < 0)
			return s->out_file;
	}
	return 0;
}

void streams_close(struct streams *s)
{
	close_fd(&s->null_fd);
	close_fd(&s->in_write);
	close_fd(&s->err_read);
	close_fd(&s->err_write);
	close_fd(&s->out_read);
	close_fd(&s->out_write);
	close_fd(&s->out_file);
	lt_buf_done(&s->kept);
}

/* A descriptor of its own for the child: never below 3, so that none of the three is in
 * the way of another. */
static int own_copy(int fd, struct lt_err *err)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return copy < 0 ? lt_fail_sys(err, "LT-STREAM", "cannot duplicate a descriptor") : copy;
}

/* A pipe that nobody writes to: who reads it waits, and can be seen. */
static int begin_probe(struct streams *s, struct lt_err *err)
{
	int fds[2];
	if (pipe2(fds, O_CLOEXEC) < 0)
		return lt_fail_sys(err, "LT-STREAM", "cannot make a pipe");
	LT_AUTO_CLOSE int its = fds[0];
	close_fd(&s->in_write);
	s->in_write = fds[1];
	return own_copy(its, err);
}

void streams_end_stdin(struct streams *s)
{
	close_fd(&s->in_write);
}

static int begin_stdin(struct streams *s, struct lt_err *err)
{
	switch (s->opts->stdin_mode) {
	case RUN_STDIN_INHERIT:
		return own_copy(STDIN_FILENO, err);
	case RUN_STDIN_FILE: {
		LT_AUTO_CLOSE int fd = open(s->opts->stdin_path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return lt_fail_sys(
				err, "LT-STDIN", "cannot read '%.200s'", s->opts->stdin_path);
		return own_copy(fd, err);
	}
	case RUN_STDIN_EMPTY:
		break;
	}
	return s->probe ? begin_probe(s, err) : own_copy(s->null_fd, err);
}

static int begin_stdout(struct streams *s, struct lt_err *err)
{
	switch (s->opts->stdout_mode) {
	case RUN_STDOUT_INHERIT:
		return own_copy(STDOUT_FILENO, err);
	case RUN_STDOUT_PIPE: {
		int r = open_pipe(&s->out_read, &s->out_write, err);
		return r < 0 ? r : own_copy(s->out_write, err);
	}
	case RUN_STDOUT_FILE:
		if (s->opts->stdout_path) {
			LT_AUTO_CLOSE int fd = open(
				s->opts->stdout_path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
			if (fd < 0)
				return lt_fail_sys(err, "LT-STDOUT", "cannot write '%.200s'",
					s->opts->stdout_path);
			close_fd(&s->out_file);
			s->out_file = LT_TAKE_FD(fd);
		} else if (ftruncate(s->out_file, 0) < 0 || lseek(s->out_file, 0, SEEK_SET) < 0) {
			return lt_fail_sys(err, "LT-STDOUT", "cannot empty the output file");
		}
		return own_copy(s->out_file, err);
	case RUN_STDOUT_NULL:
		break;
	}
	return own_copy(s->null_fd, err);
}

static int begin_terminal(struct streams *s, int fds[3], struct lt_err *err)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	if (openpty(&s->out_read, &s->out_write, NULL, NULL, &size) < 0)
		return lt_fail_sys(err, "LT-STREAM", "cannot make a pseudo-terminal");
	fcntl(s->out_read, F_SETFD, FD_CLOEXEC);
	fcntl(s->out_write, F_SETFD, FD_CLOEXEC);
	fcntl(s->out_read, F_SETFL, O_NONBLOCK);
	for (int i = 0; i < 3; i++) {
		fds[i] = own_copy(s->out_write, err);
		if (fds[i] < 0)
			return fds[i];
	}
	return 0;
}

int streams_begin(struct streams *s, int ret_fds[3], struct lt_err *err)
{
	ret_fds[0] = ret_fds[1] = ret_fds[2] = -1;
	s->talk_len = 0;
	s->talk[0] = '\0';
	s->out_bytes = 0;
	s->asked_len = 0;
	s->hung_up_ns = 0;
	lt_buf_reset(&s->kept);
	close_fd(&s->out_read);
	if (s->opts->pty)
		return begin_terminal(s, ret_fds, err);
	ret_fds[0] = begin_stdin(s, err);
	if (ret_fds[0] < 0)
		return ret_fds[0];
	ret_fds[1] = begin_stdout(s, err);
	if (ret_fds[1] < 0)
		return ret_fds[1];
	ret_fds[2] = own_copy(s->opts->stderr_inherit ? STDERR_FILENO : s->err_write, err);
	return ret_fds[2] < 0 ? ret_fds[2] : 0;
}

void streams_started(struct streams *s, int fds[3])
{
	for (int i = 0; i < 3; i++)
		close_fd(&fds[i]);
	if (!s->opts->pty) /* the terminal would say EIO without a writer */
		close_fd(&s->out_write);
}

int streams_poll(struct streams *s, struct pollfd on[STREAMS_POLL])
{
	on[0] = (struct pollfd){ .fd = s->err_read, .events = POLLIN };
	on[1] = (struct pollfd){ .fd = s->hung_up_ns ? -1 : s->out_read, .events = POLLIN };
	return STREAMS_POLL;
}

static void add_talk(struct streams *s, const char *bytes, size_t len)
{
	if (len >= STREAMS_TALK) {
		memcpy(s->talk, bytes + len - STREAMS_TALK, STREAMS_TALK);
		s->talk_len = STREAMS_TALK;
		return;
	}
	size_t room = STREAMS_TALK - s->talk_len;
	if (len > room) {
		memmove(s->talk, s->talk + (len - room), s->talk_len - (len - room));
		s->talk_len -= len - room;
	}
	memcpy(s->talk + s->talk_len, bytes, len);
	s->talk_len += len;
	s->talk[s->talk_len] = '\0';
}

/* Reads once, at most a bufferful; > 0 while more may come. */
static ssize_t drain_talk(struct streams *s)
{
	char buf[16384];
	ssize_t got = read(s->err_read, buf, sizeof(buf));
	if (got > 0)
		add_talk(s, buf, (size_t)got);
	return got;
}

/* Programs that ask their terminal what it is, or where the cursor is, wait for an answer
 * (ECMA-48 DA and CPR); answers come in the order of the questions. */
static const struct {
	const char *ask, *answer;
} queries[] = { { "\033[c", "\033[?62;c" }, { "\033[0c", "\033[?62;c" },
	{ "\033[6n", "\033[1;1R" } };

/* What was read so far of a question may be its begin; it goes on in what comes next. */
static bool may_ask(const struct streams *s)
{
	for (size_t i = 0; i < LT_COUNT(queries); i++)
		if (!strncmp(queries[i].ask, s->asked, s->asked_len))
			return true;
	return false;
}

static bool answer(struct streams *s)
{
	for (size_t i = 0; i < LT_COUNT(queries); i++)
		if (!strcmp(queries[i].ask, s->asked))
			return write(s->out_read, queries[i].answer, strlen(queries[i].answer)) >=
				0;
	return true;
}

static void answer_terminal(struct streams *s, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		s->asked[s->asked_len++] = bytes[i];
		s->asked[s->asked_len] = '\0';
		if (!may_ask(s)) {
			s->asked_len = 0;
			if (bytes[i] != '\033')
				continue;
			s->asked[s->asked_len++] = bytes[i];
		} else if (!answer(s)) {
			return; /* the terminal is full: it will ask again or time out */
		}
	}
}

/* The end of the output is what matters: beyond the limit the older half goes. */
static void keep_end(struct streams *s, const char *bytes, size_t len)
{
	if (s->kept.len + len > KEEP_LIMIT) {
		size_t half = s->kept.len / 2;
		memmove(s->kept.data, s->kept.data + half, s->kept.len - half);
		s->kept.len -= half;
	}
	lt_buf_add(&s->kept, bytes, len);
}

static ssize_t drain_out(struct streams *s)
{
	if (!s->keep && !s->opts->pty) {
		ssize_t got =
			splice(s->out_read, NULL, s->null_fd, NULL, PIPE_SIZE, SPLICE_F_NONBLOCK);
		s->out_bytes += got > 0 ? (double)got : 0;
		return got;
	}
	char buf[65536];
	ssize_t got = read(s->out_read, buf, sizeof(buf));
	if (got <= 0)
		return got;
	s->out_bytes += (double)got;
	if (s->opts->pty) {
		answer_terminal(s, buf, (size_t)got);
		add_talk(s, buf, (size_t)got);
	}
	if (s->keep)
		keep_end(s, buf, (size_t)got);
	return got;
}

void streams_serve(struct streams *s, const struct pollfd *on, int n)
{
	if (n > 0 && on[0].revents)
		drain_talk(s);
	if (n > 1 && on[1].revents && drain_out(s) == 0 && (on[1].revents & POLLHUP))
		s->hung_up_ns = lt_now_ns();
}

void streams_end(struct streams *s)
{
	close_fd(&s->in_write);
	/* What a left-over writer still adds is not waited for: at most one pipeful each. */
	for (int i = 0; i < PIPE_SIZE / 4096 && drain_talk(s) > 0; i++)
		;
	if (s->out_read >= 0)
		for (int i = 0; i < PIPE_SIZE / 4096 && drain_out(s) > 0; i++)
			;
	close_fd(&s->out_write);
}

int streams_output(struct streams *s, struct lt_buf *ret, struct lt_err *err)
{
	lt_buf_reset(ret);
	if (s->out_file < 0) {
		lt_buf_add(ret, s->kept.data ? s->kept.data : "", s->kept.len);
		return ret->failed ? lt_fail_mem(err) : 0;
	}
	struct stat st;
	if (fstat(s->out_file, &st) < 0)
		return lt_fail_sys(err, "LT-STDOUT", "cannot read the program's output back");
	off_t at = st.st_size > KEEP_LIMIT ? st.st_size - KEEP_LIMIT : 0; /* the end matters */
	while (at < st.st_size) {
		if (!lt_buf_reserve(ret, 65536))
			return lt_fail_mem(err);
		ssize_t got = pread(s->out_file, ret->data + ret->len, 65536, at);
		if (got < 0)
			return lt_fail_sys(
				err, "LT-STDOUT", "cannot read the program's output back");
		if (got == 0)
			break;
		ret->len += (size_t)got;
		ret->data[ret->len] = '\0';
		at += got;
	}
	return 0;
}

int streams_digest(struct streams *s, struct digest *ret, struct lt_err *err)
{
	char buf[65536];
	digest_begin(ret);
	for (;;) {
		ssize_t got = pread(s->out_file, buf, sizeof(buf), (off_t)ret->bytes);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return lt_fail_sys(
				err, "LT-STDOUT", "cannot read the program's output back");
		if (got == 0)
			return 0;
		digest_add(ret, buf, (size_t)got);
	}
}
