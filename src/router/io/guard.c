/* SPDX-License-Identifier: MIT */
/* A table of mappings that a signal handler can search, and that handler. */
#include "router/io/guard.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	GUARDS_MAX = 4096
};

struct io_guard {
	_Atomic uintptr_t from, end; /* written: under the lock, `end` last; read: by the handler */
	_Atomic bool hit;
};

static struct io_guard guards[GUARDS_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards which entries are taken */
static struct sigaction before;
static uintptr_t page_size;
static bool caught;

static struct io_guard *around(uintptr_t at)
{
	for (size_t i = 0; i < GUARDS_MAX; i++) {
		/* pairs with the release in io_guard_new() */
		uintptr_t end = atomic_load_explicit(&guards[i].end, memory_order_acquire);
		if (at < end && at >= atomic_load_explicit(&guards[i].from, memory_order_relaxed))
			return &guards[i];
	}
	return NULL;
}

/* Only pages are replaced, one by one, that were gone: others are still the file's. mmap() is a
 * bare system call, which is what a handler may do. */
static void handle(int sig, siginfo_t *info, void *context)
{
	(void)context;
	uintptr_t at = (uintptr_t)info->si_addr;
	struct io_guard *guard = info->si_code == BUS_ADRERR ? around(at) : NULL;
	if (guard) {
		at &= ~(page_size - 1);
		atomic_store_explicit(&guard->hit, true, memory_order_relaxed);
		/* NOLINTNEXTLINE(performance-no-int-to-ptr): the system gives addresses */
		if (mmap((void *)at, page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
			    -1, 0) != MAP_FAILED)
			return;
	}
	sigaction(sig, &before, NULL); /* not ours: it comes again, and means what it did before */
}

static bool catch_once(void)
{
	if (caught)
		return true;
	struct sigaction sa = { .sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_RESTART };
	sigemptyset(&sa.sa_mask);
	page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
	caught = sigaction(SIGBUS, &sa, &before) == 0;
	return caught;
}

struct io_guard *io_guard_new(void *map, size_t len)
{
	struct io_guard *guard = NULL;
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < GUARDS_MAX && catch_once() && !guard; i++)
		if (atomic_load_explicit(&guards[i].end, memory_order_relaxed) == 0)
			guard = &guards[i];
	if (guard) {
		atomic_store_explicit(&guard->hit, false, memory_order_relaxed);
		atomic_store_explicit(&guard->from, (uintptr_t)map, memory_order_relaxed);
		atomic_store_explicit(&guard->end, (uintptr_t)map + len, memory_order_release);
	}
	pthread_mutex_unlock(&lock);
	return guard;
}

void io_guard_free(struct io_guard *guard)
{
	if (!guard)
		return;
	pthread_mutex_lock(&lock);
	atomic_store_explicit(&guard->end, 0, memory_order_release);
	pthread_mutex_unlock(&lock);
}

bool io_guard_hit(const struct io_guard *guard)
{
	return guard && atomic_load_explicit(&guard->hit, memory_order_relaxed);
}
