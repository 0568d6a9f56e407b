/* SPDX-License-Identifier: MIT */
/* Counted blocks. A mutex is enough: it is taken once for each run of packets, not for each
 * packet, and not at all for mapped files. */
#include "router/io/block.h"

#include <stdbool.h>
#include <stdlib.h>

void io_blocks_init(struct io_blocks *blocks)
{
	*blocks = (struct io_blocks){ 0 };
	pthread_mutex_init(&blocks->lock, NULL);
}

void io_blocks_done(struct io_blocks *blocks)
{
	while (blocks->unused) {
		struct io_block *block = blocks->unused;
		blocks->unused = block->next;
		free(block);
	}
	pthread_mutex_destroy(&blocks->lock);
}

struct io_block *io_block_new(struct io_blocks *blocks, size_t cap)
{
	struct io_block *block = NULL;
	if (cap <= IO_BLOCK_SIZE) {
		cap = IO_BLOCK_SIZE;
		pthread_mutex_lock(&blocks->lock);
		if (blocks->unused) {
			block = blocks->unused;
			blocks->unused = block->next;
			blocks->n_unused--;
		}
		pthread_mutex_unlock(&blocks->lock);
	}
	if (!block)
		block = malloc(sizeof(*block) + cap);
	if (!block)
		return NULL;
	block->next = NULL;
	block->refs = 1;
	block->cap = cap;
	return block;
}

void io_block_ref(struct io_blocks *blocks, struct io_block *block)
{
	pthread_mutex_lock(&blocks->lock);
	block->refs++;
	pthread_mutex_unlock(&blocks->lock);
}

void io_block_unref(struct io_blocks *blocks, struct io_block *block)
{
	if (!block)
		return;
	pthread_mutex_lock(&blocks->lock);
	bool last = --block->refs == 0;
	bool keep = last && block->cap == IO_BLOCK_SIZE && blocks->n_unused < IO_BLOCKS_KEPT;
	if (keep) {
		block->next = blocks->unused;
		blocks->unused = block;
		blocks->n_unused++;
	}
	pthread_mutex_unlock(&blocks->lock);
	if (last && !keep)
		free(block);
}
