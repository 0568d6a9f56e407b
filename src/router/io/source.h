/* SPDX-License-Identifier: MIT */
/* The bytes of one input: a mapped file, or a stream read into blocks, seen through a window
 * that moves over them. Every format reads through this. */
#ifndef ROUTER_IO_SOURCE_H
#define ROUTER_IO_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "router/io/block.h"
#include "router/io/nics.h"

struct io_format;
struct io_guard;

struct io_source {
	const char *path; /* as it stands in messages */
	const struct io_format *format;
	void *state; /* the format's */
	struct io_nics nics;

	const uint8_t *at, *end; /* the window: read, not yet walked over */
	uint64_t end_offset;     /* where `end` is in the file */
	bool eof;                /* nothing comes after `end` */
	bool stopped;            /* as the caller wants no more */

	int fd;      /* -1: mapped */
	int stop_fd; /* of struct io_reader_opts */
	void *map;
	size_t map_len;
	int map_fd; /* of what is mapped; -1: nothing is */
	struct io_guard *guard;
	struct io_block *block;   /* where the window is; NULL: mapped */
	struct io_blocks *blocks; /* where blocks come from */

	uint64_t packets, skipped; /* struct io_input_stats */
	bool ended;
};

/* Opens path ("-": standard input). Errors: LT-INPUT-OPEN. */
int io_source_open(
	struct io_source *source, const char *path, struct io_blocks *blocks, struct lt_err *err);
void io_source_done(struct io_source *source);

/* Makes the window n bytes long, or as long as the input lasts. Streams: bytes that were walked
 * over may be gone from the window, what is in it may have moved. Errors: LT-INPUT-READ,
 * LT-MEMORY. */
int io_source_need(struct io_source *source, size_t n, struct lt_err *err);

/* Moves over n bytes that nobody needs. Returns whether there were as many. */
int io_source_skip(struct io_source *source, uint64_t n, struct lt_err *err);

/* Whether a mapped file was cut since it was opened, as far as that was noticed: a look behind the
 * cut, or, where `look`, what the system says now. Errors: LT-INPUT-SHRUNK. */
int io_source_check(const struct io_source *source, bool look, struct lt_err *err);

static inline size_t io_source_left(const struct io_source *source)
{
	return (size_t)(source->end - source->at);
}

static inline uint64_t io_source_offset(const struct io_source *source)
{
	return source->end_offset - io_source_left(source);
}

/* A failure at this place of the input: "'FILE' at byte N: ..." */
#define io_bad(source, err, id, fmt, ...)                                             \
	lt_fail((err), -EBADMSG, (id), "'%.200s' at byte %llu: " fmt, (source)->path, \
		(unsigned long long)io_source_offset(source), ##__VA_ARGS__)

#endif
