/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a user without any privilege sees, in a child that has given up root for good. Needs
 * cmocka.h. */
#ifndef TESTS_NOBODY_H
#define TESTS_NOBODY_H

#include <grp.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* As fork. */
static inline pid_t nobody_fork(void)
{
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0 && geteuid() == 0 &&
		(setgroups(0, NULL) < 0 || setresgid(65534, 65534, 65534) < 0 ||
			setresuid(65534, 65534, 65534) < 0))
		_exit(77);
	return pid;
}

/* The child ends, and with 0. */
static inline void nobody_succeeds(pid_t pid)
{
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

#endif
