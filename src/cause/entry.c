/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of library calls. Internal names are there too: a static program, or a library
 * with symbols, shows them. */
#include "cause/entry.h"

#include <stdbool.h>
#include <string.h>

#include "base/own.h"

/* A name that ends in '*' stands for all that begin so. Leading underscores do not count. */
static const struct {
	const char *name;
	enum cause_entry entry;
} names[] = {
	{ "pthread_mutex_timedlock*", CAUSE_ENTRY_TIMED },
	{ "pthread_mutex_clocklock*", CAUSE_ENTRY_TIMED },
	{ "pthread_mutex_*", CAUSE_ENTRY_MUTEX },
	{ "lll_lock*", CAUSE_ENTRY_MUTEX },
	{ "mtx_timedlock", CAUSE_ENTRY_TIMED },
	{ "mtx_*", CAUSE_ENTRY_MUTEX },
	{ "std::mutex::*", CAUSE_ENTRY_MUTEX },
	{ "std::recursive_mutex::*", CAUSE_ENTRY_MUTEX },
	{ "GOMP_critical*", CAUSE_ENTRY_MUTEX },
	{ "GOMP_atomic*", CAUSE_ENTRY_MUTEX },
	{ "gomp_mutex_lock*", CAUSE_ENTRY_MUTEX },
	{ "omp_set_lock*", CAUSE_ENTRY_MUTEX },
	{ "omp_set_nest_lock*", CAUSE_ENTRY_MUTEX },
	{ "kmpc_critical*", CAUSE_ENTRY_MUTEX },
	{ "pthread_rwlock_*", CAUSE_ENTRY_RWLOCK },
	{ "std::shared_mutex::*", CAUSE_ENTRY_RWLOCK },
	{ "sem_timedwait*", CAUSE_ENTRY_TIMED },
	{ "sem_clockwait*", CAUSE_ENTRY_TIMED },
	{ "sem_*", CAUSE_ENTRY_SEMAPHORE },
	{ "new_sem_*", CAUSE_ENTRY_SEMAPHORE },
	{ "pthread_cond_timedwait*", CAUSE_ENTRY_TIMED },
	{ "pthread_cond_clockwait*", CAUSE_ENTRY_TIMED },
	{ "cnd_timedwait", CAUSE_ENTRY_TIMED },
	{ "pthread_cond_*", CAUSE_ENTRY_CONDITION },
	{ "cnd_*", CAUSE_ENTRY_CONDITION },
	{ "std::condition_variable*", CAUSE_ENTRY_CONDITION },
	{ "std::__atomic_futex_unsigned_base*", CAUSE_ENTRY_CONDITION },
	{ "atomic_futex*", CAUSE_ENTRY_CONDITION },
	{ "pthread_barrier_wait", CAUSE_ENTRY_BARRIER },
	{ "pthread_join", CAUSE_ENTRY_JOIN },
	{ "pthread_clockjoin_ex", CAUSE_ENTRY_JOIN },
	{ "pthread_timedjoin_np", CAUSE_ENTRY_JOIN },
	{ "thrd_join", CAUSE_ENTRY_JOIN },
	{ "std::thread::join", CAUSE_ENTRY_JOIN },
	{ "pthread_spin_*", CAUSE_ENTRY_SPINLOCK },
	{ "sched_yield", CAUSE_ENTRY_YIELD },
	{ "pthread_yield", CAUSE_ENTRY_YIELD },
	{ "thrd_yield", CAUSE_ENTRY_YIELD },
	{ "malloc", CAUSE_ENTRY_ALLOCATOR },
	{ "malloc_*", CAUSE_ENTRY_ALLOCATOR },
	{ "calloc", CAUSE_ENTRY_ALLOCATOR },
	{ "realloc", CAUSE_ENTRY_ALLOCATOR },
	{ "reallocarray", CAUSE_ENTRY_ALLOCATOR },
	{ "free", CAUSE_ENTRY_ALLOCATOR },
	{ "cfree", CAUSE_ENTRY_ALLOCATOR },
	{ "memalign", CAUSE_ENTRY_ALLOCATOR },
	{ "posix_memalign", CAUSE_ENTRY_ALLOCATOR },
	{ "aligned_alloc", CAUSE_ENTRY_ALLOCATOR },
	{ "valloc", CAUSE_ENTRY_ALLOCATOR },
	{ "pvalloc", CAUSE_ENTRY_ALLOCATOR },
	{ "mid_memalign*", CAUSE_ENTRY_ALLOCATOR },
	{ "int_malloc", CAUSE_ENTRY_ALLOCATOR },
	{ "int_free*", CAUSE_ENTRY_ALLOCATOR },
	{ "int_realloc", CAUSE_ENTRY_ALLOCATOR },
	{ "int_memalign", CAUSE_ENTRY_ALLOCATOR },
	{ "libc_malloc*", CAUSE_ENTRY_ALLOCATOR },
	{ "libc_calloc", CAUSE_ENTRY_ALLOCATOR },
	{ "libc_realloc", CAUSE_ENTRY_ALLOCATOR },
	{ "libc_free", CAUSE_ENTRY_ALLOCATOR },
	{ "libc_memalign", CAUSE_ENTRY_ALLOCATOR },
	{ "sysmalloc*", CAUSE_ENTRY_ALLOCATOR },
	{ "systrim*", CAUSE_ENTRY_ALLOCATOR },
	{ "heap_trim", CAUSE_ENTRY_ALLOCATOR },
	{ "unlink_chunk*", CAUSE_ENTRY_ALLOCATOR },
	{ "arena_get*", CAUSE_ENTRY_ALLOCATOR },
	{ "tcache_*", CAUSE_ENTRY_ALLOCATOR },
	{ "operator new*", CAUSE_ENTRY_ALLOCATOR },
	{ "operator delete*", CAUSE_ENTRY_ALLOCATOR },
	{ "scalable_*", CAUSE_ENTRY_ALLOCATOR },
	{ "mi_*", CAUSE_ENTRY_ALLOCATOR },
	{ "je_*", CAUSE_ENTRY_ALLOCATOR },
	{ "tc_*", CAUSE_ENTRY_ALLOCATOR },
	{ "fgets*", CAUSE_ENTRY_STDIO },
	{ "fgetc", CAUSE_ENTRY_STDIO },
	{ "getc", CAUSE_ENTRY_STDIO },
	{ "getchar", CAUSE_ENTRY_STDIO },
	{ "getline", CAUSE_ENTRY_STDIO },
	{ "getdelim", CAUSE_ENTRY_STDIO },
	{ "fread*", CAUSE_ENTRY_STDIO },
	{ "fscanf", CAUSE_ENTRY_STDIO },
	{ "isoc99_fscanf", CAUSE_ENTRY_STDIO },
	{ "isoc99_scanf", CAUSE_ENTRY_STDIO },
	{ "fwrite*", CAUSE_ENTRY_STDIO },
	{ "fputs*", CAUSE_ENTRY_STDIO },
	{ "fputc", CAUSE_ENTRY_STDIO },
	{ "putc", CAUSE_ENTRY_STDIO },
	{ "putchar", CAUSE_ENTRY_STDIO },
	{ "puts", CAUSE_ENTRY_STDIO },
	{ "printf*", CAUSE_ENTRY_STDIO },
	{ "fprintf*", CAUSE_ENTRY_STDIO },
	{ "vfprintf*", CAUSE_ENTRY_STDIO },
	{ "fflush*", CAUSE_ENTRY_STDIO },
	{ "IO_*", CAUSE_ENTRY_STDIO },
	{ "GOMP_barrier*", CAUSE_ENTRY_RUNTIME },
	{ "GOMP_single*", CAUSE_ENTRY_RUNTIME },
	{ "GOMP_loop_end*", CAUSE_ENTRY_RUNTIME },
	{ "GOMP_parallel*", CAUSE_ENTRY_RUNTIME },
	{ "GOMP_sections*", CAUSE_ENTRY_RUNTIME },
	{ "GOMP_taskwait", CAUSE_ENTRY_RUNTIME },
	{ "GOMP_taskgroup_end", CAUSE_ENTRY_RUNTIME },
	{ "gomp_barrier_*", CAUSE_ENTRY_RUNTIME },
	{ "gomp_team_*", CAUSE_ENTRY_RUNTIME },
	{ "gomp_thread_start", CAUSE_ENTRY_RUNTIME },
	{ "gomp_simple_barrier*", CAUSE_ENTRY_RUNTIME },
	{ "kmpc_barrier", CAUSE_ENTRY_RUNTIME },
	{ "kmpc_fork_call", CAUSE_ENTRY_RUNTIME },
	{ "kmpc_single", CAUSE_ENTRY_RUNTIME },
	{ "kmp_*", CAUSE_ENTRY_RUNTIME },
};

enum cause_entry cause_entry_named(const char *function)
{
	const char *plain = function + strspn(function, "_");
	size_t len = strcspn(plain, "@."); /* a version, or a part that the compiler split off */
	for (size_t i = 0; i < LT_COUNT(names); i++) {
		size_t n = strcspn(names[i].name, "*");
		bool begins = names[i].name[n] == '*';
		if (!strncmp(plain, names[i].name, n) && (begins ? len >= n : len == n))
			return names[i].entry;
	}
	return CAUSE_ENTRY_NONE;
}

/* A runtime whose functions have no names is known by its file. */
static bool is_runtime(const char *object)
{
	return object &&
		(!strncmp(object, "libgomp.so", 10) || !strncmp(object, "libomp", 6) ||
			!strncmp(object, "libiomp", 7));
}

/* Which frames speak: those before the call site, and the call site itself when it is within a
 * runtime. What the program's own functions are called says nothing. */
enum cause_entry cause_entry_of(const struct evidence_site *site)
{
	enum cause_entry found = CAUSE_ENTRY_NONE;
	for (size_t i = 0; site && i < site->n_frames && i <= site->call; i++) {
		const struct evidence_frame *f = &site->frames[i];
		bool runtime = is_runtime(f->object);
		if (i == site->call && !runtime)
			break;
		enum cause_entry e =
			f->function ? cause_entry_named(f->function) : CAUSE_ENTRY_NONE;
		/* The outermost: inside a wait for a condition its lock is taken again. */
		if (e != CAUSE_ENTRY_NONE)
			found = e;
		else if (runtime && found == CAUSE_ENTRY_NONE)
			found = CAUSE_ENTRY_RUNTIME;
	}
	return found;
}
