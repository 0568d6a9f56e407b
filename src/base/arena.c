/* SPDX-License-Identifier: MIT */
/* A chain of blocks, bumped from the front; a large request gets a block of its own. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	BLOCK_SIZE = 32 * 1024
};

struct lt_arena_block {
	struct lt_arena_block *older;
	size_t size;
	alignas(max_align_t) char bytes[];
};

void lt_arena_done(struct lt_arena *arena)
{
	for (struct lt_arena_block *b = arena->blocks; b;) {
		struct lt_arena_block *older = b->older;
		free(b);
		b = older;
	}
	*arena = (struct lt_arena){ 0 };
}

void *lt_arena_alloc(struct lt_arena *arena, size_t size)
{
	size_t align = alignof(max_align_t);
	if (size > (size_t)-1 / 2) {
		arena->failed = true;
		return NULL;
	}
	size = (size + align - 1) / align * align;
	if (!arena->blocks || arena->blocks->size - arena->used < size) {
		size_t want = size > BLOCK_SIZE ? size : BLOCK_SIZE;
		struct lt_arena_block *b = calloc(1, sizeof(*b) + want);
		if (!b) {
			arena->failed = true;
			return NULL;
		}
		b->size = want;
		b->older = arena->blocks;
		arena->blocks = b;
		arena->used = 0;
	}
	void *p = arena->blocks->bytes + arena->used;
	arena->used += size;
	return p;
}

char *lt_arena_strndup(struct lt_arena *arena, const char *text, size_t len)
{
	char *copy = lt_arena_alloc(arena, len + 1);
	if (copy)
		memcpy(copy, text, len);
	return copy;
}

char *lt_arena_strdup(struct lt_arena *arena, const char *text)
{
	return lt_arena_strndup(arena, text, strlen(text));
}

char *lt_arena_printf(struct lt_arena *arena, const char *fmt, ...)
{
	va_list ap, again;
	va_start(ap, fmt);
	va_copy(again, ap);
	int len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	char *text = NULL;
	if (len < 0)
		arena->failed = true;
	else
		text = lt_arena_alloc(arena, (size_t)len + 1);
	if (text)
		vsnprintf(text, (size_t)len + 1, fmt, again);
	va_end(again);
	return text;
}
