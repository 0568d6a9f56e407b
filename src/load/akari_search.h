/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All solutions of a Light Up puzzle, by a tree of tasks. */
#ifndef LOAD_AKARI_SEARCH_H
#define LOAD_AKARI_SEARCH_H

#include <leat/cancel.h>

#include <stdbool.h>
#include <stdint.h>

#include "load/akari_board.h"

struct akari_ask {
	unsigned threads;           /* 0: one for each CPU */
	bool first;                 /* one solution is enough */
	bool show;                  /* keep one: the first found, or of all the first in order */
	struct leat_cancel *cancel; /* or NULL */
};

struct akari_answer {
	uint64_t solutions;
	uint64_t sum;      /* of a hash of each solution: equal sets have equal sums */
	uint64_t branches; /* times a cell was tried both ways */
	uint64_t dead_ends;
	uint64_t tasks, stolen; /* of the pool: how the tree was shared out */
	int64_t elapsed_ns;     /* of the tree of tasks, without making and ending the threads */
	unsigned threads;
	unsigned char *lamps; /* of the kept solution, by board index; NULL: none; free() it */
};

/* Errors: -ECANCELED, -ENOMEM, -EAGAIN (no thread to be had). */
int akari_solve(const struct akari_board *board, const struct akari_ask *ask,
	struct akari_answer *ret_answer, struct lt_err *err);

#endif
