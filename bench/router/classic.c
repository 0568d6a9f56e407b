/* SPDX-License-Identifier: MIT */
/* The router's stages without its pipeline. */
#include "router/classic.h"

#include <stdio.h>
#include <stdlib.h>

#include "router/conf/conf.h"
#include "router/node/chunk_pool.h"
#include "router/node/emit.h"
#include "router/node/queens.h"
#include "router/node/router.h"

struct classic {
	struct conf *conf;
	struct fib *fib;
	struct router *router;
	struct io_reader *reader;
	struct emitter emitter;
	struct io_writer *writers[CONF_MAX_NICS];
	const char *nics[CONF_MAX_NICS];
	struct chunk_pool chunks;
	unsigned queens;
};

static int load(struct classic *c, const char *config, struct lt_err *err)
{
	int r = conf_load(config, &c->conf, err);
	return r < 0 ? r : conf_fib(c->conf, &c->fib, err);
}

static int start(
	struct classic *c, const char *capture, unsigned chunk, unsigned tokens, struct lt_err *err)
{
	int r = 0;
	struct io_writer_opts wo = { .format = IO_WRITE_NONE };
	for (size_t i = 0; i < c->conf->n_nics && r == 0; i++) {
		c->nics[i] = c->conf->nics[i].name;
		r = io_writer_open(NULL, c->nics[i], &wo, &c->writers[i], err);
	}
	struct io_input input = { .path = capture };
	struct io_reader_opts ro = {
		.inputs = &input, .n_inputs = 1, .nics = c->nics, .n_nics = c->conf->n_nics
	};
	if (r == 0)
		r = io_reader_open(&ro, &c->reader, err);
	if (r == 0)
		r = router_new(c->conf, c->fib, NULL, &c->router, err);
	if (r == 0)
		r = emitter_init(&c->emitter, c->router, c->writers, err);
	return r < 0 ? r : chunk_pool_init(&c->chunks, tokens, chunk, err);
}

/* What cannot be done ends the program. */
static void must(int r, const struct lt_err *err)
{
	if (r == 0)
		return;
	fprintf(stderr, "classic: %s\n", err->text);
	exit(1);
}

struct classic *classic_load(const char *config)
{
	struct lt_err err = { 0 };
	struct classic *c = calloc(1, sizeof(*c));
	must(c ? load(c, config, &err) : lt_fail_mem(&err), &err);
	return c;
}

void classic_start(
	struct classic *c, const char *capture, unsigned chunk, unsigned tokens, unsigned queens)
{
	struct lt_err err = { 0 };
	c->queens = queens;
	must(start(c, capture, chunk, tokens, &err), &err);
}

void *classic_read(struct classic *c)
{
	struct chunk *chunk = chunk_pool_take(&c->chunks);
	chunk_reset(chunk);
	if (io_reader_next(c->reader, &chunk->io, NULL) > 0)
		return chunk;
	chunk_pool_give(&c->chunks, chunk);
	return NULL;
}

void classic_parse(struct classic *c, void *item)
{
	router_parse(c->router, item);
}

void classic_work(struct classic *c, void *item)
{
	const struct chunk *chunk = item;
	queens_work(c->queens, chunk->n);
}

void classic_flow(struct classic *c, void *item)
{
	router_flow(c->router, item);
}

void classic_write(struct classic *c, void *item)
{
	struct chunk *chunk = item;
	emit_chunk(&c->emitter, chunk);
	io_reader_release(c->reader, &chunk->io);
	chunk_pool_give(&c->chunks, chunk);
}

uint64_t classic_finish(struct classic *c)
{
	size_t n = c->conf->n_nics;
	uint64_t in = 0;
	emit_rest(&c->emitter);
	counters_add(c->emitter.counters, c->router->counters, n);
	bool whole = counters_balance(c->emitter.counters, n);
	for (size_t i = 0; i < n; i++)
		in += c->emitter.counters[i].in;
	emitter_done(&c->emitter);
	chunk_pool_done(&c->chunks);
	return whole ? in : 0;
}

void classic_free(struct classic *c)
{
	for (size_t i = 0; i < c->conf->n_nics; i++)
		io_writer_close(c->writers[i]);
	router_free(c->router);
	io_reader_close(c->reader);
	fib_free(c->fib);
	conf_free(c->conf);
	free(c);
}
