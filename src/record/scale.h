/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a sweep adds to a record: the factors and their levels, the curve, the law fitted to
 * it, the ledger of lost time, and the remedies tried. Every point of a sweep is a variant
 * of the record, so its trials, readings and summaries are where they always are. */
#ifndef RECORD_SCALE_H
#define RECORD_SCALE_H

#include <stdbool.h>
#include <stddef.h>

#include "record/value.h"

/* How the program is told a factor's level. */
enum factor_how {
	FACTOR_PLACEHOLDER, /* {NAME} in the command or in --env */
	FACTOR_ENVIRONMENT, /* no placeholder: variables that common runtimes read */
};

struct factor {
	const char *name; /* "threads", or the NAME of {NAME} */
	enum factor_how how;
	const char *variables; /* environment: those set, "OMP_NUM_THREADS, ..."; else NULL */
	bool pinned;           /* the CPUs that the program may use follow the level too */
	const char **levels;
	size_t n_levels;
};

/* Is the same work shared by more threads, or does every thread bring its own? */
enum scale_mode {
	SCALE_UNKNOWN,
	SCALE_STRONG,
	SCALE_WEAK,
};

/* The answer of the curve alone, at the point of interest. */
enum scale_verdict {
	SCALE_UNDECIDED, /* too few runs, a busy machine, or so near that it may scale */
	SCALE_SCALES,    /* nine tenths of the cores' worth, or more */
	SCALE_LIMITED,   /* faster than with one thread, but not by as much */
	SCALE_FLAT,      /* no faster */
	SCALE_SLOWER,    /* slower than with one thread */
};

enum scale_law {
	SCALE_LAW_NONE,       /* law_why says why */
	SCALE_LAW_USL,        /* lambda, sigma, kappa: X(N) = lambda N / (1 + sigma (N - 1) +
				 kappa N (N - 1)) */
	SCALE_LAW_KARP_FLATT, /* serial: (1 / S - 1 / T) / (1 - 1 / T) at the point of interest */
};

/* A pure compute loop on every allowed CPU at once, before and between the rounds. */
struct core_check {
	unsigned checks, failed;
	double asked; /* CPUs */
	double given; /* the least that was given: asked when the loop took as long as alone */
	double wide;  /* the most that was given to one that needs all units of a core: less than
			 asked where CPUs share cores; 0 = not measured */
};

/* The same threads on one CPU: contention gets faster there, healthy programs slower. */
struct one_cpu {
	int variant;           /* -1 = not run; `ratio` says why */
	struct estimate ratio; /* time on one CPU / time on all of them */
	struct value cpu;      /* the same of CPU time */
};

struct scaling {
	const char *command; /* as typed, with placeholders */
	double cpus;         /* that the program may use at once: affinity and quota respected */
	unsigned allowed;    /* by affinity */
	double quota;        /* of the control group, in CPUs; 0 = none */
	int baseline;        /* variant that speed-up is measured against; -1 = none ran */
	int focus;           /* variant that ledger, causes and remedies speak of; -1 = none */
	enum scale_mode mode;
	const char *mode_why; /* what it was recognised by */
	enum scale_verdict verdict;
	bool busy; /* the machine did not give its cores: no verdict is forced */
	struct core_check check;
	unsigned rounds_end; /* trials in blocks below make the curve; in later ones remedies are
				proved, on a machine of another time */
	enum scale_law law;
	const char *law_why; /* SCALE_LAW_NONE: why none was fitted */
	size_t law_points;   /* thread counts that it was fitted to */
	struct estimate sigma, kappa, serial;
	struct value lambda;    /* runs per second of one thread, by the law */
	struct value best_cpus; /* where the law peaks; unavailable when it never does */
	struct value most;      /* speed-up that no number of threads exceeds, by the law */
	struct one_cpu one_cpu;
};

/* One point of the sweep, as it is or with a remedy. */
struct curve_point {
	unsigned variant;
	unsigned threads;   /* 0 = threads is not a factor of this sweep */
	const char *remedy; /* the variant's; NULL = as it is */
	bool over; /* more threads than CPUs: a matter of oversubscription, not of the law */
	size_t n;  /* runs kept */
	double given_up_ns; /* no run was kept, for it took longer than that; 0 = not so */
	double work;        /* times the work of the baseline, as far as known; 1 = the same */
	struct estimate wall_ns;
	struct estimate rate;    /* units of work per second; unavailable where not stated */
	struct estimate speedup; /* against one thread with the same other levels, and the remedy if
				    that was run */
	struct estimate efficiency; /* speed-up / min(threads, CPUs) */
	struct value user_ns, system_ns;
	struct value cores; /* in use on average */
	struct value peak_bytes;
};

enum ledger_part {
	LEDGER_USER,   /* more user CPU than the useful work takes */
	LEDGER_SYSTEM, /* more system CPU */
	LEDGER_IDLE,   /* cores not in use */
};

/* Part of the loss: by whom, doing what, where. NULL = not known, or all of them. */
struct ledger_line {
	enum ledger_part part;
	const char *group; /* of threads */
	const char *op;    /* "futex-wait", "page-fault", "read", "spin", ... */
	const char *function, *object, *file;
	unsigned line; /* 0 = not known */
	double core_ns;
	const char *tier; /* which kind of evidence it was assigned from */
};

/* For how long so many cores were in use. */
struct cores_used {
	unsigned cores;
	double ns;
};

/* lost = min(T, P) x wall - useful CPU = user + system + idle, exactly; the lines share it
 * out, and what they do not reach is unexplained. */
struct time_ledger {
	unsigned variant;
	unsigned threads;
	double cores; /* min(T, P) */
	double wall_ns;
	double useful_ns; /* CPU that the work takes with one thread */
	double lost_ns;
	double user_ns, system_ns, idle_ns;
	double unexplained_ns; /* of all parts together */
	struct ledger_line *lines;
	size_t n_lines;
	struct cores_used *used;
	size_t n_used;
	const char *used_tier; /* what the histogram comes from; NULL = there is none */
};

enum remedy_verdict {
	REMEDY_NOT_TRIED, /* not available here: reason and hint */
	REMEDY_IGNORED,   /* the program took no notice of it (static, setuid, ...) */
	REMEDY_BROKEN,    /* another exit code, signal or output with it */
	REMEDY_DROPPED,   /* screened once, too far behind the best to be proved */
	REMEDY_NO_HELP,   /* compared in pairs, no gain proved */
	REMEDY_WORSE,     /* compared in pairs, proved to be slower */
	REMEDY_HELPS,     /* proved to be faster */
};

/* One remedy tried at the point of interest. */
struct remedy_result {
	const char *name;
	const char *change; /* to copy: "LD_PRELOAD=...", "taskset -c 0"; NULL = nothing */
	int variant;        /* its trials; -1 = never run */
	enum remedy_verdict verdict;
	bool best; /* of those that help */
	const char *reason, *hint;
	size_t n;              /* pairs */
	struct estimate ratio; /* times faster: time without / time with */
	double level;          /* of its interval */
	double p, p_holm;      /* NAN: not tested */
	struct value peak;     /* bytes, with it */
	struct value peak_without;
};

#endif
