/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The launcher: a tiny static program that starts every trial. It stays small because a
 * program's peak memory starts at what its parent held when it called exec, and it never
 * shares memory with leat, so that starting costs the same whatever leat has grown to.
 * It is the subreaper of everything the program starts. It ends, and ends them, when leat
 * does: the socket then reads as closed. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run/launch_wire.h"

/* Written by the child of vfork, read by the parent it shares memory with. */
static volatile struct {
	int error;
	uint32_t stage;
	int64_t begin_ns;
} child;

static struct launch_request req;
static struct launch_reply rep;
static int fds[3] = { -1, -1, -1 };
static char *block; /* the strings of the last LAUNCH_START */
static size_t block_size;
static uint32_t run_flags;
static pid_t program;       /* running, or a zombie waiting for LAUNCH_END; 0 = none */
static int awaited_fd = -1; /* pidfd of the program, or of a descendant it left; -1 = idle */
static int program_ended;

static int64_t now_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* 0 when all came, -1 at the end of the stream or on an error. */
static int recv_all(void *to, size_t len)
{
	char *at = to;
	while (len > 0) {
		ssize_t got = read(LAUNCH_FD, at, len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return -1;
		at += got;
		len -= (size_t)got;
	}
	return 0;
}

/* The request's first bytes carry the descriptors. */
static int recv_request(void)
{
	union {
		char bytes[CMSG_SPACE(sizeof(fds))];
		struct cmsghdr align;
	} control;
	struct iovec iov = { .iov_base = &req, .iov_len = sizeof(req) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	msg.msg_control = control.bytes;
	msg.msg_controllen = sizeof(control.bytes);
	ssize_t got;
	do
		got = recvmsg(LAUNCH_FD, &msg, MSG_CMSG_CLOEXEC);
	while (got < 0 && errno == EINTR);
	if (got <= 0)
		return -1;
	struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
	if (c && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof(fds)))
		memcpy(fds, CMSG_DATA(c), sizeof(fds));
	return recv_all((char *)&req + got, sizeof(req) - (size_t)got);
}

static void reply(uint32_t said)
{
	rep.said = said;
	const char *at = (const char *)&rep;
	for (size_t left = sizeof(rep); left > 0;) {
		ssize_t put = send(LAUNCH_FD, at, left, MSG_NOSIGNAL);
		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return; /* leat is gone: the next read says so too */
		at += put;
		left -= (size_t)put;
	}
}

/* Calls `each` for every direct child; how many there were, -1 when procfs cannot tell. */
static int for_children(void (*each)(pid_t))
{
	int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	int n = 0;
	pid_t pid = 0;
	char buf[512];
	ssize_t got;
	while ((got = read(fd, buf, sizeof(buf))) > 0) {
		for (ssize_t i = 0; i < got; i++) {
			if (buf[i] >= '0' && buf[i] <= '9') {
				pid = pid * 10 + (buf[i] - '0');
			} else if (pid) {
				n++;
				each(pid);
				pid = 0;
			}
		}
	}
	close(fd);
	return n;
}

static void add_usage(struct launch_usage *sum, const struct rusage *more)
{
	sum->utime_us += (int64_t)more->ru_utime.tv_sec * 1000000 + more->ru_utime.tv_usec;
	sum->stime_us += (int64_t)more->ru_stime.tv_sec * 1000000 + more->ru_stime.tv_usec;
	if (sum->maxrss_kib < more->ru_maxrss)
		sum->maxrss_kib = more->ru_maxrss;
	sum->minflt += more->ru_minflt;
	sum->majflt += more->ru_majflt;
	sum->inblock += more->ru_inblock;
	sum->oublock += more->ru_oublock;
	sum->nvcsw += more->ru_nvcsw;
	sum->nivcsw += more->ru_nivcsw;
}

static void kill_child(pid_t pid)
{
	kill(pid, SIGKILL);
}

static int n_running;
static pid_t one_running;

/* An orphan that has ended is reaped and its use added up; one that runs is counted. */
static void settle_orphan(pid_t pid)
{
	if (pid == program)
		return;
	struct rusage usage;
	if (wait4(pid, NULL, WNOHANG, &usage) == pid)
		add_usage(&rep.orphans, &usage);
	else if (n_running++ == 0)
		one_running = pid;
}

/* Reaps every zombie, the program too. Returns 1 while children are left. */
static int reap(void)
{
	for (;;) {
		struct rusage usage;
		pid_t pid = wait4(-1, NULL, WNOHANG, &usage);
		if (pid == 0)
			return 1;
		if (pid < 0)
			return 0;
		if (pid != program)
			add_usage(&rep.orphans, &usage);
	}
}

/* Every descendant becomes our child as its parents die, so sweeping the children until
 * none is left ends the whole tree, however it is made. */
static void end_tree(void)
{
	while (reap()) {
		for_children(kill_child);
		struct timespec pause = { .tv_nsec = 300000 };
		nanosleep(&pause, NULL);
	}
}

static void child_fail(uint32_t stage)
{
	child.error = errno;
	child.stage = stage;
	_exit(127);
}

/* In the child of vfork: system calls only, nothing of the parent's is changed. */
static void child_exec(const char *path, const char *cwd, char **argv, char **envp)
{
	if (req.flags & LAUNCH_SESSION)
		setsid();
	for (int i = 0; i < 3; i++)
		dup2(fds[i], i); /* they were received above 2, so none is in the way */
	if (req.flags & LAUNCH_TERMINAL)
		ioctl(0, TIOCSCTTY, 0);
	if (*cwd && chdir(cwd) < 0)
		child_fail(LAUNCH_STAGE_CHDIR);
	if ((req.flags & LAUNCH_PIN) &&
		syscall(SYS_sched_setaffinity, 0, sizeof(req.cpus), req.cpus) < 0)
		child_fail(LAUNCH_STAGE_PIN);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &req.sigmask, NULL, sizeof(req.sigmask));
	child.begin_ns = now_ns();
	execve(path, argv, envp);
	child_fail(LAUNCH_STAGE_EXEC);
}

/* Splits the block into path, directory, arguments and variables. */
static char **split_block(char **ret_path, char **ret_cwd, char ***ret_envp)
{
	static char **words;
	static size_t room;
	size_t need = (size_t)req.argc + req.envc + 2;
	if (need > room) {
		char **more = realloc(words, need * sizeof(*words));
		if (!more)
			return NULL;
		words = more;
		room = need;
	}
	char *s = block;
	*ret_path = s;
	*ret_cwd = s += strlen(s) + 1;
	size_t n = 0;
	for (uint32_t i = 0; i < req.argc; i++)
		words[n++] = s += strlen(s) + 1;
	words[n++] = NULL;
	*ret_envp = words + n;
	for (uint32_t i = 0; i < req.envc; i++)
		words[n++] = s += strlen(s) + 1;
	words[n++] = NULL;
	return words;
}

static int recv_block(void)
{
	if (req.bytes > block_size) {
		if (block)
			munmap(block, block_size);
		block_size = (req.bytes + 4095) & ~(size_t)4095;
		block = mmap(NULL, block_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			-1, 0);
		if (block == MAP_FAILED)
			return -1;
	}
	return recv_all(block, req.bytes);
}

static uint32_t own_wakeups(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return (uint32_t)usage.ru_nvcsw;
}

static void start(void)
{
	char *path, *cwd, **envp, **argv = split_block(&path, &cwd, &envp);
	memset(&rep, 0, sizeof(rep));
	child.error = argv ? 0 : ENOMEM;
	child.stage = LAUNCH_STAGE_FORK;
	pid_t pid = -1;
	if (argv) {
		pid = vfork();
		if (pid == 0)
			child_exec(path, cwd, argv, envp);
		if (pid < 0)
			child.error = errno;
	}
	for (int i = 0; i < 3; i++) {
		close(fds[i]);
		fds[i] = -1;
	}
	rep.pid = pid;
	rep.error = child.error;
	rep.stage = child.stage;
	if (child.error) {
		if (pid > 0)
			waitpid(pid, NULL, 0);
		reply(LAUNCH_SAID_NOT_STARTED);
		return;
	}
	program = pid;
	program_ended = 0;
	run_flags = req.flags;
	awaited_fd = (int)syscall(SYS_pidfd_open, pid, 0);
	rep.wakeups = own_wakeups();
}

/* The program has ended: note how, while procfs still knows it. */
static void take_program(void)
{
	siginfo_t info = { 0 };
	struct rusage usage;
	syscall(SYS_waitid, P_PID, program, &info, WEXITED | WNOWAIT, &usage);
	add_usage(&rep.usage, &usage);
	rep.begin_ns = child.begin_ns;
	rep.how = info.si_code;
	rep.status = info.si_status;
	program_ended = 1;
}

/* Whom we awaited has ended: the program, or a descendant it left. */
static void ended(void)
{
	rep.end_ns = now_ns();
	close(awaited_fd);
	awaited_fd = -1;
	if (!program_ended)
		take_program();
	n_running = 0;
	rep.others = for_children(settle_orphan) < 0 ? -1 : n_running;
	if ((run_flags & LAUNCH_WAIT) && rep.others > 0)
		awaited_fd = (int)syscall(SYS_pidfd_open, one_running, 0);
	if (awaited_fd >= 0)
		return;
	rep.wakeups = own_wakeups() - rep.wakeups;
	reply(LAUNCH_SAID_EXITED);
}

static void answer(void)
{
	switch (req.op) {
	case LAUNCH_START:
		if (recv_block() < 0)
			exit(1);
		reap(); /* the zombie of the run before */
		program = 0;
		start();
		return;
	case LAUNCH_SIGNAL:
		if (awaited_fd >= 0) {
			if (req.flags & LAUNCH_SESSION)
				kill(-program, (int)req.signal);
			kill(program, (int)req.signal);
		}
		return;
	case LAUNCH_KILL:
		for_children(kill_child);
		return;
	case LAUNCH_END:
		end_tree();
		program = 0;
		reply(LAUNCH_SAID_CLEAN);
		return;
	default:
		exit(1);
	}
}

int main(void)
{
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	fcntl(LAUNCH_FD, F_SETFD, FD_CLOEXEC); /* the programs must not have it */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_NAME, "leat-launcher");
	for (;;) {
		struct pollfd on[2] = {
			{ .fd = LAUNCH_FD, .events = POLLIN },
			{ .fd = awaited_fd, .events = POLLIN },
		};
		if (poll(on, 2, -1) < 0)
			continue;
		if (awaited_fd >= 0 && on[1].revents)
			ended();
		if (on[0].revents && recv_request() < 0) {
			end_tree();
			return 0;
		}
		if (on[0].revents)
			answer();
	}
}
