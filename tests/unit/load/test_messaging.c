/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messaging: every message arrives in every mode, limits are named, nothing is left behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/own.h"
#include "load/load.h"

enum {
	N_OPTIONS = 4 /* groups, loops, pipe, threads */
};

static int run(uint64_t groups, uint64_t loops, bool pipe, bool threads, struct load_result *res,
	struct lt_err *err)
{
	const struct load *load = load_find("messaging");
	assert_non_null(load);
	assert_int_equal(load->n_options, N_OPTIONS);
	struct load_value values[N_OPTIONS] = {
		{ .count = groups },
		{ .count = loops },
		{ .count = pipe },
		{ .count = threads },
	};
	return load->run(values, res, err);
}

static int open_files(void)
{
	int n = 0;
	for (int fd = 0; fd < 1024; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static void every_message_arrives(void **state)
{
	static const struct {
		uint64_t groups, loops, messages;
	} cases[] = { { 1, 1, 400 }, { 1, 7, 2800 }, { 3, 5, 6000 }, { 2, 23, 18400 } };
	(void)state;
	int files = open_files();
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		for (unsigned mode = 0; mode < 4; mode++) {
			struct load_result res = { 0 };
			struct lt_err err = { 0 };
			int r = run(
				cases[i].groups, cases[i].loops, mode & 1, mode & 2, &res, &err);
			assert_string_equal(err.text, "");
			assert_int_equal(r, 0);
			assert_int_equal(res.work, cases[i].messages);
			assert_true(res.elapsed_ns > 0);
		}
	}
	assert_int_equal(open_files(), files);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
}

static void too_few_files_is_named(void **state)
{
	(void)state;
	for (unsigned threads = 0; threads < 2; threads++) {
		pid_t pid = fork(); /* the limit would stay */
		if (!pid) {
			struct load_result res;
			struct lt_err err = { 0 };
			struct rlimit few = { 40, 40 };
			setrlimit(RLIMIT_NOFILE, &few);
			int r = run(3, 1, false, threads, &res, &err);
			_exit(r == -EMFILE && !strcmp(err.id, "LT-MESSAGING-FILES") &&
						strstr(err.hint, "ulimit")
					? 0
					: 1);
		}
		int status = -1;
		waitpid(pid, &status, 0);
		assert_int_equal(status, 0);
	}
}

/* As a user who may not have one more task; root is told no by no limit. */
static void too_few_tasks_is_named(void **state)
{
	(void)state;
	for (unsigned threads = 0; threads < 2; threads++) {
		pid_t pid = fork();
		if (!pid) {
			struct load_result res;
			struct lt_err err = { 0 };
			struct rlimit few = { 7, 7 };
			if (getuid() == 0 && setresuid(54321, 54321, 54321) < 0)
				_exit(2);
			setrlimit(RLIMIT_NPROC, &few);
			int r = run(1, 1, false, threads, &res, &err);
			bool named = !strcmp(err.id, "LT-MESSAGING-TASKS") &&
				strstr(err.hint, "ulimit -u");
			bool alone = waitpid(-1, NULL, WNOHANG) < 0;
			_exit(r == -EAGAIN && named && alone ? 0 : 1);
		}
		int status = -1;
		waitpid(pid, &status, 0);
		assert_int_equal(status, 0);
	}
}

/* A run in a child of its own. On the pipe it says how the run ended: '1' with the error
 * that a killed task deserves and no child left, else '0'. */
static pid_t run_apart(uint64_t loops, int *ret_report)
{
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	pid_t pid = fork();
	if (!pid) {
		struct load_result res;
		struct lt_err err = { 0 };
		close(ends[0]);
		int r = run(1, loops, false, false, &res, &err);
		bool good = r == -EIO && strstr(err.text, "ended from outside") &&
			waitpid(-1, NULL, WNOHANG) < 0;
		_exit(write(ends[1], good ? "1" : "0", 1) == 1 ? 0 : 1);
	}
	close(ends[1]);
	*ret_report = ends[0];
	return pid;
}

/* Ids of a process's children, read from procfs; returns how many. */
static size_t children_of(pid_t pid, pid_t *ret, size_t max)
{
	char path[64], text[4096] = "";
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, pid);
	LT_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd >= 0 ? read(fd, text, sizeof(text) - 1) : 0;
	size_t n = 0;
	char *rest = text;
	for (char *word = strtok_r(text, " \n", &rest); len > 0 && word && n < max;
		word = strtok_r(NULL, " \n", &rest))
		ret[n++] = (pid_t)atoi(word);
	return n;
}

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

static size_t wait_for_tasks(pid_t pid, pid_t *tasks, size_t want)
{
	size_t n = 0;
	for (int i = 0; i < 500 && n < want; i++) {
		n = children_of(pid, tasks, want);
		pause_ms(10);
	}
	return n;
}

/* The senders see that a receiver has gone; that a sender has, the receivers see when the
 * other senders are done. */
static void a_killed_task_is_named(void **state)
{
	static const struct {
		unsigned task; /* in the order of creation: 20 receivers, 20 senders */
		uint64_t loops;
	} cases[] = { { 3, 100000000 }, { 23, 3001 } };
	(void)state;
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		int report;
		char answer = '?';
		pid_t tasks[40], pid = run_apart(cases[i].loops, &report);
		assert_int_equal(wait_for_tasks(pid, tasks, 40), 40);
		kill(tasks[cases[i].task], SIGKILL);
		assert_int_equal(read(report, &answer, 1), 1);
		assert_int_equal(answer, '1');
		close(report);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
	}
}

/* Shuts the first socket it finds, once the run goes on. */
static void *break_one_channel(void *arg)
{
	(void)arg;
	pause_ms(200);
	for (int fd = 3; fd < 100; fd++)
		if (shutdown(fd, SHUT_RDWR) == 0)
			break;
	return NULL;
}

/* Threads block on files that they share: one that fails must not leave 39 waiting. */
static void a_broken_channel_ends_all_threads(void **state)
{
	(void)state;
	int status = -1;
	pid_t pid = fork();
	if (!pid) {
		struct load_result res;
		struct lt_err err = { 0 };
		pthread_t breaker;
		pthread_create(&breaker, NULL, break_one_channel, NULL);
		int r = run(1, 100000000, false, true, &res, &err);
		pthread_join(breaker, NULL);
		_exit(r == -EIO && strstr(err.text, "a task ended early") ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void tasks_end_with_their_parent(void **state)
{
	(void)state;
	int report;
	char byte;
	pid_t tasks[40], pid = run_apart(100000000, &report);
	assert_int_equal(wait_for_tasks(pid, tasks, 40), 40);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(read(report, &byte, 1), 0); /* the last holder has gone */
	close(report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_message_arrives),
		cmocka_unit_test(too_few_files_is_named),
		cmocka_unit_test(too_few_tasks_is_named),
		cmocka_unit_test(a_killed_task_is_named),
		cmocka_unit_test(a_broken_channel_ends_all_threads),
		cmocka_unit_test(tasks_end_with_their_parent),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
