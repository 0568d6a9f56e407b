/* SPDX-License-Identifier: MIT */
/* What a format of inputs is: one file, io_NAME.c, ending in one const descriptor, and one line in
 * table.def. It walks over the records of a source, and decodes runs of them. */
#ifndef ROUTER_IO_FORMAT_H
#define ROUTER_IO_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "router/io/reader.h"
#include "router/io/source.h"

/* How to read a run of records; first member of what a format knows about them. It does not change
 * while anybody holds a span of it: decoding runs in other threads than walking. */
struct io_view {
	/* Decodes n packets from `at` on. The walk has checked all lengths: this cannot fail. */
	void (*decode)(const struct io_view *view, const uint8_t *at, uint32_t n,
		struct io_packet *packets);
};

struct io_format {
	const char *name;
	const char *brief;
	size_t state_size; /* of source->state; zeroed before `open` */

	/* Whether a file that begins like this is one; n is at most IO_HEAD, less in short files.
	 */
	bool (*detect)(const uint8_t *head, size_t n);

	/* Reads the head. After a failure, `close` is called too. */
	int (*open)(struct io_source *source, struct lt_err *err);

	/* Walks over up to max records, max > 0, that one view reads and that lie in one block.
	 * Returns how many, 0 at the end. Damage behind some records is returned by the next
	 * call, not by this one. ret_span->block is borrowed. */
	int (*walk)(struct io_source *source, uint32_t max, struct io_span *ret_span,
		struct lt_err *err);

	void (*close)(struct io_source *source); /* may be NULL */

	/* Whether its times may be finer than a microsecond. */
	bool (*is_nano)(const struct io_source *source);
};

enum {
	IO_HEAD = 64,
	/* A walk touches memory for the first time, each step at a place that the step before it
	 * found: it asks for what lies so many bytes ahead. A quarter faster than without, and
	 * about the same from 1,000 to 8,000. */
	IO_AHEAD = 2048,
};

extern const struct io_format *const io_formats[]; /* ends in NULL */

/* The format of a source that was just opened, by how it begins. Errors: LT-INPUT-FORMAT. */
int io_format_detect(
	struct io_source *source, const struct io_format **ret_format, struct lt_err *err);

#endif
