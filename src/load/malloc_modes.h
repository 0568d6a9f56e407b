/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The patterns of `leat bench malloc`: what one thread does in its rounds. */
#ifndef LOAD_MALLOC_MODES_H
#define LOAD_MALLOC_MODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A tray between a thread and its neighbour, for the mode that hands blocks on. */
struct malloc_tray;

struct malloc_worker {
	uint64_t rounds;
	size_t bytes;
	struct malloc_tray *from, *to; /* of the thread before, to the thread behind */
	uint64_t blocks;               /* written and freed, by whomever */
	bool failed; /* malloc said no, or a block did not hold what was written */
};

struct malloc_mode {
	const char *name;
	const char *what;        /* a line for people */
	uint64_t blocks_a_round; /* what a round adds to `blocks` */
	int (*prepare)(void);    /* once, before the threads; negative errno; or NULL */
	void (*run)(struct malloc_worker *w); /* all rounds of one thread */
	bool hands_on;                        /* needs the trays */
};

/* Ends in one without a name. The first is the default. */
extern const struct malloc_mode malloc_modes[];

const struct malloc_mode *malloc_mode_find(const char *name);

/* n trays, thread i reading from tray i; NULL: no memory. */
struct malloc_tray *malloc_trays_new(unsigned n);
struct malloc_tray *malloc_tray_at(struct malloc_tray *trays, unsigned i);
/* Frees the blocks still in them, too. */
void malloc_trays_free(struct malloc_tray *trays, unsigned n);

#endif
