/* SPDX-License-Identifier: MIT */
/* Several inputs as one sequence of packets. */
#include "router/io/reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "router/io/format.h"
#include "router/io/source.h"

/* An input whose packets go with others by time keeps its next one here. */
struct head {
	struct io_span span; /* of one packet; n 0: none is here */
	int64_t time_ns;
};

struct io_reader {
	struct io_reader_opts opts;
	struct io_blocks blocks;
	struct io_source *sources;
	struct head *heads;
	size_t n_sources;
	size_t current; /* source that the order given has come to */
	uint64_t seq;
	struct lt_err failure; /* the first */
};

/* Inputs that name an interface share the source of their file; others are one each. */
static bool is_source(const struct io_reader_opts *opts, size_t i)
{
	const struct io_input *input = &opts->inputs[i];
	if (!input->interface)
		return true;
	for (size_t k = 0; k < opts->n_inputs; k++) {
		const struct io_input *other = &opts->inputs[k];
		if (!strcmp(other->path, input->path) && (!other->interface || k < i))
			return false;
	}
	return true;
}

static int open_source(struct io_reader *reader, const struct io_input *input, struct lt_err *err)
{
	struct io_source *source = &reader->sources[reader->n_sources];
	int r = io_source_open(source, input->path, &reader->blocks, err);
	if (r < 0)
		return r;
	reader->n_sources++;
	source->stop_fd = reader->opts.stop_fd;
	source->nics = (struct io_nics){
		.opts = &reader->opts,
		.path = input->path,
		.nic = input->interface ? NULL : input->nic,
	};
	const struct io_format *format;
	r = io_format_detect(source, &format, err);
	if (r < 0)
		return r;
	source->state = calloc(1, format->state_size);
	if (!source->state)
		return lt_fail_mem(err);
	source->format = format;
	return format->open(source, err);
}

static int open_sources(struct io_reader *reader, struct lt_err *err)
{
	const struct io_reader_opts *opts = &reader->opts;
	int r = io_nics_check(opts, err);
	reader->sources = calloc(opts->n_inputs + 1, sizeof(*reader->sources));
	reader->heads = calloc(opts->n_inputs + 1, sizeof(*reader->heads));
	if (r == 0 && (!reader->sources || !reader->heads))
		r = lt_fail_mem(err);
	for (size_t i = 0; i < opts->n_inputs && r == 0; i++)
		if (is_source(opts, i))
			r = open_source(reader, &opts->inputs[i], err);
	return r;
}

int io_reader_open(
	const struct io_reader_opts *opts, struct io_reader **ret_reader, struct lt_err *err)
{
	struct io_reader *reader = calloc(1, sizeof(*reader));
	if (!reader)
		return lt_fail_mem(err);
	reader->opts = *opts;
	io_blocks_init(&reader->blocks);
	int r = open_sources(reader, err);
	if (r < 0) {
		io_reader_close(reader);
		return r;
	}
	*ret_reader = reader;
	return 0;
}

void io_reader_close(struct io_reader *reader)
{
	if (!reader)
		return;
	for (size_t i = 0; i < reader->n_sources; i++) {
		struct io_source *source = &reader->sources[i];
		io_block_unref(&reader->blocks, reader->heads[i].span.block);
		if (source->format && source->format->close)
			source->format->close(source);
		io_source_done(source);
		free(source->state);
	}
	free(reader->sources);
	free(reader->heads);
	io_blocks_done(&reader->blocks);
	free(reader);
}

/* Walks on in a source. Its end, or a failure, is the end of this one only. */
static uint32_t walk(
	struct io_reader *reader, struct io_source *source, uint32_t max, struct io_span *ret_span)
{
	struct lt_err err = { 0 };
	if (source->ended)
		return 0;
	int r = source->format->walk(source, max, ret_span, &err);
	int whole = io_source_check(source, false, &err);
	if (whole < 0)
		r = whole;
	if (r < 0 && source->stopped)
		r = 0; /* nobody waited for the rest */
	if (r > 0) {
		source->packets += (uint32_t)r;
		return (uint32_t)r;
	}
	source->ended = true;
	if (r < 0 && reader->failure.code)
		lt_log(LT_LOG_WARNING, "router", "%s, going on with other inputs", err.text);
	else if (r < 0)
		reader->failure = err;
	return 0;
}

/* Adds a span to a chunk; `goes_on`: it begins where the chunk's last one ends. */
static void add(
	struct io_reader *reader, struct io_chunk *chunk, const struct io_span *span, bool goes_on)
{
	struct io_span *last = chunk->n_spans ? &chunk->spans[chunk->n_spans - 1] : NULL;
	chunk->n += span->n;
	if (goes_on && last && last->view == span->view && last->block == span->block) {
		last->n += span->n;
		return;
	}
	if (span->block)
		io_block_ref(&reader->blocks, span->block);
	chunk->spans[chunk->n_spans++] = *span;
}

static void next_given(struct io_reader *reader, struct io_chunk *chunk)
{
	while (chunk->n < chunk->max && reader->current < reader->n_sources) {
		struct io_source *source = &reader->sources[reader->current];
		/* What is there of a stream goes on its way before more is waited for. */
		if (source->fd >= 0 && chunk->n > 0)
			return;
		struct io_span span;
		if (walk(reader, source, chunk->max - chunk->n, &span))
			add(reader, chunk, &span, true);
		else
			reader->current++;
	}
}

static void fill_head(struct io_reader *reader, size_t i)
{
	struct head *head = &reader->heads[i];
	struct io_source *source = &reader->sources[i];
	io_block_unref(&reader->blocks, head->span.block);
	head->span = (struct io_span){ 0 };
	if (!walk(reader, source, 1, &head->span))
		return;
	/* The source may move on from the block before the head is added to a chunk. */
	if (head->span.block)
		io_block_ref(&reader->blocks, head->span.block);
	struct io_packet packet;
	head->span.view->decode(head->span.view, head->span.at, 1, &packet);
	head->time_ns = packet.time_ns;
}

/* The source whose next packet is the earliest, n_sources if there is none, and the one to compare
 * with from then on. */
static size_t earliest(const struct io_reader *reader, size_t *ret_second)
{
	size_t first = reader->n_sources, second = reader->n_sources;
	for (size_t i = 0; i < reader->n_sources; i++) {
		const struct head *head = &reader->heads[i];
		if (head->span.n == 0)
			continue;
		if (first == reader->n_sources || head->time_ns < reader->heads[first].time_ns) {
			second = first;
			first = i;
		} else if (second == reader->n_sources ||
			head->time_ns < reader->heads[second].time_ns) {
			second = i;
		}
	}
	*ret_second = second;
	return first;
}

static bool is_before(const struct io_reader *reader, size_t a, size_t b)
{
	const struct head *one = &reader->heads[a], *other = &reader->heads[b];
	if (one->span.n == 0)
		return false;
	return b == reader->n_sources || one->time_ns < other->time_ns ||
		(one->time_ns == other->time_ns && a < b);
}

static void next_by_time(struct io_reader *reader, struct io_chunk *chunk)
{
	for (size_t i = 0; i < reader->n_sources; i++)
		if (reader->heads[i].span.n == 0)
			fill_head(reader, i);
	while (chunk->n < chunk->max) {
		size_t second, first = earliest(reader, &second);
		if (first == reader->n_sources)
			return;
		bool goes_on = false;
		do {
			add(reader, chunk, &reader->heads[first].span, goes_on);
			fill_head(reader, first);
			goes_on = true;
		} while (chunk->n < chunk->max && is_before(reader, first, second));
	}
}

int io_reader_next(struct io_reader *reader, struct io_chunk *chunk, struct lt_err *err)
{
	chunk->n = chunk->n_spans = 0;
	chunk->seq = reader->seq;
	if (reader->opts.order == IO_ORDER_TIME && reader->n_sources > 1)
		next_by_time(reader, chunk);
	else
		next_given(reader, chunk);
	reader->seq += chunk->n;
	if (chunk->n == 0 && reader->failure.code) {
		if (err)
			*err = reader->failure;
		return lt_neg(reader->failure.code);
	}
	return (int)chunk->n;
}

void io_reader_release(struct io_reader *reader, struct io_chunk *chunk)
{
	for (uint32_t i = 0; i < chunk->n_spans; i++)
		if (chunk->spans[i].block)
			io_block_unref(&reader->blocks, chunk->spans[i].block);
	chunk->n = chunk->n_spans = 0;
}

int io_reader_check(const struct io_reader *reader, struct lt_err *err)
{
	for (size_t i = 0; i < reader->n_sources; i++) {
		int r = io_source_check(&reader->sources[i], true, err);
		if (r < 0)
			return r;
	}
	return 0;
}

bool io_reader_is_nano(const struct io_reader *reader)
{
	for (size_t i = 0; i < reader->n_sources; i++)
		if (reader->sources[i].format->is_nano(&reader->sources[i]))
			return true;
	return false;
}

size_t io_reader_inputs(const struct io_reader *reader)
{
	return reader->n_sources;
}

void io_reader_stats(const struct io_reader *reader, size_t input, struct io_input_stats *ret)
{
	const struct io_source *source = &reader->sources[input];
	*ret = (struct io_input_stats){
		.path = source->path,
		.format = source->format->name,
		.packets = source->packets,
		.bytes = io_source_offset(source),
		.skipped = source->skipped,
	};
}
