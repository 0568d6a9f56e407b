/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a judge has to tell: numbers, places and how sure it is. */
#ifndef CAUSE_TELL_H
#define CAUSE_TELL_H

#include "cause/cause.h"

/* Is the part of the loss large enough to be worth a name? */
bool cause_matters(const struct cause_book *book, const struct cause_finding *f);

/* By the means that the fact was had by; of contention also by the run on one CPU. */
enum confidence cause_confidence(
	const struct cause_book *book, enum evidence_fact fact, bool contention);

/* Left out when NAN or when there is no room. */
void cause_add_fact(struct cause_finding *f, const char *name, const char *unit, double num);

/* How many waits were claimed, by the name that they go by; their time in all and on average. */
void cause_add_waits(const struct cause_account *mine, const char *called, struct cause_finding *f);

/* The up to `most` places that most of the claim comes from, without repeating one. */
void cause_add_places(const struct cause_book *book, const struct cause_account *mine,
	enum cause_item_kind kind, const char *role, size_t most, struct cause_finding *f);

/* One place; NULL when there is no room or it is there already. */
struct cause_place *cause_add_place(
	struct cause_finding *f, const char *role, unsigned group, int site);

/* The function in which threads compute while nothing else of the program runs. */
void cause_add_alone(const struct cause_book *book, const char *role, struct cause_finding *f);

/* Judges a cause that claims user code at cache lines that threads dispute; `shared` says
 * which kind. Tells both sides of the line that most of the claim comes from. */
bool cause_judge_line(const struct cause_book *book, const struct cause_account *mine, bool shared,
	struct cause_finding *f);

/* Judges a cause that claims waits at what only the outside can end; `called` names how many,
 * and is the role of their places. */
bool cause_judge_outside(const struct cause_book *book, const struct cause_account *mine,
	const char *called, struct cause_finding *f);

/* Of the evidence, from its totals; NAN where not known. */
double cause_fault_rate(const struct cause_book *book);   /* per second of CPU time */
double cause_system_share(const struct cause_book *book); /* of its CPU time, at the focus */
double cause_one_cpu(const struct cause_book *book);      /* time on one CPU / on all of them */
double cause_one_cpu_cpu(const struct cause_book *book);  /* CPU time, the same */

/* How many cores were in use on average at the point, or NAN. */
double cause_cores_used(const struct curve_point *p);

/* Core time for which exactly n cores were in use, as a share of the run; NAN unknown. */
double cause_cores_share(const struct cause_book *book, size_t n);

#endif
