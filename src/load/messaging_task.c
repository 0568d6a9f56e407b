/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messaging, the tasks: what a sender and a receiver do, as a process or as a thread. */
#include "load/messaging.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	MESSAGE_BYTES = 100,
};

struct message {
	uint32_t group, sender, loop;
	char filling[MESSAGE_BYTES - 12];
};

_Static_assert(sizeof(struct message) == MESSAGE_BYTES, "messages are 100 bytes");

/* ---- the work of one task ---- */

static enum fate write_message(int fd, const struct message *msg)
{
	const char *bytes = (const char *)msg;
	for (size_t done = 0; done < sizeof(*msg);) {
		ssize_t n = write(fd, bytes + done, sizeof(*msg) - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EPIPE || errno == ECONNRESET ? FATE_ORPHANED : FATE_IO;
		done += (size_t)n;
	}
	return FATE_DONE;
}

static enum fate read_message(int fd, struct message *msg)
{
	char *bytes = (char *)msg;
	for (size_t done = 0; done < sizeof(*msg);) {
		ssize_t n = read(fd, bytes + done, sizeof(*msg) - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0 || errno == ECONNRESET ? FATE_ORPHANED : FATE_IO;
		done += (size_t)n;
	}
	return FATE_DONE;
}

static void fill(struct message *msg, unsigned group, unsigned sender)
{
	*msg = (struct message){ .group = group, .sender = sender };
	for (size_t i = 0; i < sizeof(msg->filling); i++)
		msg->filling[i] = (char)('a' + (i + sender) % 26);
}

static enum fate send_all(const struct task *task)
{
	const struct messaging *m = task->all;
	const struct group *g = &m->group[task->group];
	struct message msg;
	fill(&msg, task->group, task->index);
	for (msg.loop = 0; msg.loop < m->loops; msg.loop++) {
		for (unsigned i = 0; i < FAN; i++) {
			enum fate fate = write_message(g->channels[i].out, &msg);
			if (fate != FATE_DONE)
				return fate;
		}
	}
	return FATE_DONE;
}

/* Each sender's messages must come whole and in the order sent: none lost, none twice. */
static enum fate receive_all(const struct task *task, uint64_t *ret_received)
{
	const struct messaging *m = task->all;
	int fd = m->group[task->group].channels[task->index].in;
	struct message next[FAN], msg; /* what each sender must send next */
	for (unsigned i = 0; i < FAN; i++)
		fill(&next[i], task->group, i);
	for (uint64_t n = 0; n < FAN * m->loops; n++) {
		enum fate fate = read_message(fd, &msg);
		if (fate != FATE_DONE)
			return fate;
		if (msg.sender >= FAN || memcmp(&msg, &next[msg.sender], sizeof(msg)) != 0)
			return FATE_WRONG;
		next[msg.sender].loop++;
		++*ret_received;
	}
	return FATE_DONE;
}

/* Says "ready" and waits for the byte that wakes all tasks; nobody reads it. */
static enum fate wait_for_start(const struct messaging *m)
{
	struct pollfd wake = { .fd = m->wake[0], .events = POLLIN };
	if (write(m->ready[1], "r", 1) != 1)
		return FATE_IO;
	while (poll(&wake, 1, -1) < 0)
		if (errno != EINTR)
			return FATE_IO;
	return wake.revents & POLLIN ? FATE_DONE : FATE_ORPHANED;
}

static struct tally *tally_of(const struct task *task)
{
	return &task->all->tally[task - task->all->tasks];
}

/* Said by a thread, or by the parent when not all tasks could be started. */
static bool has_failed(struct messaging *m)
{
	pthread_mutex_lock(&m->lock);
	bool failed = m->failed;
	pthread_mutex_unlock(&m->lock);
	return failed;
}

static void set_failed(struct messaging *m)
{
	pthread_mutex_lock(&m->lock);
	m->failed = true;
	pthread_mutex_unlock(&m->lock);
}

static enum fate work(const struct task *task)
{
	enum fate fate = wait_for_start(task->all);
	if (fate != FATE_DONE)
		return fate;
	if (has_failed(task->all))
		return FATE_ORPHANED;
	if (task->sender)
		return send_all(task);
	uint64_t received = 0;
	fate = receive_all(task, &received);
	tally_of(task)->received = received;
	return fate;
}

/* ---- processes: a task's files close when it ends, so a loss is seen by its peers ---- */

void messaging_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int process_begin(struct task *task)
{
	struct messaging *m = task->all;
	pid_t parent = getpid();
	pid_t pid = fork();
	if (pid) {
		task->pid = pid;
		return pid < 0 ? -errno : 0;
	}
	/* whatever ends the parent ends the task */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
		_exit(FATE_KILLED);
	signal(SIGPIPE, SIG_IGN);
	messaging_close(&m->wake[1]);
	messaging_close(&m->ready[0]);
	for (unsigned i = 0; !task->sender && i < FAN; i++)
		messaging_close(&m->group[task->group].channels[i].out);
	_exit((int)work(task));
}

static enum fate process_end(struct task *task)
{
	int status;
	while (waitpid(task->pid, &status, 0) < 0)
		if (errno != EINTR)
			return FATE_KILLED;
	return WIFEXITED(status) ? (enum fate)WEXITSTATUS(status) : FATE_KILLED;
}

static void processes_stop(struct messaging *m)
{
	for (size_t i = m->reaped; i < m->begun; i++)
		kill(m->tasks[i].pid, SIGKILL);
}

const struct task_ops messaging_processes = { process_begin, process_end, processes_stop };

/* ---- threads: they share the files, so the parent must break the channels for them ---- */

static void *thread_main(void *arg)
{
	struct task *task = arg;
	sigset_t broken; /* a write to a broken channel is an error, not a signal */
	sigemptyset(&broken);
	sigaddset(&broken, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &broken, NULL);
	enum fate fate = work(task);
	tally_of(task)->fate = fate;
	if (fate != FATE_DONE)
		set_failed(task->all);
	return NULL;
}

static int thread_begin(struct task *task)
{
	pthread_attr_t attr;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, (size_t)PTHREAD_STACK_MIN);
	int r = pthread_create(&task->thread, &attr, thread_main, task);
	pthread_attr_destroy(&attr);
	return -r;
}

/* Puts ends whose peer has gone in the place of all ends: whoever is blocked or comes next
 * sees an end of file or a broken pipe. Errors are ignored: there is nothing else to try. */
static void break_channels(struct messaging *m)
{
	int in[2], out[2];
	if (pipe2(in, O_CLOEXEC) < 0)
		return;
	if (pipe2(out, O_CLOEXEC) == 0) {
		messaging_close(&in[1]);
		messaging_close(&out[0]);
		for (size_t i = 0; i < (size_t)m->groups * FAN; i++) {
			struct channel *c = &m->group[i / FAN].channels[i % FAN];
			if (c->in >= 0) {
				dup3(in[0], c->in, O_CLOEXEC);
				dup3(out[1], c->out, O_CLOEXEC);
			}
		}
		messaging_close(&out[1]);
	}
	messaging_close(&in[0]);
}

static void threads_stop(struct messaging *m)
{
	if (m->reaped == m->begun)
		return;
	set_failed(m);
	break_channels(m);
	if (write(m->wake[1], "w", 1) < 0) /* for those that still wait for the start */
		return;
}

/* Joins. Once a second it looks whether another thread failed, and then ends them all. */
static enum fate thread_end(struct task *task)
{
	struct messaging *m = task->all;
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until); /* what the call takes */
	for (;;) {
		until.tv_sec++;
		if (pthread_timedjoin_np(task->thread, NULL, &until) != ETIMEDOUT)
			return tally_of(task)->fate;
		if (has_failed(m))
			threads_stop(m);
	}
}

const struct task_ops messaging_threads = { thread_begin, thread_end, threads_stop };
