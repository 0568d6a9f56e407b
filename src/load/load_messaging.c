/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messaging: groups of 20 senders and 20 receivers that pass small messages as fast as the
 * scheduler lets them, the workload that scheduler changes are judged by.
 *
 * Each receiver reads one channel, which the 20 senders of its group share; every sender
 * writes to every channel of its group once a loop. All tasks are created and wait first;
 * the clock runs from the one byte that wakes them all until the last one is reaped. */
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/own.h"
#include "load/load.h"
#include "load/messaging.h"

enum {
	SPARE_FILES = 16, /* standard files, the two start pipes, some room */
};

enum option {
	OPT_GROUPS,
	OPT_LOOPS,
	OPT_PIPE,
	OPT_THREADS,
};

static const struct load_option options[] = {
	[OPT_GROUPS] = { "groups", 'g', LOAD_COUNT, 10, 1, 1000, "groups of 20 + 20 tasks" },
	[OPT_LOOPS] = { "loops", 'l', LOAD_COUNT, 100, 1, 100000000,
		"messages a sender sends to each" },
	[OPT_PIPE] = { "pipe", 'p', LOAD_FLAG, 0, 0, 0, "pipes instead of socket pairs" },
	[OPT_THREADS] = { "threads", 't', LOAD_FLAG, 0, 0, 0, "threads instead of processes" },
};

static const struct task_ops *ops_of(const struct messaging *m)
{
	return m->threads ? &messaging_threads : &messaging_processes;
}

static int fail_files(struct lt_err *err, const struct messaging *m)
{
	lt_fail_sys(err, "LT-MESSAGING-FILES", "cannot open the channels of %u groups", m->groups);
	return lt_hint(err, "use fewer groups (-g), or raise the limit on open files (ulimit -n)");
}

static int fail_task(struct lt_err *err, const struct messaging *m, int code)
{
	errno = -code;
	lt_fail_sys(err, "LT-MESSAGING-TASKS", "cannot start %s %zu of %zu",
		m->threads ? "thread" : "process", m->begun + 1, m->n_tasks);
	return lt_hint(err,
		"use fewer groups (-g), or raise the limit on tasks "
		"(ulimit -u, pids.max of the cgroup)");
}

/* Threads keep all channels open at once, processes only those of the group being made. */
static int want_files(const struct messaging *m, struct lt_err *err)
{
	struct rlimit limit;
	rlim_t need = SPARE_FILES + 2 * FAN * (m->threads ? m->groups : 1);
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return lt_fail_sys(
			err, "LT-MESSAGING-FILES", "cannot read the limit on open files");
	if (limit.rlim_cur >= need)
		return 0;
	limit.rlim_cur = limit.rlim_max < need ? limit.rlim_max : need;
	if (limit.rlim_cur >= need && setrlimit(RLIMIT_NOFILE, &limit) == 0)
		return 0;
	lt_err_set(err, -EMFILE, "LT-MESSAGING-FILES",
		"%u groups of %s need %llu open files, the limit is %llu", m->groups,
		m->threads ? "threads" : "processes", (unsigned long long)need,
		(unsigned long long)limit.rlim_max);
	return lt_hint(err, "use fewer groups (-g), or raise the limit (ulimit -Hn)");
}

static int channel_open(const struct messaging *m, struct channel *ret)
{
	int ends[2];
	int r = m->pipe ? pipe2(ends, O_CLOEXEC)
			: socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
	if (r == 0)
		*ret = (struct channel){ .in = ends[0], .out = ends[1] };
	return r;
}

static int task_begin(
	struct messaging *m, unsigned group, unsigned index, bool sender, struct lt_err *err)
{
	struct task *task = &m->tasks[m->begun];
	*task = (struct task){ .all = m, .group = group, .index = index, .sender = sender };
	int r = ops_of(m)->begin(task);
	if (r < 0)
		return fail_task(err, m, r);
	m->begun++;
	return 0;
}

static int group_begin(struct messaging *m, unsigned g, struct lt_err *err)
{
	struct channel *channels = m->group[g].channels;
	for (unsigned i = 0; i < FAN; i++) {
		if (channel_open(m, &channels[i]) < 0)
			return fail_files(err, m);
		int r = task_begin(m, g, i, false, err);
		if (r < 0)
			return r;
		if (!m->threads)
			messaging_close(&channels[i].in);
	}
	for (unsigned i = 0; i < FAN; i++) {
		int r = task_begin(m, g, i, true, err);
		if (r < 0)
			return r;
	}
	for (unsigned i = 0; !m->threads && i < FAN; i++)
		messaging_close(&channels[i].out);
	return 0;
}

/* Has a process ended that should be waiting for the start? */
static bool lost_one(const struct messaging *m)
{
	siginfo_t dead = { 0 };
	return !m->threads && waitid(P_ALL, 0, &dead, WEXITED | WNOHANG | WNOWAIT) == 0 &&
		dead.si_pid;
}

/* Takes one byte from every task. */
static int wait_ready(const struct messaging *m, struct lt_err *err)
{
	char bytes[GROUP_TASKS];
	struct pollfd ready = { .fd = m->ready[0], .events = POLLIN };
	for (size_t n = 0; n < m->n_tasks;) {
		if (poll(&ready, 1, 100) > 0) {
			ssize_t got = read(m->ready[0], bytes, sizeof(bytes));
			n += got > 0 ? (size_t)got : 0;
		} else if (lost_one(m)) {
			return lt_fail(err, -ECHILD, "LT-MESSAGING-LOST",
				"a task was ended from outside before the start");
		}
	}
	return 0;
}

/* Waits for the tasks in the order of their creation; returns the worst end of all. */
static enum fate reap_all(struct messaging *m)
{
	enum fate worst = FATE_DONE;
	for (; m->reaped < m->begun; m->reaped++) {
		enum fate fate = ops_of(m)->end(&m->tasks[m->reaped]);
		if (fate > worst)
			worst = fate;
	}
	return worst;
}

static int check_work(
	const struct messaging *m, enum fate worst, uint64_t received, struct lt_err *err)
{
	static const char *const why[] = {
		[FATE_DONE] = "were lost",
		[FATE_ORPHANED] = "were lost: a task ended early",
		[FATE_IO] = "were lost: a read or write failed",
		[FATE_WRONG] = "were lost: one came damaged, twice or out of order",
		[FATE_KILLED] = "were lost: a task was ended from outside",
	};
	uint64_t expected = (uint64_t)m->groups * FAN * FAN * m->loops;
	if (worst == FATE_DONE && received == expected)
		return 0;
	return lt_fail(err, -EIO, "LT-MESSAGING-LOST", "%llu of %llu messages %s",
		(unsigned long long)(expected - received), (unsigned long long)expected,
		why[worst <= FATE_KILLED ? worst : FATE_KILLED]);
}

static int run_tasks(struct messaging *m, struct load_result *ret, struct lt_err *err)
{
	for (unsigned g = 0; g < m->groups; g++) {
		int r = group_begin(m, g, err);
		if (r < 0)
			return r;
	}
	int r = wait_ready(m, err);
	if (r < 0)
		return r;
	int64_t begin_ns = lt_now_ns();
	if (write(m->wake[1], "w", 1) != 1)
		return lt_fail_sys(err, "LT-MESSAGING-START", "cannot wake the tasks");
	enum fate worst = reap_all(m);
	int64_t end_ns = lt_now_ns();

	uint64_t received = 0;
	for (size_t i = 0; i < m->n_tasks; i++)
		received += m->tally[i].received;
	r = check_work(m, worst, received, err);
	if (r < 0)
		return r;
	*ret = (struct load_result){ .work = received, .elapsed_ns = end_ns - begin_ns };
	return 0;
}

static int messaging_init(struct messaging *m, struct lt_err *err)
{
	m->group = calloc(m->groups, sizeof(*m->group));
	for (unsigned g = 0; m->group && g < m->groups; g++)
		for (unsigned i = 0; i < FAN; i++)
			m->group[g].channels[i] = (struct channel){ -1, -1 };
	m->tasks = calloc(m->n_tasks, sizeof(*m->tasks));
	if (!m->group || !m->tasks)
		return lt_fail_mem(err);
	void *tally = mmap(NULL, m->n_tasks * sizeof(*m->tally), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (tally == MAP_FAILED)
		return lt_fail_mem(err);
	m->tally = tally;
	int r = want_files(m, err);
	if (r < 0)
		return r;
	if (pipe2(m->ready, O_CLOEXEC) < 0 || pipe2(m->wake, O_CLOEXEC) < 0)
		return fail_files(err, m);
	return 0;
}

/* Also ends tasks that are still there: after a failure on the way. */
static void messaging_done(struct messaging *m)
{
	ops_of(m)->stop(m);
	reap_all(m);
	for (unsigned i = 0; i < 2; i++) {
		messaging_close(&m->ready[i]);
		messaging_close(&m->wake[i]);
	}
	for (unsigned g = 0; m->group && g < m->groups; g++) {
		for (unsigned i = 0; i < FAN; i++) {
			messaging_close(&m->group[g].channels[i].in);
			messaging_close(&m->group[g].channels[i].out);
		}
	}
	if (m->tally)
		munmap(m->tally, m->n_tasks * sizeof(*m->tally));
	free(m->group);
	free(m->tasks);
}

static int messaging_run(
	const struct load_value *values, struct load_result *ret, struct lt_err *err)
{
	struct messaging m = {
		.groups = (unsigned)values[OPT_GROUPS].count,
		.loops = values[OPT_LOOPS].count,
		.pipe = values[OPT_PIPE].count,
		.threads = values[OPT_THREADS].count,
		.ready = { -1, -1 },
		.wake = { -1, -1 },
		.n_tasks = values[OPT_GROUPS].count * GROUP_TASKS,
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	int r = messaging_init(&m, err);
	if (r == 0)
		r = run_tasks(&m, ret, err);
	messaging_done(&m);
	return r;
}

const struct load load_messaging = {
	.name = "messaging",
	.brief = "groups of 20 senders and 20 receivers passing 100-byte messages",
	.work = "messages",
	.timed = "from the byte that wakes all tasks until the last one is reaped; "
		 "creating them is not timed",
	.options = options,
	.n_options = LT_COUNT(options),
	.run = messaging_run,
};
