/* SPDX-License-Identifier: MIT */
/* Memory for what cannot be mapped: pieces of a stream, frames made from text. Whoever holds
 * packets of a block holds a reference; the last one gives it back to be used again. */
#ifndef ROUTER_IO_BLOCK_H
#define ROUTER_IO_BLOCK_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "base/own.h"

enum {
	IO_BLOCK_SIZE = 1 << 20,
	IO_BLOCKS_KEPT = 8, /* unused ones that are not freed */
};

struct io_block {
	struct io_block *next; /* among the unused */
	unsigned refs;         /* guarded by io_blocks.lock */
	size_t cap;
	uint8_t data[];
};

struct io_blocks {
	pthread_mutex_t lock;
	struct io_block *unused; /* guarded by lock, as is what follows */
	unsigned n_unused;
};

void io_blocks_init(struct io_blocks *blocks);

/* Frees the unused; every reference must be back. */
void io_blocks_done(struct io_blocks *blocks);

/* A block of at least cap bytes, with one reference; NULL: out of memory. Threads: any, as the two
 * below. */
struct io_block *io_block_new(struct io_blocks *blocks, size_t cap) LT_MUST_USE;
void io_block_ref(struct io_blocks *blocks, struct io_block *block);
void io_block_unref(struct io_blocks *blocks, struct io_block *block); /* NULL is allowed */

#endif
