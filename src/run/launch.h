/* SPDX-License-Identifier: GPL-2.0-or-later */
/* leat's side of the launcher: start it before leat grows, give it programs to run, hear
 * how they ended. */
#ifndef RUN_LAUNCH_H
#define RUN_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/cpuset.h"
#include "base/err.h"
#include "run/launch_wire.h"

struct launcher {
	int fd;                /* the socket; readable when the launcher has something to say */
	pid_t pid;             /* perf events inherited from here cover every trial */
	struct lt_cpuset cpus; /* that leat may use, and so the launcher and the programs */
};

#define LAUNCHER_NONE    \
	{                \
		.fd = -1 \
	}

struct launch_command {
	const char *path;
	const char *cwd; /* NULL or "" = leat's own */
	char *const *argv;
	char *const *envp;
	int fds[3];
	uint32_t flags;              /* launch_flag bits, LAUNCH_PIN apart */
	const struct lt_cpuset *pin; /* NULL = as leat */
	uint64_t sigmask; /* signals the program starts with blocked; bit n-1 = signal n */
};

/* Blocks: no. Errors: LT-LAUNCHER. */
int launcher_open(struct launcher *l, struct lt_err *err);

/* Ends whatever it runs, and itself; returns once it is gone. */
void launcher_close(struct launcher *l);

int launcher_start(struct launcher *l, const struct launch_command *cmd, struct lt_err *err);
int launcher_signal(struct launcher *l, int signal, bool group, struct lt_err *err);
int launcher_kill(struct launcher *l, struct lt_err *err);

/* Ends and reaps all that is left of a trial; SAID_CLEAN follows. Not needed where nothing
 * is left: the next start reaps the program itself. */
int launcher_end(struct launcher *l, struct lt_err *err);

/* The launcher waits on the CPU where it started the program. In a long run that saves
 * nothing any more, and the CPU may have other work by its end: lets it wait anywhere. */
void launcher_roam(struct launcher *l);

/* Blocks until the launcher speaks. */
int launcher_hear(struct launcher *l, struct launch_reply *ret, struct lt_err *err);

#endif
