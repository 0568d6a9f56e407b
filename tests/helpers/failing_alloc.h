/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Allocations that fail on demand. The linker sends every malloc, calloc and realloc of the
 * rooms and of the test here (--wrap, for each test_memory.c); libraries keep their own. */
#ifndef TESTS_FAILING_ALLOC_H
#define TESTS_FAILING_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);

static long alloc_left = -1; /* allocations until one fails; negative = none does */
static bool alloc_hit;       /* one did */

static void alloc_fail_after(long n)
{
	alloc_left = n;
	alloc_hit = false;
}

static void alloc_recover(void)
{
	alloc_left = -1;
}

static bool alloc_fails(void)
{
	bool now = alloc_left == 0;
	if (alloc_left >= 0)
		alloc_left--;
	alloc_hit = alloc_hit || now;
	return now;
}

void *__wrap_malloc(size_t size)
{
	return alloc_fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return alloc_fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	return alloc_fails() ? NULL : __real_realloc(p, size);
}

#endif
