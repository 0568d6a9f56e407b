/* SPDX-License-Identifier: MIT */
/* Chunks: made once, filled again and again. */
#include "router/node/chunk.h"

#include <string.h>

int chunk_init(struct chunk *chunk, uint32_t max, struct lt_err *err)
{
	memset(chunk, 0, sizeof(*chunk));
	chunk->max = max;
	int r = io_chunk_init(&chunk->io, max, err);
	if (r < 0)
		return r;
	chunk->frames = malloc(max * sizeof(*chunk->frames));
	chunk->packets = aligned_alloc(64, max * sizeof(*chunk->packets));
	return chunk->frames && chunk->packets ? 0 : lt_fail_mem(err);
}

void chunk_done(struct chunk *chunk)
{
	io_chunk_done(&chunk->io);
	free(chunk->frames);
	free(chunk->packets);
	free(chunk->extra);
	lt_arena_done(&chunk->bytes);
}

void chunk_reset(struct chunk *chunk)
{
	chunk->n = chunk->n_extra = chunk->at = 0;
	if (chunk->bytes.blocks) {
		lt_arena_done(&chunk->bytes);
		chunk->bytes = (struct lt_arena){ 0 };
	}
}

uint8_t *chunk_room(struct chunk *chunk, const struct packet *p, uint32_t len)
{
	uint8_t *room = lt_arena_alloc(&chunk->bytes, p->l2 + (size_t)len);
	if (!room)
		return NULL;
	memcpy(room, p->ip - p->l2, p->l2);
	return room + p->l2;
}

uint8_t *chunk_copy(struct chunk *chunk, const struct packet *p)
{
	uint8_t *copy = chunk_room(chunk, p, p->cap);
	return copy ? memcpy(copy, p->ip, p->cap) : NULL;
}

bool chunk_add(struct chunk *chunk, const struct packet *p)
{
	if (chunk->n_extra == chunk->cap_extra) {
		uint32_t cap = chunk->cap_extra ? 2 * chunk->cap_extra : 16;
		struct chunk_extra *more = aligned_alloc(64, cap * sizeof(*more));
		if (!more)
			return false;
		if (chunk->n_extra)
			memcpy(more, chunk->extra, chunk->n_extra * sizeof(*more));
		free(chunk->extra);
		chunk->extra = more;
		chunk->cap_extra = cap;
	}
	chunk->extra[chunk->n_extra++] = (struct chunk_extra){ .after = chunk->at, .p = *p };
	return true;
}
