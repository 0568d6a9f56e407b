/* SPDX-License-Identifier: MIT */
/* The router's stages without its pipeline. */
#include "router/classic.h"

#include <stdio.h>
#include <stdlib.h>

#include "router/conf/conf.h"
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
	struct chunk *chunks;
	unsigned tokens, queens;
};

static int open_all(struct classic *c, const char *capture, const char *config, unsigned chunk,
	struct lt_err *err)
{
	int r = conf_load(config, &c->conf, err);
	if (r == 0)
		r = conf_fib(c->conf, &c->fib, err);
	if (r < 0)
		return r;
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
	c->chunks = calloc(c->tokens, sizeof(*c->chunks));
	for (unsigned i = 0; i < c->tokens && r == 0; i++)
		r = c->chunks ? chunk_init(&c->chunks[i], chunk, err) : lt_fail_mem(err);
	return r;
}

struct classic *classic_open(
	const char *capture, const char *config, unsigned chunk, unsigned tokens, unsigned queens)
{
	struct lt_err err = { 0 };
	struct classic *c = calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	c->tokens = tokens;
	c->queens = queens;
	if (open_all(c, capture, config, chunk, &err) == 0)
		return c;
	fprintf(stderr, "classic: %s\n", err.text);
	return NULL; /* the program ends */
}

void *classic_read(struct classic *c, uint64_t number)
{
	struct chunk *chunk = &c->chunks[number % c->tokens];
	chunk_reset(chunk);
	return io_reader_next(c->reader, &chunk->io, NULL) > 0 ? chunk : NULL;
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
}

uint64_t classic_close(struct classic *c)
{
	size_t n = c->conf->n_nics;
	uint64_t in = 0;
	emit_rest(&c->emitter);
	counters_add(c->emitter.counters, c->router->counters, n);
	bool whole = counters_balance(c->emitter.counters, n);
	for (size_t i = 0; i < n; i++) {
		in += c->emitter.counters[i].in;
		io_writer_close(c->writers[i]);
	}
	emitter_done(&c->emitter);
	for (unsigned i = 0; i < c->tokens; i++)
		chunk_done(&c->chunks[i]);
	free(c->chunks);
	router_free(c->router);
	io_reader_close(c->reader);
	fib_free(c->fib);
	conf_free(c->conf);
	free(c);
	return whole ? in : 0;
}
