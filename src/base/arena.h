/* SPDX-License-Identifier: MIT */
/* Memory that dies together: many small allocations, one release. A record owns one. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/own.h"

struct lt_arena {
	struct lt_arena_block *blocks; /* newest first */
	size_t used;                   /* within the newest */
	bool failed;                   /* some request could not be met: who makes many asks once */
};

void lt_arena_done(struct lt_arena *arena);

/* Zeroed memory, aligned for any type; NULL when memory has run out. */
void *lt_arena_alloc(struct lt_arena *arena, size_t size) LT_MUST_USE;
char *lt_arena_strdup(struct lt_arena *arena, const char *text) LT_MUST_USE;
char *lt_arena_strndup(struct lt_arena *arena, const char *text, size_t len) LT_MUST_USE;
char *lt_arena_printf(struct lt_arena *arena, const char *fmt, ...) LT_PRINTF(2, 3) LT_MUST_USE;

#endif
