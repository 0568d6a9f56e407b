/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A library that is loaded in front of the program's allocator, in one run whose times mean
 * nothing: it notes who asked for each block, and passes on. Built by itself, with frame
 * pointers; it takes nothing from leat but the table's layout. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "run/allocations_wire.h"

#define EXPORT __attribute__((visibility("default"), noinline))

static struct allocation *table; /* NULL: leat is not there, or has not let us in */

/* The loader's own allocations, before there is anything to pass them on to. */
static _Alignas(16) char early[16384];
static size_t early_used;

static struct {
	void *(*allocate)(size_t);
	void *(*allocate_zeroed)(size_t, size_t);
	void *(*change)(void *, size_t);
	void (*release)(void *);
	void *(*aligned)(size_t, size_t);
	int (*posix)(void **, size_t, size_t);
	void *(*plain_new)(size_t);
	void *(*array_new)(size_t);
} next;

static void *early_memory(size_t size)
{
	size = (size + 15) & ~(size_t)15;
	if (size > sizeof(early) - early_used)
		return NULL;
	early_used += size;
	return early + early_used - size;
}

static int is_early(const void *p)
{
	return (const char *)p >= early && (const char *)p < early + sizeof(early);
}

static void *find(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

static void map_table(void)
{
	const char *path = getenv(ALLOCATIONS_VARIABLE);
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	if (fd < 0)
		return;
	void *at = mmap(NULL, ALLOCATIONS_SLOTS * sizeof(*table), PROT_READ | PROT_WRITE,
		MAP_SHARED, fd, 0);
	close(fd);
	if (at != MAP_FAILED)
		table = at;
}

static void look_up(void)
{
	static int begun;
	if (begun)
		return;
	begun = 1;
	*(void **)&next.allocate_zeroed = find("calloc");
	*(void **)&next.change = find("realloc");
	*(void **)&next.release = find("free");
	*(void **)&next.aligned = find("aligned_alloc");
	*(void **)&next.posix = find("posix_memalign");
	*(void **)&next.plain_new = find("_Znwm");
	*(void **)&next.array_new = find("_Znam");
	*(void **)&next.allocate = find("malloc");
	int error = errno;
	map_table();
	errno = error;
}

__attribute__((constructor)) static void begin(void)
{
	look_up();
}

struct frame {
	uint64_t bp, ip; /* the caller's, as every function with a frame pointer keeps them */
};

/* Two threads may write one slot at once: then it holds nonsense, which leat can see. */
static void note(const void *p, size_t size, const struct frame *f)
{
	if (!table || !p)
		return;
	struct allocation *a = &table[allocations_slot((uint64_t)(uintptr_t)p)];
	const char *above = (const char *)(f + 1);
	/* A stack ends at the end of a page, if anywhere. */
	size_t page = 4096 - (uintptr_t)above % 4096;
	*a = (struct allocation){
		.addr = (uint64_t)(uintptr_t)p,
		.size = size,
		.ip = f->ip,
		.sp = (uint64_t)(uintptr_t)above,
		.bp = f->bp,
		.pid = (uint32_t)getpid(),
		.stack_len = page < ALLOCATIONS_STACK ? (uint32_t)page : ALLOCATIONS_STACK,
	};
	memcpy(a->stack, above, a->stack_len);
}

#define HERE ((const struct frame *)__builtin_frame_address(0))

EXPORT void *malloc(size_t size)
{
	if (!next.allocate) {
		look_up();
		if (!next.allocate)
			return early_memory(size);
	}
	void *p = next.allocate(size);
	note(p, size, HERE);
	return p;
}

EXPORT void *calloc(size_t n, size_t size)
{
	if (!next.allocate) {
		look_up();
		if (!next.allocate) /* never given out before: zeroed */
			return early_memory(n * size);
	}
	void *p = next.allocate_zeroed(n, size);
	note(p, n * size, HERE);
	return p;
}

EXPORT void *realloc(void *old, size_t size)
{
	if (is_early(old) || !next.allocate) {
		void *p = malloc(size);
		size_t room = old ? (size_t)(early + sizeof(early) - (char *)old) : 0;
		if (p && old)
			memcpy(p, old, size < room ? size : room);
		return p;
	}
	void *p = next.change(old, size);
	note(p, size, HERE);
	return p;
}

EXPORT void free(void *p)
{
	if (p && !is_early(p) && next.release)
		next.release(p);
}

EXPORT void *aligned_alloc(size_t align, size_t size)
{
	look_up();
	void *p = next.aligned(align, size);
	note(p, size, HERE);
	return p;
}

EXPORT int posix_memalign(void **ret, size_t align, size_t size)
{
	look_up();
	int r = next.posix(ret, align, size);
	if (r == 0)
		note(*ret, size, HERE);
	return r;
}

/* C++: the real operator calls malloc above, in the library's name; the caller is ours. */
EXPORT void *_Znwm(size_t size);
EXPORT void *_Znwm(size_t size)
{
	look_up();
	void *p = next.plain_new ? next.plain_new(size) : malloc(size);
	note(p, size, HERE);
	return p;
}

EXPORT void *_Znam(size_t size);
EXPORT void *_Znam(size_t size)
{
	look_up();
	void *p = next.array_new ? next.array_new(size) : malloc(size);
	note(p, size, HERE);
	return p;
}
