/* SPDX-License-Identifier: MIT */
/* The stages joined. Reading, translating and writing are done in the order of the capture, each by
 * one thread at a time; everything that needs no order is done in the stages between. */
#include "router/node/run.h"

#include <leat/pipeline.h>
#include <leat/work.h>

#include "router/node/chunk_pool.h"
#include "router/node/emit.h"
#include "router/node/queens.h"

enum {
	TOKENS_PER_THREAD = 4,
	STAGES_MAX = 8,
};

struct run {
	struct router *router;
	const struct run_opts *opts;
	struct chunk_pool chunks; /* one for each token */
	struct emitter emitter;
	struct leat_work *work;
	bool stop; /* reader's: no more input */
	int failed;
	struct lt_err failure;
};

/* ---- what each stage does to a chunk ---- */

static bool read_chunk(struct run *run, struct chunk *chunk)
{
	if (run->stop || (run->opts->stop && *run->opts->stop))
		return false;
	chunk_reset(chunk);
	int n = io_reader_next(run->opts->reader, &chunk->io, &run->failure);
	run->failed = n < 0 ? n : 0;
	run->stop = n <= 0;
	return n > 0;
}

static void write_chunk(struct run *run, struct chunk *chunk)
{
	emit_chunk(&run->emitter, chunk);
	leat_work_add(run->work, chunk->n);
	io_reader_release(run->opts->reader, &chunk->io);
}

static bool writers_are_well(const struct run *run)
{
	for (size_t i = 0; i < run->router->conf->n_nics; i++) {
		if (!io_writer_ok(run->opts->writers[i]))
			return false;
	}
	return true;
}

/* ---- the pipeline ---- */

static void *read_stage(void *ctx, void *item, struct leat_token *token)
{
	struct run *run = ctx;
	(void)item;
	(void)token;
	struct chunk *chunk = chunk_pool_take(&run->chunks);
	if (read_chunk(run, chunk))
		return chunk;
	chunk_pool_give(&run->chunks, chunk);
	return LEAT_END;
}

static void *parse_stage(void *ctx, void *item, struct leat_token *token)
{
	struct run *run = ctx;
	(void)token;
	router_parse(run->router, item);
	return item;
}

static void *flow_stage(void *ctx, void *item, struct leat_token *token)
{
	struct run *run = ctx;
	(void)token;
	router_flow(run->router, item);
	return item;
}

static void *work_stage(void *ctx, void *item, struct leat_token *token)
{
	struct run *run = ctx;
	struct chunk *chunk = item;
	(void)token;
	queens_work(run->opts->queens, chunk->n);
	return item;
}

static void *write_stage(void *ctx, void *item, struct leat_token *token)
{
	struct run *run = ctx;
	write_chunk(run, item);
	chunk_pool_give(&run->chunks, item);
	if (!writers_are_well(run))
		leat_token_fail(token, -EIO, "a writer has failed");
	return NULL;
}

static const struct leat_stage stages[] = {
	{ .kind = LEAT_IN_ORDER, .name = "read", .fn = read_stage },
	{ .kind = LEAT_PARALLEL, .name = "parse", .fn = parse_stage },
	{ .kind = LEAT_IN_ORDER, .name = "flow", .fn = flow_stage },
	{ .kind = LEAT_IN_ORDER, .name = "write", .fn = write_stage },
};

/* With simulated work there are three more stages: what the classic example does to bandwidth,
 * addresses and routes, each as heavy as the others. */
static const struct leat_stage work_stages[] = {
	{ .kind = LEAT_PARALLEL, .name = "bandwidth work", .fn = work_stage },
	{ .kind = LEAT_PARALLEL, .name = "nat work", .fn = work_stage },
	{ .kind = LEAT_PARALLEL, .name = "route work", .fn = work_stage },
};

static unsigned join_stages(struct run *run, struct leat_stage to[STAGES_MAX])
{
	unsigned n = 0;
	for (size_t i = 0; i < LT_COUNT(stages); i++) {
		to[n++] = stages[i];
		for (size_t k = 0; i == 1 && run->opts->queens && k < LT_COUNT(work_stages); k++)
			to[n++] = work_stages[k];
	}
	for (unsigned i = 0; i < n; i++)
		to[i].ctx = run;
	return n;
}

static int run_pipeline(struct run *run, struct lt_err *err)
{
	struct leat_stage joined[STAGES_MAX];
	unsigned n = join_stages(run, joined);
	struct leat_pipeline_opts opts = { .name = "router",
		.tokens = run->chunks.n,
		.workers = run->opts->threads,
		.wake_ns = 1 };
	struct leat_err lib_err = { 0 };
	int r = leat_pipeline(joined, n, &opts, NULL, &lib_err);
	if (r < 0 && writers_are_well(run))
		return lt_fail(err, r, "LT-RUN", "%s", lib_err.text);
	return 0; /* a writer tells what it could not write when it is committed */
}

/* ---- the loop ---- */

static void run_loop(struct run *run)
{
	struct chunk *chunk = chunk_pool_take(&run->chunks);
	while (writers_are_well(run) && read_chunk(run, chunk)) {
		router_parse(run->router, chunk);
		for (size_t k = 0; run->opts->queens && k < LT_COUNT(work_stages); k++)
			queens_work(run->opts->queens, chunk->n);
		router_flow(run->router, chunk);
		write_chunk(run, chunk);
	}
	chunk_pool_give(&run->chunks, chunk);
}

/* ---- a run ---- */

static unsigned tokens(const struct run_opts *opts)
{
	unsigned n = opts->tokens ? opts->tokens : TOKENS_PER_THREAD * opts->threads;
	return opts->serial ? 1 : n < RUN_TOKENS_MAX ? n : RUN_TOKENS_MAX;
}

static int make(struct run *run, struct lt_err *err)
{
	unsigned size = run->opts->chunk ? run->opts->chunk : RUN_CHUNK;
	int r = emitter_init(&run->emitter, run->router, run->opts->writers, err);
	return r < 0 ? r : chunk_pool_init(&run->chunks, tokens(run->opts), size, err);
}

static void done(struct run *run)
{
	chunk_pool_done(&run->chunks);
	emitter_done(&run->emitter);
}

int run_counts_init(struct run_counts *counts, const struct conf *conf, struct lt_err *err)
{
	counts->nics = calloc(conf->n_nics, sizeof(*counts->nics));
	counts->queues = calloc(conf->n_nics, sizeof(*counts->queues));
	return counts->nics && counts->queues ? 0 : lt_fail_mem(err);
}

void run_counts_done(struct run_counts *counts)
{
	free(counts->nics);
	free(counts->queues);
}

static void keep_counts(const struct run *run, struct run_counts *ret)
{
	const struct conf *conf = run->router->conf;
	counters_add(ret->nics, run->emitter.counters, conf->n_nics);
	for (size_t i = 0; i < conf->n_nics; i++) {
		const struct outlet *outlet = run->emitter.outlets[i];
		for (unsigned k = 0; outlet && k < conf->n_classes; k++)
			ret->queues[i][k] = *sched_count(outlet_sched(outlet), k);
	}
}

int run_router(struct router *router, const struct run_opts *opts, struct run_counts *ret,
	struct lt_err *err)
{
	struct run run = { .router = router, .opts = opts };
	struct leat_region *region = NULL;
	int r = make(&run, err);
	if (r == 0) {
		/* for measuring tools; without them the run is the same */
		leat_work_get("packets", "packet", &run.work, NULL);
		leat_region_get("router", &region, NULL);
		leat_region_begin(region);
		if (opts->serial)
			run_loop(&run);
		else
			r = run_pipeline(&run, err);
		emit_rest(&run.emitter);
		leat_region_end(region);
		keep_counts(&run, ret);
	}
	if (r == 0 && run.failed < 0) {
		if (err)
			*err = run.failure;
		r = run.failed;
	}
	if (r == 0)
		r = io_reader_check(opts->reader, err);
	done(&run);
	return r;
}
