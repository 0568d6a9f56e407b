/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Talking to the launcher. Its program is part of leat's own file and runs from memory, so
 * leat works wherever it is copied. */
#include "run/launch.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include "base/buf.h"
#include "base/embed.h"
#include "base/outfile.h"
#include "sys/procfs.h"

LT_EMBED(run_launcher_image, LEAT_LAUNCHER);

static int image_fd(struct lt_err *err)
{
	LT_AUTO_CLOSE int fd = memfd_create("leat-launcher", MFD_CLOEXEC);
	if (fd < 0)
		return lt_fail_sys(
			err, "LT-LAUNCHER", "cannot make a memory file for the launcher");
	size_t len = (size_t)(run_launcher_image_end - run_launcher_image);
	/* To be told of a limit on file sizes, not killed by it. */
	void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
	int r = lt_write_all(fd, run_launcher_image, len, NULL);
	signal(SIGXFSZ, before);
	if (r < 0) {
		lt_err_set(err, -ENOTSUP, "LT-LAUNCHER", "cannot put the launcher into memory");
		return lt_hint(
			err, "it takes %zu bytes; is the size of files limited (ulimit -f)?", len);
	}
	return LT_TAKE_FD(fd);
}

/* In the child of fork. */
static void become_launcher(int image, int sock)
{
	static char name[] = "leat-launcher";
	char number[16];
	snprintf(number, sizeof(number), "%d", sock);
	char *argv[] = { name, number, NULL }, *envp[] = { NULL };
	fcntl(sock, F_SETFD, 0);
	fexecve(image, argv, envp);
	_exit(127);
}

/* Returns once the launcher has called exec: perf events opened on it earlier would take
 * that exec for a program's. The pipe's other end closes with the exec. */
static pid_t start_launcher(int image, int sock)
{
	int ready[2];
	if (pipe2(ready, O_CLOEXEC) < 0)
		return -1;
	pid_t pid = fork();
	if (pid == 0)
		become_launcher(image, sock);
	int error = errno;
	close(ready[1]);
	char byte;
	while (pid > 0 && read(ready[0], &byte, 1) < 0 && errno == EINTR)
		;
	close(ready[0]);
	errno = error;
	return pid;
}

int launcher_open(struct launcher *l, struct lt_err *err)
{
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return lt_fail_sys(err, "LT-LAUNCHER", "cannot make a socket for the launcher");
	LT_AUTO_CLOSE int mine = pair[0];
	LT_AUTO_CLOSE int its = pair[1];
	LT_AUTO_CLOSE int image = image_fd(err);
	if (image < 0)
		return image;
	int r = lt_cpuset_allowed(&l->cpus, err);
	if (r < 0)
		return r;
	prctl(PR_SET_CHILD_SUBREAPER, 1); /* heir to the launcher's children */
	pid_t pid = start_launcher(image, its);
	if (pid < 0)
		return lt_fail_sys(err, "LT-LAUNCHER", "cannot start the launcher");
	l->pid = pid;
	l->fd = LT_TAKE_FD(mine);
	return 0;
}

static int kill_one(void *ctx, pid_t pid)
{
	(void)ctx;
	kill(pid, SIGKILL);
	return 0;
}

/* The launcher itself was killed: what it ran is ours then. */
static void end_orphans(void)
{
	LT_AUTO_CLOSE int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	pid_t pid;
	while ((pid = waitpid(-1, NULL, WNOHANG)) >= 0) {
		struct timespec pause = { .tv_nsec = 300000 };
		if (pid > 0)
			continue;
		if (sys_for_descendants(root, getpid(), kill_one, NULL) < 0)
			return; /* without procfs nobody knows them */
		nanosleep(&pause, NULL);
	}
}

void launcher_close(struct launcher *l)
{
	if (l->fd >= 0)
		close(l->fd);
	if (l->pid > 0) {
		int status = 0;
		while (waitpid(l->pid, &status, 0) < 0 && errno == EINTR)
			;
		if (WIFSIGNALED(status))
			end_orphans();
	}
	*l = (struct launcher)LAUNCHER_NONE;
}

static int send_all(struct launcher *l, const void *bytes, size_t len, struct lt_err *err)
{
	const char *at = bytes;
	while (len > 0) {
		ssize_t put = send(l->fd, at, len, MSG_NOSIGNAL);
		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return lt_fail_sys(err, "LT-LAUNCHER", "the launcher is gone");
		at += put;
		len -= (size_t)put;
	}
	return 0;
}

/* A request, with three descriptors and a block of strings if it has them, in one call. */
static int send_request(struct launcher *l, const struct launch_request *req, const int *fds,
	const struct lt_buf *block, struct lt_err *err)
{
	union {
		char bytes[CMSG_SPACE(3 * sizeof(int))];
		struct cmsghdr align;
	} control = { 0 };
	struct iovec iov[2] = { { .iov_base = (void *)req, .iov_len = sizeof(*req) } };
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 1 };
	if (block) {
		iov[1] = (struct iovec){ .iov_base = block->data, .iov_len = block->len };
		msg.msg_iovlen = 2;
	}
	if (fds) {
		msg.msg_control = control.bytes;
		msg.msg_controllen = sizeof(control.bytes);
		struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(3 * sizeof(int));
		memcpy(CMSG_DATA(c), fds, 3 * sizeof(int));
	}
	ssize_t put;
	do
		put = sendmsg(l->fd, &msg, MSG_NOSIGNAL);
	while (put < 0 && errno == EINTR);
	if (put <= 0)
		return lt_fail_sys(err, "LT-LAUNCHER", "the launcher is gone");
	size_t sent = (size_t)put, head = sizeof(*req);
	int r = 0;
	if (sent < head)
		r = send_all(l, (const char *)req + sent, head - sent, err);
	size_t of_block = sent > head ? sent - head : 0;
	if (r >= 0 && block && of_block < block->len)
		r = send_all(l, block->data + of_block, block->len - of_block, err);
	return r;
}

static uint32_t add_strings(struct lt_buf *block, char *const *strings)
{
	uint32_t n = 0;
	for (; strings[n]; n++)
		lt_buf_add(block, strings[n], strlen(strings[n]) + 1);
	return n;
}

int launcher_start(struct launcher *l, const struct launch_command *cmd, struct lt_err *err)
{
	LT_AUTO_BUF struct lt_buf block = { 0 };
	const char *cwd = cmd->cwd ? cmd->cwd : "";
	lt_buf_add(&block, cmd->path, strlen(cmd->path) + 1);
	lt_buf_add(&block, cwd, strlen(cwd) + 1);
	struct launch_request req = {
		.op = LAUNCH_START, .flags = cmd->flags, .sigmask = cmd->sigmask
	};
	req.argc = add_strings(&block, cmd->argv);
	req.envc = add_strings(&block, cmd->envp);
	if (block.failed)
		return lt_fail_mem(err);
	if (block.len > UINT32_MAX / 2)
		return lt_fail(err, -E2BIG, "LT-COMMAND-LONG", "the command line is too long");
	req.bytes = (uint32_t)block.len;
	if (cmd->pin) {
		req.flags |= LAUNCH_PIN;
		memcpy(req.cpus, cmd->pin->bits, sizeof(req.cpus));
	}
	return send_request(l, &req, cmd->fds, &block, err);
}

static int send_op(struct launcher *l, uint32_t op, uint32_t flags, int signal, struct lt_err *err)
{
	struct launch_request req = { .op = op, .flags = flags, .signal = (uint32_t)signal };
	return send_request(l, &req, NULL, NULL, err);
}

int launcher_signal(struct launcher *l, int signal, bool group, struct lt_err *err)
{
	return send_op(l, LAUNCH_SIGNAL, group ? LAUNCH_SESSION : 0, signal, err);
}

int launcher_kill(struct launcher *l, struct lt_err *err)
{
	return send_op(l, LAUNCH_KILL, 0, 0, err);
}

int launcher_end(struct launcher *l, struct lt_err *err)
{
	return send_op(l, LAUNCH_END, 0, 0, err);
}

void launcher_roam(struct launcher *l)
{
	sched_setaffinity(l->pid, sizeof(l->cpus.bits), (cpu_set_t *)l->cpus.bits);
}

int launcher_hear(struct launcher *l, struct launch_reply *ret, struct lt_err *err)
{
	char *at = (char *)ret;
	for (size_t left = sizeof(*ret); left > 0;) {
		ssize_t got = read(l->fd, at, left);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return lt_fail_sys(err, "LT-LAUNCHER", "cannot hear the launcher");
		if (got == 0)
			return lt_fail(
				err, -EPIPE, "LT-LAUNCHER", "the launcher ended unexpectedly");
		at += got;
		left -= (size_t)got;
	}
	return 0;
}
