/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running ld.so with a question. */
#include "sys/loader.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>

#include "base/buf.h"
#include "base/clock.h"

enum {
	PATIENCE_MS = 2000,
	ANSWER_MAX = 1 << 20
};

static void actions_done(posix_spawn_file_actions_t *actions)
{
	posix_spawn_file_actions_destroy(actions);
}

static int spawn(char *const *argv, char *const *envp, int out, pid_t *ret, struct lt_err *err)
{
	LT_AUTO(actions_done) posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, out, 1);
	posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	errno = posix_spawn(ret, argv[0], &actions, NULL, argv, envp);
	return errno ? lt_fail_sys(err, "LT-LOADER", "cannot start the loader '%.200s'", argv[0])
		     : 0;
}

/* All it says, unless it takes too long. */
static void hear(int fd, struct lt_buf *ret)
{
	int64_t until = lt_now_ns() + PATIENCE_MS * LT_NS_PER_MS;
	for (;;) {
		char part[4096];
		struct pollfd on = { .fd = fd, .events = POLLIN };
		int64_t left = (until - lt_now_ns()) / LT_NS_PER_MS;
		if (left <= 0 || ret->len > ANSWER_MAX || poll(&on, 1, (int)left) <= 0)
			return;
		ssize_t got = read(fd, part, sizeof(part));
		if (got <= 0)
			return;
		lt_buf_add(ret, part, (size_t)got);
	}
}

static int ask(char *const *argv, char *const *envp, struct lt_buf *ret, struct lt_err *err)
{
	int fds[2], status = 0;
	pid_t pid;
	if (pipe2(fds, O_CLOEXEC) < 0)
		return lt_fail_sys(err, "LT-LOADER", "cannot make a pipe");
	LT_AUTO_CLOSE int mine = fds[0];
	LT_AUTO_CLOSE int its = fds[1];
	int r = spawn(argv, envp, its, &pid, err);
	if (r < 0)
		return r;
	close(LT_TAKE_FD(its));
	hear(mine, ret);
	kill(pid, SIGKILL); /* one that has answered is a zombie by now, or ending */
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (ret->failed)
		return lt_fail_mem(err);
	if (!ret->len)
		return lt_fail(err, -ENOTSUP, "LT-LOADER",
			"the loader '%.200s' does not answer '%s'", argv[0], argv[1]);
	return 0;
}

int sys_loader_tunables(
	const char *loader, struct lt_arena *arena, const char **ret_text, struct lt_err *err)
{
	LT_AUTO_BUF struct lt_buf answer = { 0 };
	char option[] = "--list-tunables";
	char *path = lt_arena_strdup(arena, loader);
	char *argv[] = { path, option, NULL }, *envp[] = { NULL };
	if (!path)
		return lt_fail_mem(err);
	int r = ask(argv, envp, &answer, err);
	if (r < 0)
		return r;
	if (!strstr(answer.data, "(min: "))
		return lt_fail(err, -ENOTSUP, "LT-LOADER", "the loader '%.200s' knows no tunables",
			loader);
	*ret_text = lt_arena_strndup(arena, answer.data, answer.len);
	return *ret_text ? 0 : lt_fail_mem(err);
}

/* In lines "\tNAME => FILE (0x...)" or "\t/FILE (0x...)". */
static const char *file_of(const char *answer, const char *library, size_t *ret_len)
{
	size_t len = strlen(library);
	for (const char *line = answer; line; line = strchr(line, '\n')) {
		line += strspn(line, "\n\t ");
		if (strncmp(line, library, len) != 0 || line[len] != ' ')
			continue;
		const char *arrow = line + len;
		const char *file = !strncmp(arrow, " => ", 4) ? arrow + 4 : line;
		if (*file != '/')
			continue;
		*ret_len = strcspn(file, " \n");
		return file;
	}
	return NULL;
}

int sys_loader_find(const char *loader, const char *program, const char *library,
	struct lt_arena *arena, const char **ret_file, struct lt_err *err)
{
	LT_AUTO_BUF struct lt_buf answer = { 0 };
	char list[] = "--list";
	LT_AUTO_FREE char *of = realpath(program, NULL); /* /proc/self is another's, there */
	char *path = lt_arena_strdup(arena, loader);
	char *preload = lt_arena_printf(arena, "LD_PRELOAD=%s", library);
	const char *where = getenv("LD_LIBRARY_PATH");
	char *also = where ? lt_arena_printf(arena, "LD_LIBRARY_PATH=%s", where) : NULL;
	char *argv[] = { path, list, of, NULL }, *envp[] = { preload, also, NULL };
	if (!of)
		return lt_fail_sys(err, "LT-LOADER", "cannot find '%.200s'", program);
	if (!path || !preload)
		return lt_fail_mem(err);
	int r = ask(argv, envp, &answer, err);
	if (r < 0)
		return r;
	size_t len = 0;
	const char *file = file_of(answer.data, library, &len);
	*ret_file = file ? lt_arena_strndup(arena, file, len) : NULL;
	return file && !*ret_file ? lt_fail_mem(err) : 0;
}
