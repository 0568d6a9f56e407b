/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The launcher: a tiny static program that starts every trial. It stays small because a
 * program's peak memory starts at what its parent held when it called exec, and it never
 * shares memory with leat, so that starting costs the same whatever leat has grown to.
 * It is the subreaper of everything the program starts. It ends, and ends them, when leat
 * does: the socket then reads as closed. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
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
	int64_t begin_wait_ns;
	int32_t begin_read_chars;
} child;

static int sock; /* to leat */
static struct launch_request req;
static struct launch_reply rep;
static int fds[3] = { -1, -1, -1 };
static char *block; /* the strings of the last LAUNCH_START */
static size_t block_size;
static uint32_t run_flags;
static pid_t program; /* running, or a zombie waiting for LAUNCH_END; 0 = none */

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
		ssize_t got = read(sock, at, len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return -1;
		at += got;
		len -= (size_t)got;
	}
	return 0;
}

/* The request's first bytes carry the descriptors. 1 = there is one, 0 = none is waiting
 * (flags MSG_DONTWAIT), -1 = leat is gone. */
static int recv_request(int flags)
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
		got = recvmsg(sock, &msg, flags | MSG_CMSG_CLOEXEC);
	while (got < 0 && errno == EINTR);
	if (got < 0 && errno == EAGAIN)
		return 0;
	if (got <= 0)
		return -1;
	struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
	if (c && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof(fds)))
		memcpy(fds, CMSG_DATA(c), sizeof(fds));
	return recv_all((char *)&req + got, sizeof(req) - (size_t)got) < 0 ? -1 : 1;
}

static void reply(uint32_t said)
{
	rep.said = said;
	const char *at = (const char *)&rep;
	for (size_t left = sizeof(rep); left > 0;) {
		ssize_t put = send(sock, at, left, MSG_NOSIGNAL);
		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return; /* leat is gone: the next read says so too */
		at += put;
		left -= (size_t)put;
	}
}

/* open() of musl adds a call to set what the kernel has already set. */
static int open_to_read(const char *path)
{
	return (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
}

/* Calls `each` for every direct child; how many there were, -1 when procfs cannot tell.
 * The file is kept open: finding it costs more than reading it. */
static int for_children(void (*each)(pid_t))
{
	static int fd = -1;
	if (fd < 0)
		fd = open_to_read("/proc/thread-self/children");
	if (fd < 0)
		return -1;
	int n = 0;
	pid_t pid = 0;
	char buf[512];
	ssize_t got;
	for (off_t at = 0; (got = pread(fd, buf, sizeof(buf), at)) > 0; at += got) {
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
	return got < 0 ? -1 : n;
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

static int n_running, n_reaped;
static pid_t one_running;

/* An orphan that has ended is reaped and its use added up; one that runs is counted. */
static void settle_orphan(pid_t pid)
{
	if (pid == program)
		return;
	struct rusage usage;
	if (wait4(pid, NULL, WNOHANG, &usage) == pid) {
		add_usage(&rep.orphans, &usage);
		n_reaped++;
	} else if (n_running++ == 0) {
		one_running = pid;
	}
}

/* How many orphans are still running, -1 when procfs cannot tell. Reaping while reading the
 * list makes the kernel skip some of a long one, so it is read until nothing is reaped. */
static int settle_orphans(void)
{
	int known = -1;
	do {
		n_running = n_reaped = 0;
		known = for_children(settle_orphan);
	} while (known >= 0 && n_reaped > 0);
	return known < 0 ? -1 : n_running;
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

/* Without procfs only the program and its process group are known. */
static int kill_children(void)
{
	int n = for_children(kill_child);
	if (n < 0 && program) {
		kill(-program, SIGKILL);
		kill(program, SIGKILL);
	}
	return n;
}

/* Every descendant becomes our child as its parents die, so sweeping the children until
 * none is left ends the whole tree, however it is made. */
static void end_tree(void)
{
	for (int blind = 0; reap() && blind < 100;) {
		blind = kill_children() < 0 ? blind + 1 : 0;
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

/* Time on a CPU and time waiting for one, since the fork. A kernel that keeps no such times
 * writes zeros; whoever reads this has run at least once. Returns the bytes read, in one
 * call: a child's are counted as the program's. */
static int32_t run_queue_times(const char *path, int64_t *ret_run_ns, int64_t *ret_wait_ns)
{
	char buf[96];
	int64_t num[3] = { 0 }; /* run, wait, times it got a CPU */
	int fd = open_to_read(path);
	ssize_t got = fd < 0 ? -1 : read(fd, buf, sizeof(buf));
	for (ssize_t i = 0, n = 0; i < got && n < 3; i++) {
		if (buf[i] >= '0' && buf[i] <= '9')
			num[n] = num[n] * 10 + (buf[i] - '0');
		else
			n++;
	}
	if (fd >= 0)
		close(fd);
	*ret_run_ns = num[2] ? num[0] : -1;
	*ret_wait_ns = num[1];
	return got > 0 ? (int32_t)got : 0;
}

/* The CPUs that leat may use: those of the programs, too, unless they are pinned. */
static unsigned long all_cpus[4096 / 64];

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
	bool pin = req.flags & LAUNCH_PIN;
	if (syscall(SYS_sched_setaffinity, 0, pin ? sizeof(req.cpus) : sizeof(all_cpus),
		    pin ? (void *)req.cpus : (void *)all_cpus) < 0 &&
		pin)
		child_fail(LAUNCH_STAGE_PIN);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &req.sigmask, NULL, sizeof(req.sigmask));
	int64_t run_ns, wait_ns;
	child.begin_read_chars = run_queue_times("/proc/self/schedstat", &run_ns, &wait_ns);
	child.begin_wait_ns = wait_ns;
	child.begin_ns = now_ns();
	execve(path, argv, envp);
	child_fail(LAUNCH_STAGE_EXEC);
}

/* Splits the block into path, directory, arguments and variables. */
__attribute__((noinline)) static char **split_block(
	char **ret_path, char **ret_cwd, char ***ret_envp)
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

/* At once, and after waitid, which brings the time on a CPU up to date: a dying thread that
 * loses its CPU goes on to wait, but no longer in the window. */
static void take_run_queue_times(void)
{
	char path[32] = "/proc/", digits[12], *at = digits + sizeof(digits);
	size_t len = strlen(path);
	for (pid_t pid = program; pid > 0; pid /= 10)
		*--at = (char)('0' + pid % 10);
	while (at < digits + sizeof(digits))
		path[len++] = *at++;
	strcpy(path + len, "/schedstat");
	run_queue_times(path, &rep.leader_run_ns, &rep.leader_wait_ns);
	rep.leader_wait_ns -= child.begin_wait_ns;
	rep.begin_read_chars = child.begin_read_chars;
}

/* The program has ended: note how, while procfs still knows it. */
static void take_program(void)
{
	siginfo_t info = { 0 };
	struct rusage usage;
	syscall(SYS_waitid, P_PID, program, &info, WEXITED | WNOWAIT, &usage);
	add_usage(&rep.usage, &usage);
	take_run_queue_times();
	rep.begin_ns = child.begin_ns;
	rep.pgrp = getpgid(program);
	rep.session = getsid(program);
	rep.how = info.si_code;
	rep.status = info.si_status;
}

/* A run is handed from the launcher to the program and back. On one CPU that is a switch; to
 * an idle one it takes an interrupt and waking up, some 50 us each way on a guest. The program
 * itself has all its CPUs back before exec, and may go where it likes. */
static void stay_here(void)
{
	unsigned long here[4096 / 64] = { 0 };
	int cpu = sched_getcpu();
	if (cpu < 0 || (size_t)cpu >= 8 * sizeof(here))
		return;
	here[(size_t)cpu / (8 * sizeof(*here))] = 1ul << ((size_t)cpu % (8 * sizeof(*here)));
	syscall(SYS_sched_setaffinity, 0, sizeof(here), here);
}

static void go_anywhere(void)
{
	syscall(SYS_sched_setaffinity, 0, sizeof(all_cpus), all_cpus);
}

static void answer(void);

/* Messages that come while a program runs. Only sleep_until_end lets it in, so it finds
 * nothing half done, and none can slip in between a look and the sleep. */
static void on_message(int signal)
{
	(void)signal;
	int saved = errno, got;
	while ((got = recv_request(MSG_DONTWAIT)) > 0)
		answer();
	if (got < 0) {
		end_tree();
		_exit(0);
	}
	errno = saved;
}

/* Sleeps in waitid: the kernel wakes its sleeper on the CPU that the dying program leaves,
 * where a sleeper in poll is woken on another, some 60 us later if that one was idle. */
static void sleep_until_end(idtype_t type, pid_t pid, siginfo_t *ret)
{
	sigset_t io;
	sigemptyset(&io);
	sigaddset(&io, SIGIO);
	sigprocmask(SIG_UNBLOCK, &io, NULL);
	while (waitid(type, (id_t)pid, ret, WEXITED | WNOWAIT) < 0 && errno == EINTR)
		;
	rep.end_ns = now_ns();
	sigprocmask(SIG_BLOCK, &io, NULL);
}

/* Until the program has ended, and with LAUNCH_WAIT all that it leaves. Orphans that end
 * before are reaped at once: a program may make many. */
static void await_program(void)
{
	siginfo_t info;
	rep.wakeups = own_wakeups();
	do {
		info.si_pid = 0;
		sleep_until_end(P_ALL, 0, &info);
		if (info.si_pid && info.si_pid != program)
			settle_orphan(info.si_pid);
	} while (info.si_pid && info.si_pid != program);
	take_program();
	rep.others = settle_orphans();
	while ((run_flags & LAUNCH_WAIT) && rep.others > 0) {
		sleep_until_end(P_PID, one_running, &info);
		rep.others = settle_orphans();
	}
	rep.wakeups = own_wakeups() - rep.wakeups;
	reply(LAUNCH_SAID_EXITED);
	go_anywhere();
}

static void start(void)
{
	char *path, *cwd, **envp, **argv = split_block(&path, &cwd, &envp);
	memset(&rep, 0, sizeof(rep));
	child.error = argv ? 0 : ENOMEM;
	child.stage = LAUNCH_STAGE_FORK;
	pid_t pid = -1;
	if (argv) {
		stay_here();
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
		go_anywhere();
		return;
	}
	program = pid;
	run_flags = req.flags;
	await_program();
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
		if (program <= 0) /* none: and no number that means a group of processes */
			return;
		if (req.flags & LAUNCH_SESSION)
			kill(-program, (int)req.signal);
		kill(program, (int)req.signal);
		return;
	case LAUNCH_KILL:
		run_flags &= ~(uint32_t)LAUNCH_WAIT; /* what is further down ends with the END */
		kill_children();
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

/* The number of the socket is the only argument: it takes no place that a descriptor meant
 * for the programs may have. */
int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	sock = atoi(argv[1]);
	struct sigaction message = { .sa_handler = on_message };
	sigset_t blocked;
	sigfillset(&blocked);
	sigdelset(&blocked, SIGCHLD); /* ignored; blocked it would be kept */
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	sigaction(SIGIO, &message, NULL);
	syscall(SYS_sched_getaffinity, 0, sizeof(all_cpus), all_cpus);
	fcntl(sock, F_SETFD, FD_CLOEXEC); /* the programs must not have it */
	fcntl(sock, F_SETOWN, getpid());
	fcntl(sock, F_SETFL, O_ASYNC);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_NAME, "leat-launcher");
	while (recv_request(0) > 0)
		answer();
	end_tree();
	return 0;
}
