/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Taking an observation apart, and giving the pieces to the causes that claim them. */
#ifndef CAUSE_BOOK_H
#define CAUSE_BOOK_H

#include "base/arena.h"
#include "cause/cause.h"

/* Everything of *ret lives in the arena and as long as the input. Errors: -ENOMEM. */
int cause_book_open(const struct cause_input *in, struct lt_arena *arena, struct cause_book *ret,
	struct lt_err *err);

/* Where the kernel's side could not be looked at: samples of it as they probably would have
 * been. *ret lives in the arena; none where there is nothing to go by. Errors: -ENOMEM. */
int cause_book_guess(const struct cause_input *in, struct lt_arena *arena,
	const struct evidence_sample **ret, size_t *ret_n, struct lt_err *err);

/* Puts the idle core time down to waits: sets core_ns of those items. */
void cause_book_idle(struct cause_book *book);

/* Asks each cause of the table for its claims and fills the accounts. Errors: -ENOMEM. */
int cause_book_claim(struct cause_book *book, struct lt_arena *arena, struct lt_err *err);

/* How much of its user code each sample spent at lines that threads dispute. */
void cause_book_lines(struct cause_book *book);

/* One line of the source, or one instruction: an access is known by its place, a sample by its
 * calls, too. */
bool cause_same_place(const struct evidence *ev, int a, int b);

/* More than one thread's line that others look at now and then. */
bool cause_line_disputed(const struct evidence_line *line);

/* Threads use the same bytes of it, not just bytes side by side. */
bool cause_line_shared(const struct evidence_line *line);

/* What a thread of the group computes, as a share of what one of the busiest group does. */
double cause_busyness(const struct cause_book *book, unsigned group);

/* Threads of the group do a good part of the computing, each for itself. */
bool cause_is_busy(const struct cause_book *book, unsigned group);

/* The same work takes more user time, and hardly any of it is at lines that threads dispute, in
 * loops that wait or in contended calls: what the cores share is in the way, not the threads. */
bool cause_undisputed_user(const struct cause_book *book);

/* How much of the sample's time was spent going round in a loop until something changes. */
double cause_spun_ns(const struct evidence_sample *s);

/* Waits for, or wakes, other threads of the program. */
bool cause_is_futex(enum evidence_op op);

/* Waits at what only the outside can end: input, a timer, a disk. */
bool cause_is_external(const struct cause_item *item);

/* Teams of an OpenMP runtime have to wait so long that they go to sleep. */
bool cause_runtime_sleeps(const struct cause_book *book);

/* Thread time of waiting for a CPU. */
double cause_queued_ns(const struct cause_book *book);

/* Waits that are over within a moment: threads hand over more than they work. */
bool cause_is_short(const struct cause_item *item);

#endif
