/* SPDX-License-Identifier: MIT */
/* Counts allocations, and lets the n-th from now fail: include it in one file of a test program.
 * Under a sanitizer, which owns malloc, neither works; ALLOC_WATCHED says so. */
#ifndef TESTS_ALLOC_H
#define TESTS_ALLOC_H

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ALLOC_WATCHED 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ALLOC_WATCHED 0
#endif
#endif
#ifndef ALLOC_WATCHED
#define ALLOC_WATCHED 1
#endif

static atomic_ulong alloc_count __attribute__((unused));
static atomic_long alloc_left __attribute__((unused)) =
	-1; /* until one fails; negative: none does */

#if ALLOC_WATCHED
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t align, size_t size);

static bool alloc_fails(void)
{
	atomic_fetch_add(&alloc_count, 1);
	if (atomic_load(&alloc_left) < 0 || atomic_fetch_sub(&alloc_left, 1) != 0)
		return false;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return alloc_fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return alloc_fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
	return alloc_fails() ? NULL : __libc_realloc(p, size);
}

void *aligned_alloc(size_t align, size_t size)
{
	return alloc_fails() ? NULL : __libc_memalign(align, size);
}
#endif

#endif
