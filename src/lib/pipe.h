/* SPDX-License-Identifier: MIT */
/* A running pipeline.
 *
 * Alone, the caller carries one token after the other through all stages: plain calls, nothing
 * shared, one clock pair now and then. When an item's work behind the input turns out dearer
 * than a wake-up it calls helpers, and from then on tokens are handed over:
 *
 * - In-order stages: one cell per stage and token number. Who leaves the stage swaps GRANTED into
 *   the next number's cell; who arrives swaps in PARKED. The second of the two sees the first,
 *   so that either the one who arrives goes in, or the one who leaves takes the parked token on.
 * - Serial stages: a count of tokens inside and waiting, and a stack of those that wait.
 * - Tokens that can go on lie in a bit mask, from which any worker takes.
 *
 * When the work shrinks, helpers go to sleep; once the caller holds all of them asleep (FROZEN)
 * with no token under way, it is alone again. */
#ifndef LIB_PIPE_H
#define LIB_PIPE_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "leat/pipeline.h"
#include "leat/stats.h"
#include "lib/park.h"
#include "lib/sync.h"

enum {
	PIPE_LINE = 64,
	PIPE_TOKENS_MAX = 1024,
	PIPE_STAGES_MAX = 256,
	PIPE_WORKERS_MAX = 1024,
	PIPE_FROZEN = 2, /* a helper's park state: asleep until the caller thaws it */
	CELL_EMPTY = 0,
	CELL_PARKED,
	CELL_GRANTED,
	STOP_FAILED = 1,
	STOP_CANCELED = 2,
	STAGE_NONE = ~0u,
	PIPE_TIMED = 64, /* one item in so many is timed in each stage */
};

/* Every token under way; its number modulo the ring size is its place. */
struct pipe_slot {
	alignas(PIPE_LINE) void *item;
	uint64_t number;
	unsigned stage;
	bool inside;      /* the turn at this stage is ours already */
	sync_u32 busy;    /* 0: the place is free */
	uint32_t waiting; /* next in a serial stage's stack: 1 + place */
};

/* A serial stage, or the cells of an in-order one. */
struct pipe_gate {
	alignas(PIPE_LINE) sync_u32 count; /* serial: inside and waiting */
	sync_u32 stack;                    /* serial: 1 + place of the last to come */
	uint32_t fifo;                     /* serial: who is inside; waiting, oldest first */
	struct pipe_cell *cell;            /* in order */
};

struct pipe_cell {
	alignas(PIPE_LINE) sync_u32 state;
};

struct pipe_call {
	leat_stage_fn *fn;
	void *ctx;
};

/* Time in one stage, of the items whose time is taken. */
struct pipe_timed {
	uint64_t n, ns;
};

struct pipe_worker {
	alignas(PIPE_LINE) struct park park;
	_Atomic(int64_t) woken_ns; /* by the waker, before it wakes */
	struct pipe *pipe;
	unsigned index;
	bool started, worked;
	pthread_t thread;
	struct park_spin spin;
	struct leat_stats_slot *stats;
	uint64_t done, skipped, dropped;
	struct pipe_timed *timed; /* one per stage */
	_Atomic(uint64_t) *bound; /* mask of tokens only this worker may take; or NULL */
};

/* What a stage function holds a pointer into. */
struct pipe_token {
	struct leat_token pub;
	struct pipe *pipe;
	bool failed;
};

struct pipe {
	/* constant */
	struct pipe_call *call;
	const struct leat_stage *stage;
	unsigned n, tokens, workers, ring, words;
	struct leat_pipeline_opts opts;
	struct pipe_gate *gate;
	struct pipe_slot *slot;
	struct pipe_worker *worker;
	struct pipe_timed *timed; /* of all workers */
	struct leat_stats_slot *stats;
	bool needs_helpers; /* a stage is bound to one */

	alignas(PIPE_LINE) sync_u32 stop; /* 0, STOP_FAILED or STOP_CANCELED */
	sync_u32 limit;                   /* workers that may be woken: 1 or all */
	int64_t work_ns;                  /* caller only: last estimate */
	int64_t wake_ns;

	alignas(PIPE_LINE) sync_u32 input; /* 1: a worker is in the serial input */
	sync_u32 ended;
	_Atomic(uint64_t) next;                      /* number of the next item */
	alignas(PIPE_LINE) sync_u32 under_way;       /* tokens */
	alignas(PIPE_LINE) sync_u32 asleep;          /* workers, about */
	alignas(PIPE_LINE) _Atomic(uint64_t) *ready; /* words of the mask */

	pthread_mutex_t lock; /* guards the rest */
	struct leat_err err;
	unsigned fail_stage;
	uint64_t fail_item;
	int event_fd, stop_fd;
	uint64_t calls;
};

/* Runs tokens until the input has ended and none is under way; the caller returns earlier, with
 * true, when it is alone again. */
bool pipe_flow(struct pipe *p, struct pipe_worker *w);

/* The caller: makes all helpers wakeable, and starts their threads the first time. */
int pipe_call_helpers(struct pipe *p, struct leat_err *err);

/* Runs a stage function and looks after failure; `item` is dropped instead while stopping. */
void *pipe_run_stage(
	struct pipe *p, struct pipe_worker *w, struct pipe_token *token, unsigned s, void *item);

/* Looks for a cancel; returns p->stop. */
uint32_t pipe_check_stop(struct pipe *p);

#endif
