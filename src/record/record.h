/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One experiment as data: the waist of the lab. Meters write readings, run writes trials
 * and their analysis, writers print; every report is a function of a record alone. */
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "record/scale.h"
#include "record/value.h"

enum metric_better {
	METRIC_LOWER,
	METRIC_HIGHER,
	METRIC_NEITHER,
};

enum metric_kind {
	METRIC_COUNTER, /* adds up over the window; has a cost per unit of work */
	METRIC_GAUGE,   /* a level or a ratio */
	METRIC_PEAK,    /* the largest level seen */
};

struct metric {
	const char *name; /* user-facing: lower case with dashes */
	const char *unit; /* "ns", "bytes", "count", "ratio" */
	enum metric_better better;
	enum metric_kind kind;
	bool sampled;       /* attributed by the clock tick: a part, never tested */
	const char *what;   /* one line: what it counts */
	const char *scope;  /* whose: "tree", "leader", "machine"; user, kernel or both */
	const char *source; /* where the number comes from (call, file, event) */
};

enum outcome_kind {
	OUTCOME_EXIT,        /* code = exit status */
	OUTCOME_SIGNAL,      /* code = signal number */
	OUTCOME_TIMEOUT,     /* ended by leat after --timeout */
	OUTCOME_CANCELLED,   /* ended by leat because leat was told to stop */
	OUTCOME_NOT_STARTED, /* code = errno of exec */
	OUTCOME_WINDOW,      /* a window on a running process; nothing ended */
};

/* What the program did besides ending; bits. */
enum outcome_note {
	NOTE_LEFT_CHILDREN = 1 << 0, /* `left` descendants were running at its end */
	NOTE_DAEMON = 1 << 1,        /* one of them has a session of its own */
	NOTE_NEW_GROUP = 1 << 2,     /* the program left its process group */
	NOTE_CLOSED_OUTPUT = 1 << 3, /* stdout or stderr was closed before the end */
	NOTE_CORE = 1 << 4,          /* dumped core */
	NOTE_ASLEEP = 1 << 5,        /* timeout: it was sleeping, not computing */
	NOTE_READS_STDIN = 1 << 6,   /* it waited for standard input, of which there is none */
	NOTE_GIVEN_UP = 1 << 7,      /* timeout: of leat's own, which waited long enough */
};

struct outcome {
	enum outcome_kind kind;
	int code;
	unsigned notes;        /* outcome_note bits */
	unsigned left;         /* descendants still running at the end */
	const char *left_name; /* the command name of one of them, or NULL */
	double out_bytes;      /* drained from its stdout, or written in its first second */
	const char *talk;      /* last line of its stderr when it failed, or NULL */
};

struct trial {
	unsigned variant;
	unsigned block; /* trials of one block (pair) are compared with each other */
	unsigned order; /* position in time over the whole experiment, from 0 */
	bool warmup;    /* discarded by the analysis */
	bool evidence;  /* an instrumented run: its times mean nothing */
	bool kept;      /* counted in the statistics */
	int64_t at_ns;  /* start, since the start of the experiment */
	double work;    /* units of work done; 0 = not stated */
	struct outcome outcome;
	struct value *readings; /* one per metric of the record */
	/* Of a sweep, of all its standard output; 0 = not looked at: */
	uint64_t out_hash;
	uint64_t out_text; /* of its words: without numbers, their units, the order of lines */
};

struct variant {
	const char *name;
	const char *command; /* as a person would type it */
	bool aa;             /* stands in for the first variant in the A/A check only */
	/* Of a sweep: */
	const char **levels; /* one for each factor of the record; NULL = no factors */
	const char *remedy;  /* what was changed for it; NULL = nothing */
};

struct record_meter {
	const char *name;
	enum value_state state; /* VALUE_UNAVAILABLE: reason and hint */
	const char *reason;
	const char *hint;
};

struct machine {
	const char *cpu; /* model name */
	const char *arch;
	const char *kernel; /* release */
	const char *virt;   /* hypervisor vendor, or NULL */
	unsigned cpus_online;
	const char *cpus_allowed;       /* list */
	double load_before, load_after; /* one-minute load; negative = not read */
	struct record_meter *meters;
	size_t n_meters;
};

struct plan {
	const char *verb;    /* "run", "compare", "attach" */
	const char *design;  /* "fixed", "precision", "sequence", "files", "reported" */
	const char *primary; /* name of the primary metric */
	uint64_t seed;
	unsigned n;              /* runs or pairs asked for; 0 = the stop rule decides */
	unsigned n_max;          /* cap of runs or pairs */
	unsigned warmup;         /* discarded runs or pairs */
	double budget_ns;        /* 0 = none */
	double timeout_ns;       /* 0 = none */
	double precision;        /* half-width asked for, as a share; 0 = not asked */
	double same;             /* difference called the same, as a share */
	const char *stdin_mode;  /* "empty", "inherit" or a file name */
	const char *stdout_mode; /* "null", "pipe", "file", "file:NAME", "inherit", "pty" */
	const char *prepare;     /* command run before each trial, or NULL */
	const char *work_from;   /* where units of work come from: text for people, or NULL */
	const char *work_unit;   /* name of one unit, or NULL */
	const char *region;      /* readings are of the program's region of this name, or NULL */
	const char *pin;         /* CPU list, or NULL */
	const char *stopped;     /* why it ended: "n", "precise", "budget", "cap", "decided",
				    "signal", "failure", "ended" (the process attached to) */
	int stop_signal;         /* with "signal": which; else 0 */
	double wall_ns;          /* how long the whole experiment took */
	const char *date;        /* ISO 8601, for information only */
};

/* One metric of one variant over its kept trials. */
struct summary {
	unsigned variant;
	unsigned metric;
	bool per_work;       /* divided by the units of work of each trial */
	size_t n;            /* trials with a value */
	struct value center; /* Hodges-Lehmann; unavailable when no trial has a value */
	bool bounded;        /* lo and hi are meaningful */
	double lo, hi, level;
	double mean, sd, min, median, max; /* NAN where n does not allow it */
	const char *what;                  /* what center and interval are, in words */
};

enum verdict {
	VERDICT_UNDECIDED,
	VERDICT_LOWER, /* b is lower than a, proved */
	VERDICT_HIGHER,
	VERDICT_SAME,    /* proved to lie within plan.same */
	VERDICT_TOO_FEW, /* too few pairs for any verdict */
};

/* b against a in one metric. */
struct comparison {
	unsigned a, b; /* variants */
	unsigned metric;
	bool primary;
	bool aa;                 /* the A/A check: the same command on both sides */
	bool interleaved;        /* false: saved records, compared by rank-sum */
	size_t n, m;             /* pairs (n == m), or runs a side */
	struct value ratio;      /* b / a; unavailable e.g. when a is zero */
	double lo, hi, level;    /* of the ratio; NAN: no interval */
	struct value diff;       /* b - a in the metric's unit */
	double diff_lo, diff_hi; /* NAN: no interval */
	double p, p_holm; /* two-sided; adjusted over the family it belongs to; NAN unknown */
	enum verdict verdict;
	double provable;    /* smallest relative effect provable at 90 % power; NAN unknown */
	double lag1;        /* of the pair differences; NAN unknown */
	double plan_effect; /* --plan, a share; 0 = not asked */
	double plan_runs;   /* pairs (or runs a side) that would prove it; NAN unknown */
	const char *method; /* "signed-rank", "confidence-sequence", "rank-sum", "z" */
	const char *what;   /* what the interval is, in words */
};

struct gate {
	const char *text; /* as given */
	unsigned metric, b;
	double limit;  /* relative; +0.05 = 5 % higher is too much, -0.05 = 5 % lower */
	bool violated; /* proved */
	bool decided;  /* the interval lies wholly on one side of the limit */
};

enum severity {
	SEVERITY_INFO,
	SEVERITY_WARNING,
	SEVERITY_ERROR,
};

/* How sure a finding is. */
enum confidence {
	CONFIDENCE_FACT, /* it was seen as it is: nothing was concluded */
	CONFIDENCE_LOW,
	CONFIDENCE_MEDIUM,
	CONFIDENCE_HIGH,
};

/* Where something happens. NULL and 0 = not known. */
struct finding_place {
	const char *role;   /* what this place does: "waits", "writes", "holds", ... */
	const char *thread; /* group of threads */
	const char *function, *object, *file;
	unsigned line;
	const char *data; /* what it touches: a symbol, or where that was allocated */
	double offset;    /* within it, or within its cache line; NAN = not known */
};

/* One number of a finding, by name. */
struct finding_fact {
	const char *name; /* lower case with dashes */
	const char *unit; /* as of a metric */
	struct value num;
};

/* A fact worth a sentence; the sentence is the writer's. */
struct finding {
	const char *id; /* stable, e.g. "left-children" */
	enum severity severity;
	int variant;      /* -1 = the experiment as a whole */
	double num[3];    /* meaning by id; see report/sentences */
	const char *name; /* a name the sentence needs, or NULL */
	/* Of a sweep: */
	double share; /* of the loss; NAN = not known, or not a matter of loss */
	enum confidence confidence;
	const char *confirm; /* what would confirm it, or NULL */
	struct finding_place *where;
	size_t n_where;
	struct finding_fact *facts;
	size_t n_facts;
};

struct program; /* record/program.h */

struct own_cost {
	double cpu_ns;         /* leat and its launcher, whole experiment */
	double peak_bytes;     /* leat's own */
	double window_wakeups; /* of both, inside measured windows */
	double window_ns;
};

struct record {
	struct lt_arena arena; /* owns everything below */
	const char *version;   /* of the leat that made it */
	struct machine machine;
	struct plan plan;
	struct variant *variants;
	size_t n_variants;
	struct metric *metrics;
	size_t n_metrics;
	struct trial *trials;
	size_t n_trials, cap_trials;
	struct summary *summaries;
	size_t n_summaries, cap_summaries;
	struct comparison *comparisons;
	size_t n_comparisons, cap_comparisons;
	struct gate *gates;
	size_t n_gates, cap_gates;
	struct finding *findings;
	size_t n_findings, cap_findings;
	struct scaling *scaling; /* a sweep: not NULL; then also those below */
	struct factor *factors;
	size_t n_factors;
	struct curve_point *curve; /* in the order of the variants */
	size_t n_curve, cap_curve;
	struct time_ledger *ledger; /* NULL = none could be made */
	struct evidence *evidence;  /* runs under observation: record/evidence.h */
	size_t n_evidence, cap_evidence;
	struct remedy_result *remedies;
	size_t n_remedies, cap_remedies;
	struct program *program; /* NULL: no program told anything of itself */
	struct own_cost own;
	bool partial; /* stopped by a signal or failure before its plan was done */
};

struct record *record_new(void);
void record_free(struct record *rec);

static inline void record_freep(struct record **rec)
{
	record_free(*rec);
}

#define LT_AUTO_RECORD LT_AUTO(record_freep)

/* Grow the arrays by one zeroed element; NULL when memory has run out. Pointers into the
 * same array from earlier calls are no longer valid. add_trial also gives it readings, all
 * unavailable. */
struct trial *record_add_trial(struct record *rec);
struct summary *record_add_summary(struct record *rec);
struct comparison *record_add_comparison(struct record *rec);
struct gate *record_add_gate(struct record *rec);
struct finding *record_add_finding(struct record *rec);
struct curve_point *record_add_curve(struct record *rec);
struct remedy_result *record_add_remedy(struct record *rec);
struct evidence *record_add_evidence(struct record *rec);

/* Adds a place or a fact to a finding; NULL when memory has run out. */
struct finding_place *record_add_place(struct record *rec, struct finding *f);
struct finding_fact *record_add_fact(
	struct record *rec, struct finding *f, const char *name, const char *unit, double num);

/* Index of a metric or variant by name, or -1. */
int record_metric(const struct record *rec, const char *name);
int record_variant(const struct record *rec, const char *name);

/* Index of a factor by name, or -1. */
int record_factor(const struct record *rec, const char *name);

/* The point of the curve that a variant is, or NULL. */
const struct curve_point *record_point(const struct record *rec, unsigned variant);

/* The summary or comparison asked for, or NULL. */
const struct summary *record_summary(
	const struct record *rec, unsigned variant, unsigned metric, bool per_work);
const struct comparison *record_comparison(const struct record *rec, unsigned b, unsigned metric);

/* Does the comparison have an interval of the ratio, or of the difference? */
bool record_ratio_bounded(const struct comparison *c);
bool record_diff_bounded(const struct comparison *c);

/* Every index in range, every name present and unique: what writers rely on. The saver and
 * the loader both ask. Errors: -EINVAL, LT-RECORD-CHECK. */
int record_check(const struct record *rec, struct lt_err *err);

/* Fills x (room for n_trials) with the metric's values over the variant's kept trials,
 * in time order; those unavailable are left out. Returns how many. */
size_t record_values(
	const struct record *rec, unsigned variant, unsigned metric, bool per_work, double *x);

/* The same over the trials that a sweep's curve is made of: all of a variant with a remedy, and
 * of the others those of the timing rounds. */
size_t record_curve_values(
	const struct record *rec, unsigned variant, unsigned metric, bool per_work, double *x);

/* Is the trial one of them? */
bool record_in_curve(const struct record *rec, const struct trial *t);

/* Pairs of the metric's values of a and b from blocks in which both have a kept trial, in
 * order of the blocks. x and y have room for n_trials. Returns how many. */
size_t record_pairs(
	const struct record *rec, unsigned a, unsigned b, unsigned metric, double *x, double *y);

#endif
