/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of trying remedies, shared by the files that do it. Others see remedies.h. */
#ifndef RUN_REMEDIES_INSIDE_H
#define RUN_REMEDIES_INSIDE_H

#include "run/remedies.h"
#include "run/remedy_proof.h"

enum {
	REMEDIES_MAX = 64,   /* in the table */
	REMEDIES_PAIRS = 32, /* of one proof */
	REMEDIES_FINAL = 3,  /* go from screening to proof */
};

struct candidate {
	const struct remedy *remedy;
	struct remedy_change change;
	size_t result;    /* index into the record's remedies */
	bool in;          /* still in the race */
	bool other_words; /* in an output that varies by itself: a hint, no proof */
	unsigned variant;
	double screened_ns;
	size_t n; /* pairs */
	double with[REMEDIES_PAIRS];
	double without[REMEDIES_PAIRS], control[REMEDIES_PAIRS]; /* in the same blocks */
	double peak[REMEDIES_PAIRS];
	size_t n_peaks;
};

struct remedies {
	struct record *rec;
	struct remedy_place *place;
	const struct remedies_opts *opts;
	const struct remedies_host *host;
	struct candidate list[REMEDIES_MAX];
	size_t n;
	struct candidate base, control; /* the program as it is; the same under another name */
	uint64_t output, output_text;   /* of the program as it is; 0 = differs by itself */
};

struct remedy_result *remedies_result(struct remedies *x, const struct candidate *c);

/* The candidate's part in the race is over. */
void remedies_out(struct remedies *x, struct candidate *c, enum remedy_verdict verdict,
	const char *reason, const char *hint);

/* Is the run what a run of the program should be? If not the candidate is out. */
bool remedies_sound(struct remedies *x, struct candidate *c, const struct remedies_seen *seen);

void remedies_take_peak(struct candidate *c, const struct remedies_seen *seen);

/* The program as it is: its time, its output, its maps. *ret_good: it does what it should. */
int remedies_screen_base(struct remedies *x, bool *ret_good, struct lt_err *err);

/* Every candidate once; those too far behind are out. */
int remedies_screen(struct remedies *x, struct lt_err *err);

/* The best few in blocks with the default and the control. */
int remedies_prove(struct remedies *x, const struct remedy **ret_best, struct lt_err *err);

#endif
