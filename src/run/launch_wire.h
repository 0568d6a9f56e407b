/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What leat and its launcher say to each other, over one stream socket. Both are built
 * together, so structures go over as they are. */
#ifndef RUN_LAUNCH_WIRE_H
#define RUN_LAUNCH_WIRE_H

#include <stdint.h>

enum launch_op {
	LAUNCH_START,  /* run a program; three descriptors come along */
	LAUNCH_SIGNAL, /* send `signal` to the program's process group and to itself */
	LAUNCH_KILL,   /* SIGKILL to the program and all orphans; its exit is the answer */
	LAUNCH_END,    /* the trial is over: kill and reap all that is left of it */
};

enum launch_flag {
	LAUNCH_SESSION = 1 << 0,  /* a session of its own (no terminal, no stray signals) */
	LAUNCH_TERMINAL = 1 << 1, /* with stdin as its controlling terminal */
	LAUNCH_WAIT = 1 << 2,     /* the window ends with the last descendant */
	LAUNCH_PIN = 1 << 3,      /* `cpus` is its affinity */
};

/* leat to launcher. LAUNCH_START is followed by `bytes` bytes: path, working directory,
 * argc arguments and envc variables, each ending in NUL. */
struct launch_request {
	uint32_t op;
	uint32_t flags;
	uint32_t signal;
	uint32_t bytes;
	uint32_t argc, envc;
	uint64_t sigmask; /* the signals that the program starts with blocked */
	uint64_t cpus[4096 / 64];
};

enum launch_said {
	LAUNCH_SAID_EXITED,      /* the program ended; it stays a zombie until the next request */
	LAUNCH_SAID_NOT_STARTED, /* `error` = errno, `stage` = which call */
	LAUNCH_SAID_CLEAN,       /* nothing is left of the tree */
};

enum launch_stage {
	LAUNCH_STAGE_FORK,
	LAUNCH_STAGE_CHDIR,
	LAUNCH_STAGE_PIN,
	LAUNCH_STAGE_EXEC,
};

/* What getrusage(2) tells of ended processes; C libraries differ in their struct rusage. */
struct launch_usage {
	int64_t utime_us, stime_us;
	int64_t maxrss_kib;
	int64_t minflt, majflt;
	int64_t inblock, oublock;
	int64_t nvcsw, nivcsw;
};

/* launcher to leat */
struct launch_reply {
	uint32_t said;
	int32_t pid;
	int32_t error;
	uint32_t stage;
	int32_t pgrp, session;    /* of the program at its end */
	int32_t how, status;      /* si_code and si_status of waitid(2) */
	int32_t others;           /* children besides the program still running; -1 = unknown */
	uint32_t wakeups;         /* of the launcher, between exec and exit */
	int32_t begin_read_chars; /* read in the program's name, in one call, before begin_ns */
	int64_t begin_ns, end_ns;
	int64_t leader_run_ns;       /* of the program's first thread; negative = unknown */
	int64_t leader_wait_ns;      /* that it waited for a CPU, between begin_ns and end_ns */
	struct launch_usage usage;   /* of the program and those it waited for */
	struct launch_usage orphans; /* of descendants nobody waited for, ended by now */
};

#endif
