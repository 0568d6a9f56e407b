/* SPDX-License-Identifier: MIT */
/* A token pipeline: items pass through stages in one call, run by the calling thread and as
 * many helpers as the work is worth. */
#ifndef LEAT_PIPELINE_H
#define LEAT_PIPELINE_H

#include <stdint.h>

#include <leat/cancel.h>
#include <leat/base.h>

LEAT_BEGIN_DECLS

enum leat_stage_kind {
	LEAT_IN_ORDER, /* one item at a time, in the order of the input */
	LEAT_SERIAL,   /* one item at a time, in any order */
	LEAT_PARALLEL, /* any number of items at a time */
};

/* Where a stage runs. Worker 0 is the thread that called leat_pipeline(). */
enum {
	LEAT_ANY_WORKER = 0,
	LEAT_CALLER = 1,
};
/* Worker n, for struct leat_stage.bind; LEAT_WORKER(0) is LEAT_CALLER. */
#define LEAT_WORKER(n) ((n) + 1)

/* What a stage function learns about its item. Valid during the call only. */
struct leat_token {
	uint64_t number; /* of the item, in the order of the input; 0, 1, 2, ... */
	unsigned worker; /* who runs this call; index of per-worker scratch memory */
	unsigned stage;  /* index of the stage */
};

/* A stage function. The first stage gets item NULL and makes one; every other gets what the
 * stage before returned. NULL is an item like any other. The last stage's result is ignored. */
typedef void *leat_stage_fn(void *ctx, void *item, struct leat_token *token);

struct leat_stage {
	enum leat_stage_kind kind;
	const char *name; /* for errors and statistics; NULL: "stage N" */
	leat_stage_fn *fn;
	void *ctx;
	unsigned bind; /* LEAT_ANY_WORKER, LEAT_CALLER or LEAT_WORKER(n) */
};

/* Results of a stage function with a meaning of their own. */
extern LEAT_API char leat_end_mark[], leat_skip_mark[];
#define LEAT_END  ((void *)leat_end_mark)  /* first stage: the input has ended */
#define LEAT_SKIP ((void *)leat_skip_mark) /* done with this item: no later stage sees it */

struct leat_pipeline_opts {
	const char *name;           /* for statistics; NULL: "pipeline" */
	unsigned tokens;            /* most items in flight; 0: 4 per worker */
	unsigned workers;           /* the caller and workers - 1 helpers; 0: one per CPU */
	const char *cpus;           /* worker i runs on the i-th CPU of the list; NULL: free */
	struct leat_cancel *cancel; /* ends the run from outside; may be NULL */
	/* An item lost by error or cancel, with the stage it was on its way to. May be called
	 * by several workers at a time. */
	void (*drop)(void *ctx, void *item, unsigned stage);
	void *drop_ctx;
	/* A helper is called once an item's work behind the input exceeds this; 0: what a
	 * wake-up costs here, measured at the first use. 1 calls the helpers at once. */
	int64_t wake_ns;
};

struct leat_pipeline_report {
	uint64_t items;      /* produced by the input */
	uint64_t done;       /* left the last stage */
	uint64_t skipped;    /* ended by LEAT_SKIP */
	uint64_t dropped;    /* lost by error or cancel */
	unsigned workers;    /* that ran at least one stage */
	uint64_t calls;      /* times a helper was woken */
	unsigned fail_stage; /* valid if the result is not 0 or -ECANCELED */
	uint64_t fail_item;
};

/* Runs items through stages until the input ends.
 * **Owner:** stages and opts are borrowed during the call; opts and report may be NULL.
 * **Threads:** any; each call is a pipeline of its own. **Blocks:** until the input has ended and
 * every item has left, or error or cancel.
 * **Errors:** 0; the code of the first leat_token_fail() (id LEAT-STAGE, text names stage and
 * item); -ECANCELED LEAT-CANCELED; -EINVAL LEAT-PIPELINE-STAGES, -KIND, -TOKENS, -WORKERS, -BIND,
 * -CPUS; LEAT-MEMORY, LEAT-THREAD. */
LEAT_API int leat_pipeline(const struct leat_stage *stages, unsigned n_stages,
	const struct leat_pipeline_opts *opts, struct leat_pipeline_report *report,
	struct leat_err *err);

/* Fails the pipeline from inside a stage function; the first failure wins. What the function
 * returns afterwards is ignored: the item counts as the stage's own, `drop` is not called for it.
 * **Threads:** the stage's. **Blocks:** no. **Errors:** returns code. */
LEAT_API int leat_token_fail(struct leat_token *token, int code, const char *fmt, ...)
	LEAT_PRINTF(3, 4);

/* A descriptor that becomes readable when the pipeline fails or is cancelled, for a stage that
 * waits in poll(2). **Owner:** borrowed until the pipeline returns. **Threads:** the stage's.
 * **Blocks:** no. **Errors:** negative errno when no descriptor is left. */
LEAT_API int leat_token_stop_fd(struct leat_token *token);

LEAT_END_DECLS

#endif
