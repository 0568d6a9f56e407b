/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one run under observation showed: where its threads ran, what they waited for, which
 * cache lines they fought over. Facts only, in base units; what they mean is for causes.
 * Strings and arrays belong to the record's arena. */
#ifndef RECORD_EVIDENCE_H
#define RECORD_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/record.h"

/* The means a fact was had by, from the poorest to the best. */
enum evidence_tier {
	EVIDENCE_NONE,  /* not had: reason and hint say why */
	EVIDENCE_PROC,  /* procfs, polled: shares are sampled, times estimated from them */
	EVIDENCE_PERF,  /* records of perf, open to ordinary users */
	EVIDENCE_PROBE, /* the probe in the kernel's scheduler: every event counted */
};

/* Kinds of facts; each has its own tier, evidence.sources[FACT]. */
enum evidence_fact {
	EVIDENCE_WAITS,   /* waits[]: how long, by operation */
	EVIDENCE_SAMPLES, /* samples[]: user code */
	EVIDENCE_KERNEL,  /* samples[] inside the kernel, by operation */
	EVIDENCE_LINES,   /* lines[] */
	EVIDENCE_CORES,   /* cores[] */
	EVIDENCE_FAULTS,  /* faults[] */
	EVIDENCE_SITES,   /* sites[]: more than bare addresses */
	EVIDENCE_FACTS,
};

struct evidence_source {
	enum evidence_tier tier;
	const char *how;    /* the means, in words; NULL with EVIDENCE_NONE */
	const char *reason; /* why not a better tier, or what limits this; NULL = nothing */
	const char *hint;   /* what would make it better, or NULL */
	double lost;        /* records or keys that did not fit and are missing; 0 = none */
};

/* What a thread was doing while it was not running its own code. */
enum evidence_op {
	EVIDENCE_OP_USER,      /* samples only: its own code */
	EVIDENCE_OP_LOCK,      /* futex wait: a mutex, a lock inside libc */
	EVIDENCE_OP_BARRIER,   /* futex wait: a barrier, the end of an OpenMP region */
	EVIDENCE_OP_CONDITION, /* futex wait: condition variable, semaphore, rwlock */
	EVIDENCE_OP_JOIN,      /* futex wait for the end of a thread */
	EVIDENCE_OP_WAKE,      /* futex call that wakes others */
	EVIDENCE_OP_YIELD,     /* gave its CPU away: sched_yield */
	EVIDENCE_OP_RUNQUEUE,  /* runnable, waiting for a CPU */
	EVIDENCE_OP_READ,      /* reading from a pipe, socket, terminal, message queue */
	EVIDENCE_OP_WRITE,     /* writing to one */
	EVIDENCE_OP_POLL,      /* poll, select, epoll without end of patience */
	EVIDENCE_OP_SLEEP,     /* nanosleep, or poll with a timeout that ran out */
	EVIDENCE_OP_CHILD,     /* waiting for a child process */
	EVIDENCE_OP_DISK,      /* uninterruptible in read, write, fsync, open, ... */
	EVIDENCE_OP_FAULT,     /* in a page fault */
	EVIDENCE_OP_MAP,       /* mmap, munmap, mremap, madvise, mprotect, brk */
	EVIDENCE_OP_CLONE,     /* making and ending threads and processes, exec */
	EVIDENCE_OP_SIGNAL,    /* waiting for or stopped by a signal */
	EVIDENCE_OP_OTHER,     /* another system call; its name says which */
	EVIDENCE_OP_KERNEL,    /* in the kernel, not known for what */
	EVIDENCE_OPS,
};

/* One step of a call chain. Everything unknown is NULL or 0. */
struct evidence_frame {
	const char *object;   /* file name of the program or library, without directories */
	const char *function; /* demangling is the writer's; NULL in a stripped object */
	const char *file;     /* source file as the compiler noted it */
	unsigned line;
	uint64_t offset; /* of the instruction in the object (its address as linked) */
};

/* A place in the program, innermost frame first. */
struct evidence_site {
	struct evidence_frame *frames;
	size_t n_frames;
	unsigned call; /* index of the call site: the first frame outside libc and wrappers;
			  n_frames when the chain never leaves them */
};

/* Threads that do the same: same process name, same thread name, same start function. */
struct evidence_group {
	const char *name;    /* for people: "main", "worker", ... unique in the evidence */
	const char *process; /* command name of the process */
	const char *start;   /* function the threads began in, or NULL */
	bool main;           /* the first threads of their processes */
	unsigned threads;    /* how many there were */
	struct value run_ns; /* on a CPU, all together */
	struct value queue_ns;
	struct value blocked_ns;
	struct value voluntary; /* times they left the CPU to wait */
	struct value involuntary;
};

/* Time off the CPU: one line per group, operation, key and site. */
struct evidence_wait {
	unsigned group;
	enum evidence_op op;
	const char *syscall; /* name; NULL = in none (fault, run queue) */
	const char *detail;  /* what it waited on: file, "pipe", "socket", symbol of the lock,
				"libc" for a lock inside it; NULL = not known */
	uint64_t key;        /* futex: address of the word; file descriptor + 1; else 0 */
	uint64_t process;    /* pid the key belongs to */
	unsigned threads;    /* of the group that waited so */
	double count;        /* waits; estimated when the tier is not EVIDENCE_PROBE */
	double total_ns;     /* without the time on the run queue where that is known apart */
	double max_ns;       /* longest; 0 = not known */
	bool uninterruptible;
	int site; /* index into sites, -1 = not known */
};

/* Time on the CPU, sampled by the clock: one line per group, operation and site. */
struct evidence_sample {
	unsigned group;
	enum evidence_op op; /* EVIDENCE_OP_USER or what the kernel was doing for it */
	const char *syscall; /* in the kernel: its name, or NULL */
	double n;            /* samples */
	double ns;           /* n times the sampling period: CPU time, estimated */
	double alone_ns;     /* of ns: while nothing else of the program ran */
	double frozen_ns;    /* of ns: registers as in the thread's sample before, in a loop
				of a few instructions: it waits by spinning */
	double pause_ns;     /* of ns: in a loop of a few instructions that pauses, or in which
				nothing changes but what it reads from memory */
	double locked_ns;    /* of ns: at an instruction with a lock prefix */
	double entry_ns;     /* of ns: just behind a system call instruction */
	double fresh_ns;     /* of ns: at memory that is faulted in again and again */
	int site;
};

/* How one group, from one site, touched one place of a hot line. */
struct evidence_access {
	unsigned group;
	uint64_t thread; /* tid */
	unsigned offset; /* in the line */
	unsigned size;   /* bytes */
	bool write;
	bool locked; /* with a lock prefix */
	double n;    /* samples */
	int site;
};

/* A cache line that samples found in use by two threads or more. */
struct evidence_line {
	uint64_t address; /* of its first byte, in the process below */
	uint64_t process; /* pid */
	double n;         /* samples whose memory operand lies in it */
	double share;     /* of all samples of user code */
	double locked;    /* of n: with a lock prefix */
	unsigned threads, writers;
	bool overlap;        /* a thread writes bytes that another one touches */
	const char *object;  /* file it belongs to, "heap", "stack", "anonymous", or NULL */
	const char *symbol;  /* variable it lies in, or NULL */
	uint64_t symbol_off; /* of the line's first byte within the symbol, modulo 2^64 */
	int allocated;       /* site that allocated it, -1 = not known */
	bool first_touch;    /* `allocated` is where its page was first touched */
	struct evidence_access *accesses; /* most frequent first */
	size_t n_accesses;
};

/* Page faults by site. */
struct evidence_fault {
	unsigned group;
	double n; /* faults, estimated from those sampled */
	int site;
};

/* How long exactly i cores ran the program, cores[i]. */
struct evidence_core {
	double ns;
};

struct evidence {
	unsigned variant; /* of the record */
	unsigned threads; /* T of the point; 0 = the command has no such factor */
	unsigned cpus;    /* P: CPUs the run was allowed to use */

	/* The run as a whole, of the tree, from exec to exit. */
	double elapsed_ns;
	struct value user_ns, sys_ns;
	struct value voluntary, involuntary; /* switches, from rusage */
	struct value minor_faults, major_faults;
	struct value peak_bytes;
	struct value foreign_ns; /* CPU time of all others on the CPUs of the run */
	struct outcome outcome;

	double sample_ns;  /* period of the clock samples; 0 = none taken */
	double own_cpu_ns; /* what observing cost leat itself */
	unsigned processes, peak_threads;

	struct evidence_source sources[EVIDENCE_FACTS];
	struct evidence_site *sites;
	size_t n_sites;
	struct evidence_group *groups;
	size_t n_groups;
	struct evidence_wait *waits; /* longest first */
	size_t n_waits;
	struct evidence_sample *samples; /* most first */
	size_t n_samples;
	struct evidence_line *lines; /* hottest first */
	size_t n_lines;
	struct evidence_fault *faults; /* most first */
	size_t n_faults;
	struct evidence_core *cores; /* cores[0] .. cores[n_cores - 1] */
	size_t n_cores;
};

/* "lock", "condition", ...: stable words, as in the JSON form. */
const char *evidence_op_word(enum evidence_op op);

#endif
