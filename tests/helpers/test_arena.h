/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One arena for a whole test program. */
#ifndef TESTS_TEST_ARENA_H
#define TESTS_TEST_ARENA_H

#include "base/arena.h"

static struct lt_arena arena;

/* A group's teardown. */
static int arena_end(void **state)
{
	(void)state;
	lt_arena_done(&arena);
	return 0;
}

#endif
