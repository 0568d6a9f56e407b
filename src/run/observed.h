/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was seen of one run, raw: threads, samples, waits, pieces of stack. Filled while the
 * program runs, without looking at any symbol; reduced to struct evidence afterwards. */
#ifndef RUN_OBSERVED_H
#define RUN_OBSERVED_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/u64map.h"
#include "sys/image.h"
#include "sys/sampler.h"

enum {
	OBSERVED_NAME = 16, /* of a thread, with its NUL */
	OBSERVED_SAMPLES = 1 << 18,
	OBSERVED_FAULTS = 1 << 16,
	OBSERVED_WAITS = 1 << 17,
	OBSERVED_STACK_BYTES = 96 << 20, /* kept of all stacks together */
	OBSERVED_IMAGES = 256,
	OBSERVED_CPUS = 1024,
};

#define OBSERVED_NONE UINT32_MAX

/* A growing array of one type. */
#define OBSERVED_LIST(type)    \
	struct {               \
		type *at;      \
		size_t n, cap; \
	}

/* A file mapped for execution. */
struct observed_map {
	uint64_t start, len, file_off;
	const char *path;
};

/* The address space of a process from one exec to the next; children made by fork share it. */
struct observed_image {
	pid_t pid; /* that had it first */
	char name[OBSERVED_NAME];
	OBSERVED_LIST(struct observed_map) maps;
	char *proc_maps; /* all mappings as procfs told them last, or NULL */
	uint64_t maps_ns, maps_next_ns;
	struct sys_image *sys; /* made when first asked */
};

struct observed_process {
	pid_t pid;
	uint32_t image;
	bool dead;
	bool forked; /* and still the program it was forked from */
	char name[OBSERVED_NAME];
};

struct observed_thread {
	pid_t pid, tid;
	uint32_t image;
	char name[OBSERVED_NAME], process[OBSERVED_NAME];
	bool forked;                 /* of a process that is */
	uint64_t birth_ns, death_ns; /* 0 = not seen */

	/* by switch records, or by the probe */
	bool counted;
	bool running, preempted;
	uint32_t cpu;
	uint64_t since_ns; /* of the last switch */
	uint64_t run_ns, queue_ns, blocked_ns;
	uint64_t voluntary, involuntary;

	/* of its last sample, to see registers that do not change */
	struct sys_regs last;
	uint64_t last_ns;

	uint32_t wait;       /* index of the wait it is in just now, seen by polling, or none */
	double polled_waits; /* times it was found waiting, by weight */
	unsigned stacks;
	uint32_t group; /* found when all is reduced */
};

struct observed_sample {
	uint32_t thread, image;
	float weight; /* of how many it stands */
	bool in_kernel, frozen, alone;
	uint32_t stack; /* index, or none */
	struct sys_regs regs;
};

struct observed_fault {
	uint32_t thread, image;
	double weight;
	uint64_t ip, addr;
	uint32_t stack;
};

/* A wait that polling found a thread in. */
struct observed_wait {
	uint32_t thread, image;
	long nr; /* -1 = in no system call */
	uint64_t args[6];
	uint64_t ip, sp;
	uint64_t len_ns;     /* of the whole wait; 0 = not known */
	uint64_t timeout_ns; /* its call's patience, 0 = endless or none */
	double polls;        /* that found it, by weight: time between two looks */
	bool uninterruptible;
	uint32_t stack;
};

/* All waits of one thread with one key, as the probe counted them. */
struct observed_total {
	uint32_t thread, image;
	long nr;
	uint64_t arg; /* futex word, file descriptor; else 0 */
	uint32_t futex_op;
	uint64_t ip;
	uint64_t count, total_ns, max_ns;
	uint64_t timeout_ns; /* its call's patience, 0 = endless or none */
	bool uninterruptible;
};

/* A piece of stack with the registers that belong to it. */
struct observed_stack {
	uint32_t image;
	struct sys_regs regs;
	size_t off, len; /* in stack_bytes */
	/* of a wait: which */
	bool of_wait;
	uint32_t thread;
	long nr;
	uint64_t arg;
};

/* What a file descriptor was, as procfs told at first sight. */
struct observed_file {
	pid_t pid;
	int fd;
	const char *text;
	bool storage; /* a file or a block device: who waits for it waits for a disk */
};

struct observed {
	struct lt_arena arena;
	bool failed;                /* memory has run out: something is missing */
	unsigned alive, alive_peak; /* threads */
	uint64_t begin_ns, end_ns;

	OBSERVED_LIST(struct observed_image) images;
	struct sys_images *files_read; /* by all images together; made when first asked */
	OBSERVED_LIST(struct observed_process) processes;
	OBSERVED_LIST(struct observed_thread) threads;
	OBSERVED_LIST(struct observed_sample) samples;
	OBSERVED_LIST(struct observed_fault) faults;
	OBSERVED_LIST(struct observed_wait) waits;
	OBSERVED_LIST(struct observed_total) totals;
	OBSERVED_LIST(struct observed_stack) stacks;
	OBSERVED_LIST(struct observed_file) files;
	struct lt_buf stack_bytes;
	struct lt_u64map process_of, thread_of; /* pid or tid to index */
	struct lt_u64map stacks_at;             /* how many were seen at a place */
	struct lt_u64map file_of;

	uint64_t walked_ns;  /* when procfs was walked last */
	bool wide;           /* samples of other programs come, too */
	bool switches;       /* switch records come */
	uint64_t period_ns;  /* of the clock samples */
	unsigned stride;     /* one sample in so many is kept */
	unsigned skipped;    /* since the last that was kept */
	double lost, slowed; /* records */
	double lost_keys;    /* waits that the probe had no room for */

	/* cores in use, by switch records */
	uint32_t on_cpu[OBSERVED_CPUS]; /* the thread there, plus 1; 0 = none of ours */
	unsigned running;
	uint64_t running_since_ns;
	uint64_t core_ns[OBSERVED_CPUS + 1];

	/* who was sampled last where, to see who is alone */
	uint64_t sampled_ns[OBSERVED_CPUS];
	uint32_t sampled[OBSERVED_CPUS]; /* its sample, plus 1 */
	unsigned cpus_seen;
};

void observed_init(struct observed *o);
void observed_done(struct observed *o);

/* Find; OBSERVED_NONE when unknown. */
uint32_t observed_find_process(const struct observed *o, pid_t pid);
uint32_t observed_find_thread(const struct observed *o, pid_t tid);

/* Find or make; OBSERVED_NONE when memory has run out. */
uint32_t observed_process(struct observed *o, pid_t pid);
uint32_t observed_thread(struct observed *o, pid_t pid, pid_t tid);

/* A new thread of that number, though one with the same may have lived before. */
uint32_t observed_new_thread(struct observed *o, pid_t pid, pid_t tid);

/* Is one more stack wanted from the place `key`? Counts. */
bool observed_wants_stack(struct observed *o, uint64_t key);

/* How deep in calls, as far as the stack pointer tells: stacks begin at pages, and two ways to
 * one function seldom take the same room. */
static inline uint64_t observed_depth(const struct sys_regs *regs)
{
	return regs->r[SYS_REG_SP] & 0xfff;
}

/* Keeps a piece of stack; its index, or none when there is no room. */
uint32_t observed_keep_stack(struct observed *o, uint32_t thread, const struct sys_regs *regs,
	const void *bytes, size_t len);

/* One of perf's records (observed_records.c). */
void observed_record(void *observed, const struct sys_record *rec);

/* Grows a list by one zeroed element, or NULL. */
void *observed_grow(
	struct observed *o, void *list, size_t *n, size_t *cap, size_t size, size_t limit);

#define OBSERVED_ADD(o, list, limit)                                                       \
	((__typeof__((o)->list.at))observed_grow((o), (void *)&(o)->list.at, &(o)->list.n, \
		&(o)->list.cap, sizeof(*(o)->list.at), (limit)))

/* As much of a name as the kernel keeps of one. */
static inline void observed_set_name(char to[OBSERVED_NAME], const char *name)
{
	size_t len = strnlen(name, OBSERVED_NAME - 1);
	memcpy(to, name, len);
	to[len] = '\0';
}

#endif
