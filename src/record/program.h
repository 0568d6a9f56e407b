/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What libleat programs tell of themselves: their threads, modules, queues, pools, pipelines,
 * work counters and regions. One part is all of one name in one process; its numbers are of one
 * run, the mean over the runs that count. */
#ifndef RECORD_PROGRAM_H
#define RECORD_PROGRAM_H

#include "record/record.h"

enum program_kind {
	PROGRAM_PROCESSES,
	PROGRAM_THREADS,
	PROGRAM_MODULES,
	PROGRAM_QUEUES,
	PROGRAM_POOLS,
	PROGRAM_PIPELINES,
	PROGRAM_STAGES,
	PROGRAM_COUNTERS,
	PROGRAM_REGIONS,
	PROGRAM_KINDS,
};

/* The values of each kind: X(kind, name, unit, how those of several of one name are one). The
 * waits of a thread are in the order of enum leat_cause. */
#define PROGRAM_THREAD_VALUES(X)        \
	X(THREAD, wall_ns, "ns", SUM)   \
	X(THREAD, cpu_ns, "ns", SUM)    \
	X(THREAD, no_cpu_ns, "ns", SUM) \
	X(THREAD, other_ns, "ns", SUM)  \
	X(THREAD, input_ns, "ns", SUM)  \
	X(THREAD, credit_ns, "ns", SUM) \
	X(THREAD, pool_ns, "ns", SUM)   \
	X(THREAD, timer_ns, "ns", SUM)  \
	X(THREAD, turn_ns, "ns", SUM)   \
	X(THREAD, task_ns, "ns", SUM)   \
	X(THREAD, sleeps, "count", SUM) \
	X(THREAD, late_ns, "ns", SUM)   \
	X(THREAD, spin_ns, "ns", SUM)   \
	X(THREAD, rounds, "count", SUM)
#define PROGRAM_MODULE_VALUES(X)       \
	X(MODULE, calls, "count", SUM) \
	X(MODULE, in, "count", SUM)    \
	X(MODULE, out, "count", SUM)   \
	X(MODULE, errors, "count", SUM)
#define PROGRAM_QUEUE_VALUES(X)         \
	X(QUEUE, depth, "count", MAX)   \
	X(QUEUE, in, "count", SUM)      \
	X(QUEUE, out, "count", SUM)     \
	X(QUEUE, dropped, "count", SUM) \
	X(QUEUE, full, "count", SUM)    \
	X(QUEUE, full_ns, "ns", SUM)
#define PROGRAM_POOL_VALUES(X)         \
	X(POOL, buffers, "count", SUM) \
	X(POOL, home, "count", SUM)    \
	X(POOL, empty, "count", SUM)
#define PROGRAM_PIPELINE_VALUES(X)         \
	X(PIPELINE, items, "count", SUM)   \
	X(PIPELINE, done, "count", SUM)    \
	X(PIPELINE, dropped, "count", SUM) \
	X(PIPELINE, calls, "count", SUM)   \
	X(PIPELINE, work_ns, "ns", MAX)    \
	X(PIPELINE, stages, "count", MAX)  \
	X(PIPELINE, workers, "count", MAX)
#define PROGRAM_STAGE_VALUES(X)       \
	X(STAGE, items, "count", SUM) \
	X(STAGE, timed, "count", SUM) \
	X(STAGE, timed_ns, "ns", SUM) \
	X(STAGE, serial, "count", MAX)
#define PROGRAM_COUNTER_VALUES(X) X(COUNTER, units, "count", SUM)
#define PROGRAM_REGION_VALUES(X)              \
	X(REGION, times, "count", SUM)        \
	X(REGION, wall_ns, "ns", MAX)         \
	X(REGION, cpu_ns, "ns", SUM)          \
	X(REGION, sys_ns, "ns", SUM)          \
	X(REGION, minor_faults, "count", SUM) \
	X(REGION, major_faults, "count", SUM) \
	X(REGION, vol_switches, "count", SUM) \
	X(REGION, invol_switches, "count", SUM)

/* PROGRAM_THREAD_wall_ns, ...: indexes into `v`. */
#define PROGRAM_INDEX(kind, name, unit, how) PROGRAM_##kind##_##name,
enum {
	PROGRAM_THREAD_VALUES(PROGRAM_INDEX) PROGRAM_THREAD_N
};
enum {
	PROGRAM_MODULE_VALUES(PROGRAM_INDEX) PROGRAM_MODULE_N
};
enum {
	PROGRAM_QUEUE_VALUES(PROGRAM_INDEX) PROGRAM_QUEUE_N
};
enum {
	PROGRAM_POOL_VALUES(PROGRAM_INDEX) PROGRAM_POOL_N
};
enum {
	PROGRAM_PIPELINE_VALUES(PROGRAM_INDEX) PROGRAM_PIPELINE_N
};
enum {
	PROGRAM_STAGE_VALUES(PROGRAM_INDEX) PROGRAM_STAGE_N
};
enum {
	PROGRAM_COUNTER_VALUES(PROGRAM_INDEX) PROGRAM_COUNTER_N
};
enum {
	PROGRAM_REGION_VALUES(PROGRAM_INDEX) PROGRAM_REGION_N
};
enum {
	PROGRAM_VALUES = PROGRAM_THREAD_N, /* the most that a kind has */
	PROGRAM_CAUSES = PROGRAM_THREAD_task_ns - PROGRAM_THREAD_other_ns + 1,
};

struct program_part {
	unsigned variant;
	const char
		*process; /* the program in it; "NAME (child)" where the main one has that name */
	const char *name;
	const char *of; /* see program_kind_info.of; may be NULL */
	double count;   /* how many of the name a run had */
	bool chosen;    /* counter: the units of work; region: what the readings are of */
	struct value v[PROGRAM_VALUES];
};

struct program {
	struct program_parts {
		struct program_part *list;
		size_t n, cap;
	} kinds[PROGRAM_KINDS];
};

enum program_how {
	PROGRAM_SUM,
	PROGRAM_MAX,
};

struct program_value {
	const char *name;
	const char *unit;
	enum program_how how;
};

/* What the kinds are, by enum program_kind. */
struct program_kind_info {
	const char *word; /* "threads", as in the JSON form */
	const char *of;   /* what `of` names: a module's "thread", a counter's "unit"; or NULL */
	const struct program_value *values;
	size_t n;
};
extern const struct program_kind_info program_kinds[PROGRAM_KINDS];

/* A zeroed part more, whose values have no number and no reason yet; the record gets a program if
 * it has none. NULL when memory has run out. */
struct program_part *record_add_part(struct record *rec, enum program_kind kind);

/* Takes the parts of a variant over from another record, for a variant of this one. 0 or -ENOMEM.
 */
int record_copy_parts(struct record *to, unsigned variant, const struct record *from,
	unsigned from_variant, struct lt_err *err);

#endif
