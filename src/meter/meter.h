/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a meter is: system in, values out. A meter is one file, meter_NAME.c, ending in one
 * const descriptor, and one line in table.def. */
#ifndef METER_METER_H
#define METER_METER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "base/clock.h"
#include "base/err.h"
#include "record/record.h"

/* Where a session measures. Lives as long as every meter opened on it. */
struct meter_place {
	int root_fd;    /* of "/", or of a recorded machine; for openat of proc/..., sys/... */
	pid_t launcher; /* parent of all trials: inherited perf events sit on it; 0 = none */
	pid_t target;   /* a running process to attach to; 0 = trials */
	struct lt_arena *arena; /* for reasons and metric texts; dies with the record */
};

/* One measured window: a trial from exec to exit, or a slice of a running process. */
struct meter_window {
	pid_t pid;            /* the program. After a trial it is a zombie: procfs still knows it */
	bool ended;           /* the program exited in this window (false: attached) */
	int64_t begin_ns;     /* CLOCK_MONOTONIC just before exec */
	int64_t end_ns;       /* exit */
	int begin_read_chars; /* read in the program's name, in one call, before begin_ns */
	struct rusage usage;  /* of the program and the descendants it waited for */
	double orphans_cpu_ns; /* of descendants nobody waited for, up to the end */
	unsigned left;         /* of those, how many were still running at the end */
	double leader_run_ns;  /* of the program's first thread; negative = unknown */
	double leader_wait_ns; /* that it waited for a CPU in the window, ready to run */
};

/* CPU time of the tree up to the end of the window, user + system, exact to 1 us. */
static inline double meter_window_cpu_ns(const struct meter_window *win)
{
	return (double)(lt_timeval_ns(&win->usage.ru_utime) + lt_timeval_ns(&win->usage.ru_stime)) +
		win->orphans_cpu_ns;
}

static inline double meter_window_wall_ns(const struct meter_window *win)
{
	return (double)(win->end_ns - win->begin_ns);
}

/* Bits of meter.use. */
enum meter_use {
	METER_USE_TRIAL = 1 << 0,    /* programs that leat starts */
	METER_USE_ATTACH = 1 << 1,   /* running processes */
	METER_USE_DEFAULT = 1 << 2,  /* on unless -m says otherwise */
	METER_USE_EVIDENCE = 1 << 3, /* changes the program's time: runs of its own */
};

struct meter {
	const char *name;
	const char *brief;    /* one line for `leat list meters` */
	const char *cost;     /* what a window pays: calls at its start and end */
	const char *overhead; /* for the manual: OVERHEAD */
	const char *caveats;  /* for the manual: CAVEATS */
	const struct metric *metrics;
	size_t n_metrics;
	size_t inst_size; /* the core allocates the instance, zeroed; 0 = no state */
	unsigned use;

	/* Can it measure here? Returns a value whose state says so, with reason and hint if
	 * not. Null = always. Cheap, no privilege, nothing left open. */
	struct value (*probe)(const struct meter_place *place);

	/* Null = nothing to open. `arg` is the text after "NAME:" or NULL. */
	int (*open)(
		void *inst, const struct meter_place *place, const char *arg, struct lt_err *err);

	/* The metrics of an opened instance, where they depend on `arg`. Null = `metrics`. */
	size_t (*list)(const void *inst, const struct metric **ret);

	/* Before each window. Null = nothing to note down. */
	void (*start)(void *inst, const struct meter_place *place, const struct meter_window *win);

	/* Required. After the window; fills one value per metric, each with its state. The
	 * values arrive as unavailable without a reason. Never fails, prints nothing. */
	void (*read)(void *inst, const struct meter_place *place, const struct meter_window *win,
		struct value *ret);

	/* Evidence meters: the command that runs `argv` under the instrument. */
	int (*wrap)(void *inst, const struct meter_place *place, char *const *argv,
		char ***ret_argv, struct lt_err *err);

	void (*close)(void *inst); /* null = nothing to close; accepts a half-opened instance */
};

/* Every meter, in the order of table.def, ending in NULL. */
extern const struct meter *const meter_table[];

const struct meter *meter_find(const char *name);

/* Its state here; never without a reason when unavailable. */
struct value meter_probe(const struct meter *m, const struct meter_place *place);

#endif
