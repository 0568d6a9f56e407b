/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user asked of an experiment, as data. Zeros are the defaults; strings are
 * borrowed and outlive the experiment. */
#ifndef RUN_OPTIONS_H
#define RUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/cpuset.h"

enum run_design {
	RUN_PRECISION, /* until the primary metric's interval is narrow enough, or the budget ends
			*/
	RUN_FIXED,     /* n runs or pairs */
	RUN_SEQUENCE,  /* pairs until decided, capped */
};

enum run_stdin {
	RUN_STDIN_EMPTY, /* the null device: at its end from the start */
	RUN_STDIN_FILE,  /* opened anew for each run */
	RUN_STDIN_INHERIT,
};

enum run_stdout {
	RUN_STDOUT_NULL,
	RUN_STDOUT_PIPE, /* a pipe that leat empties */
	RUN_STDOUT_FILE, /* a file, emptied before each run; unnamed without stdout_path */
	RUN_STDOUT_INHERIT,
};

struct run_opts {
	enum run_design design;
	unsigned n;      /* runs or pairs; 0 = as the design says */
	unsigned n_max;  /* cap for the other designs; 0 = none */
	unsigned warmup; /* discarded runs or pairs at the start */
	bool warmup_given;
	int64_t budget_ns;  /* no new run or pair begins after this; 0 = none */
	int64_t timeout_ns; /* of one run; 0 = none */
	double precision;   /* half-width wanted, as a share */
	uint64_t seed;
	const char *meters;  /* "NAME[:ARG],..."; NULL = the default ones */
	const char *primary; /* metric; NULL = wall, or the first there is */

	enum run_stdin stdin_mode;
	const char *stdin_path;
	enum run_stdout stdout_mode;
	bool stdout_given;
	const char *stdout_path;
	bool stderr_inherit;
	bool pty;        /* a pseudo-terminal in place of all three */
	bool same_group; /* stays in leat's process group and session, as under time(1) */

	const char *prepare; /* for sh -c, before each run, outside its window */
	const char *cwd;
	const char *const *env; /* "NAME=VALUE" */
	size_t n_env;
	const struct lt_cpuset *pin;
	bool wait_descendants; /* the window ends with the last descendant */

	bool any_end; /* however the program ends, the run counts */
	bool ignore_failure;
	const char *success;      /* exit codes that are none: "0,1"; NULL = 0 */
	double work;              /* units per run; 0 = not stated */
	const char *work_from;    /* extended regular expression whose group 1 is the number */
	const char *work_counter; /* of the program, by name; "none"; NULL = its first */
	const char *region;       /* measured alone, by name; "none"; NULL = its first */
	bool count; /* instructions and branches by an instrument, in runs of their own */

	double same; /* margin of sameness; 0 = default */
	bool same_given;
	double plan_effect;
	const char *const *gates;
	size_t n_gates;
	bool aa;

	pid_t attach; /* a running process instead of trials */
	int64_t attach_ns;
};

/* One program of the experiment. */
struct run_command {
	const char *name;    /* for people */
	const char *display; /* the command as typed */
	char *const *argv;
	const char *path; /* of the file to execute, checked */

	/* Its own, over what the options say for all. */
	const char *const *env; /* "NAME=VALUE" */
	size_t n_env;
	const struct lt_cpuset *pin; /* NULL = as the options say */
	int64_t timeout_ns;          /* 0 = as the options say */
};

/* What the caller shows while it runs; called between runs, and once a second during one
 * if `live`. Everything is 0 or NULL where unknown. */
struct run_progress {
	const char *name;  /* variant being run */
	unsigned done, of; /* runs or pairs; of = 0: open-ended */
	double share;      /* of the budget or count, 0..1 */
	double reached;    /* half-width so far, as a share; NAN unknown */
	double running_s;  /* how long the current run has been going */
};

struct signals;

struct run_hooks {
	void (*progress)(void *ctx, const struct run_progress *p); /* may be NULL */
	void *ctx;
	bool live;

	/* Opened by a caller who must not be cut off before the experiment begins, nor after it
	 * has ended; NULL = the experiment opens its own. */
	struct signals *signals;
};

#endif
