/* SPDX-License-Identifier: MIT */
/* A run of the router: packets from a reader through the stages to writers, as a pipeline on
 * several threads or as one plain loop. What comes out is the same. */
#ifndef ROUTER_NODE_RUN_H
#define ROUTER_NODE_RUN_H

#include <signal.h>

#include "router/io/reader.h"
#include "router/io/writer.h"
#include "router/node/counters.h"
#include "router/node/router.h"
#include "router/node/sched.h"

struct run_opts {
	struct io_reader *reader;
	struct io_writer **writers; /* by interface */
	unsigned threads;           /* 0: one for each CPU */
	bool serial;                /* the plain loop */
	unsigned chunk;             /* packets that go through the stages together; 0: default */
	unsigned tokens;            /* chunks under way; 0: default */
	unsigned queens;            /* simulated work, see work.h; 0: none */
	const volatile sig_atomic_t *stop; /* not 0: the input ends here */
};

enum {
	RUN_CHUNK = 1024,
	RUN_CHUNK_MAX = 65536,
	RUN_TOKENS_MAX = 1024,
};

/* What a run counted. Owner: the caller of run_counts_init(). */
struct run_counts {
	struct counters *nics; /* one for each interface */
	/* of those that have a rate, the queue of each class */
	struct sched_count (*queues)[CONF_MAX_CLASSES];
};

int run_counts_init(struct run_counts *counts, const struct conf *conf, struct lt_err *err);
void run_counts_done(struct run_counts *counts);

/* Runs until the input has ended. What was counted is in `ret` whatever is returned; the router's
 * own counters come to it when it has finished. Errors: those of the reader, after all packets
 * before the damage have gone through; those of libleat, as LT-RUN; writers keep theirs. */
int run_router(struct router *router, const struct run_opts *opts, struct run_counts *ret,
	struct lt_err *err);

#endif
