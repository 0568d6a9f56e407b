/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a trial needs around it, once for each test program. Needs cmocka.h. */
#ifndef TESTS_TRIAL_RIG_H
#define TESTS_TRIAL_RIG_H

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "run/trial.h"

static struct launcher launcher = LAUNCHER_NONE;
static struct signals signals = SIGNALS_NONE;
static struct streams streams = STREAMS_NONE;
static struct lt_arena arena;
static int root_fd;

/* As cmocka wants it of a setup; and what undoes it. */
static int trial_rig_open(void **state)
{
	(void)state;
	root_fd = open("/", O_PATH | O_CLOEXEC);
	return root_fd < 0 || launcher_open(&launcher, NULL) < 0 || signals_open(&signals, NULL) < 0
		? -1
		: 0;
}

static int trial_rig_close(void **state)
{
	(void)state;
	launcher_close(&launcher);
	streams_close(&streams);
	signals_close(&signals);
	sigprocmask(SIG_SETMASK, &signals.old, NULL);
	signals = (struct signals)SIGNALS_NONE;
	lt_arena_done(&arena);
	close(root_fd);
	return 0;
}

/* A trial about to start, with streams of its own. */
static struct trial_run trial_rig_run(const struct run_opts *opts, char **envp)
{
	struct lt_err err = { 0 };
	streams_close(&streams);
	if (streams_open(&streams, opts, &err) < 0)
		fail_msg("%s", err.text);
	return (struct trial_run){ .opts = opts,
		.launcher = &launcher,
		.signals = &signals,
		.streams = &streams,
		.root_fd = root_fd,
		.envp = envp,
		.arena = &arena };
}

#endif
