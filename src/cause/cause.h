/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a cause is: one reason why a program is not as fast as its cores would allow. One file,
 * cause_NAME.c, ending in one const descriptor, and one line in table.def.
 *
 * The loss of a program is shared out over what was observed of it: waits, time in the
 * kernel, time in its own code. Each piece goes to the first cause in the table that claims
 * it; a cause then judges whether what it has is enough to be named. Pure: nothing is read
 * but the input, nothing is printed. */
#ifndef CAUSE_CAUSE_H
#define CAUSE_CAUSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "cause/entry.h"
#include "record/evidence.h"
#include "record/record.h"

/* What is known about the program: the sweep's results, and one run under observation. */
struct cause_input {
	const struct scaling *scaling;
	const struct curve_point *base;   /* where speed-up counts from; NULL = none ran */
	const struct curve_point *focus;  /* the point that is asked about; NULL = none */
	const struct curve_point *beyond; /* the next one with more threads than CPUs, or NULL */
	const struct time_ledger *ledger; /* of the focus; NULL = none */
	const struct evidence *evidence;  /* of the focus; NULL = none was taken */
	unsigned online;                  /* CPUs of the machine */
};

enum {
	CAUSE_PARTS = LEDGER_IDLE + 1
};

enum cause_item_kind {
	CAUSE_WAIT,   /* threads off the CPU: idle cores */
	CAUSE_ALONE,  /* idle cores while one thread ran and no other waited for anything */
	CAUSE_KERNEL, /* on a CPU, in the kernel */
	CAUSE_USER,   /* on a CPU, in the program's own code */
	CAUSE_ITEM_KINDS,
};

/* A piece of what was observed. */
struct cause_item {
	enum cause_item_kind kind;
	const struct evidence_wait *wait;     /* CAUSE_WAIT */
	const struct evidence_sample *sample; /* CAUSE_KERNEL, CAUSE_USER */
	enum cause_entry entry;               /* library call that it was inside of */
	double ns;                            /* thread time, as observed */
	double left_ns;                       /* of it, not claimed so far */
	double mean_ns;    /* CAUSE_WAIT: one wait for the same thing, on average; NAN unknown */
	double core_ns;    /* CAUSE_WAIT, CAUSE_ALONE: idle core time that is put down to it */
	double nobody_ns;  /* CAUSE_WAIT: of core_ns, while nothing of the program ran */
	double private_ns; /* CAUSE_USER: of ns, at lines whose threads use different bytes */
	double shared_ns;  /* CAUSE_USER: of ns, at lines whose threads use the same bytes */
};

/* One cause's part of the loss, and what it was claimed from. */
struct cause_account {
	double part_ns[CAUSE_PARTS];      /* core time, by enum ledger_part */
	double seen_ns[CAUSE_ITEM_KINDS]; /* thread time, as observed */
	double waits;                     /* how many */
	double *claimed_ns;               /* of each item of the book */
};

/* The observation of one program, taken apart. */
struct cause_book {
	const struct cause_input *in;
	struct cause_item *items;
	size_t n_items;
	double seen_ns[CAUSE_ITEM_KINDS]; /* sums over the items */
	double lost_ns;
	double part_ns[CAUSE_PARTS]; /* of the loss, never negative, by enum ledger_part */

	/* At futexes, by library call; of waits only those that are over within a moment. */
	double sleeps[CAUSE_ENTRIES];    /* waits */
	double kernel_ns[CAUSE_ENTRIES]; /* time in the kernel to wait and to wake */
	bool contended[CAUSE_ENTRIES];   /* threads get in one another's way in such calls */
	bool semaphore_locks;            /* semaphores serve as locks: most calls do not wait */
	bool hands_over;                 /* locks only guard what threads wait for */
	bool streams_wait;               /* who holds the lock of a stream waits for input */
	bool crowded;                    /* many more threads than cores keep meeting at barriers */

	struct cause_account *accounts; /* in the order of the table */
	bool asked;                     /* the cause that is judged now may name a loss */
	double named_ns;                /* of the loss: by causes that were named so far */
};

enum {
	CAUSE_PLACES_MAX = 8,
	CAUSE_FACTS_MAX = 10,
};

struct cause_place {
	const char *role; /* what happens here: "waits", "writes", ...; see report/causes.c */
	int group, site;  /* of the evidence; -1 = not known */
	int frame;        /* of the site; -1 = its call site */
	const char *data; /* or NULL */
	double offset;    /* NAN = not known */
};

struct cause_fact {
	const char *name, *unit;
	double num;
};

struct cause_finding {
	double core_ns; /* part of the loss; NAN = not a matter of loss */
	double gain_ns; /* core time saved if it were gone, where that is more than the loss */
	bool aside;     /* worth saying beside the answer; not the answer */
	enum confidence confidence;
	const char *confirm; /* what would make it certain; NULL = the descriptor's */
	struct cause_place places[CAUSE_PLACES_MAX];
	size_t n_places;
	struct cause_fact facts[CAUSE_FACTS_MAX];
	size_t n_facts;
};

struct cause {
	const char *id;      /* "mutex-convoy" */
	const char *what;    /* one line for `leat list causes` */
	const char *help;    /* whole sentences: how it shows, and the usual change */
	const char *confirm; /* what would make it certain, as an order: "run ..." */
	bool contention;     /* threads in one another's way: less of it on one CPU */
	/* What it goes by is nothing that noise makes: it is asked even where the curve leaves
	 * open whether anything is wrong. */
	bool direct;

	/* How much of the item's left_ns is this cause's doing, 0 .. left_ns. NULL: it claims
	 * nothing and is judged by the whole. */
	double (*claim)(const struct cause_book *book, const struct cause_item *item);

	/* Required. Does it hold? Then fills *ret, which is zeroed and has core_ns set to the
	 * account's sum. */
	bool (*judge)(const struct cause_book *book, const struct cause_account *mine,
		struct cause_finding *ret);
};

/* Every cause, in the order of table.def, ending in NULL. */
extern const struct cause *const cause_table[];

const struct cause *cause_find(const char *id);

struct cause_named {
	const struct cause *cause;
	struct cause_finding finding;
};

/* Names the causes that hold, the largest first. Returns how many, at most `room`.
 * Errors: -ENOMEM. */
int cause_judge(
	const struct cause_input *in, struct cause_named *ret, size_t room, struct lt_err *err);

#endif
