/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which functions merely pass calls on, and what they tell of the call. */
#include <dlfcn.h>
#include <string.h>

#include "run/evidence_inside.h"

/* Libraries that work for whoever calls them: beginnings of file names. */
static const char *const libraries[] = { "libc.so", "libc-2", "libpthread", "ld-linux", "ld-2",
	"ld-musl", "libm.so", "libm-2", "libmvec", "librt", "libdl", "libstdc++", "libc++",
	"libgcc_s", "libgomp", "libomp", "libiomp", "libtbb", "libjemalloc", "libmimalloc",
	"libtcmalloc", "libasan", "libtsan", "libatomic", "[vdso]", "[vsyscall]", "linux-vdso" };

/* Headers whose inlined functions do, too. */
static const char *const headers[] = { "/usr/include/", "/usr/lib/gcc", "/usr/local/include/",
	"/usr/lib/llvm" };

const char *reduce_base_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	return slash ? slash + 1 : path;
}

static bool begins_with_any(const char *text, const char *const *list, size_t n)
{
	for (size_t i = 0; text && i < n; i++)
		if (!strncmp(text, list[i], strlen(list[i])))
			return true;
	return false;
}

/* In a static program libc's functions are the program's. They have no lines where the
 * program has; and where it has none either, their names are those of our own libc, or ones
 * that programs must not use. */
static bool is_linked_in(const struct sys_place *p)
{
	if (p->shared || p->described || !p->function)
		return false;
	if (!strncmp(p->function, "__", 2) || !strncmp(p->function, "_IO_", 4) ||
		!strncmp(p->function, "_int_", 5) || !strncmp(p->function, "_dl_", 4))
		return true;
	return strcmp(p->function, "main") != 0 && dlsym(RTLD_DEFAULT, p->function);
}

bool reduce_is_wrapper(const struct sys_place *p)
{
	return p->stub ||
		begins_with_any(reduce_base_name(p->object), libraries, LT_COUNT(libraries)) ||
		begins_with_any(p->file, headers, LT_COUNT(headers)) ||
		(p->file && strstr(p->file, "/c++/")) || is_linked_in(p);
}

/* What a function says of the futex it waits on; names without underscores in front. */
static const struct {
	const char *begins;
	enum evidence_op op;
} users[] = {
	{ "pthread_join", EVIDENCE_OP_JOIN },
	{ "pthread_timedjoin", EVIDENCE_OP_JOIN },
	{ "pthread_clockjoin", EVIDENCE_OP_JOIN },
	{ "pthread_barrier", EVIDENCE_OP_BARRIER },
	{ "pthread_mutex", EVIDENCE_OP_LOCK },
	{ "pthread_rwlock", EVIDENCE_OP_LOCK },
	{ "pthread_cond", EVIDENCE_OP_CONDITION },
	{ "lll_lock", EVIDENCE_OP_LOCK },
	{ "sem_", EVIDENCE_OP_CONDITION },
	{ "new_sem", EVIDENCE_OP_CONDITION },
};

/* Their threads wait for each other and for work, whatever the function. */
static const char *const runtimes[] = { "libgomp", "libomp", "libiomp" };

/* Parts of an allocator: operator new and delete among them. */
static const char *const allocators[] = { "malloc", "free", "calloc", "realloc", "posix_memalign",
	"aligned_alloc", "memalign", "int_malloc", "int_free", "libc_malloc", "libc_free",
	"libc_calloc", "libc_realloc", "Znw", "Zna", "Zdl", "Zda", "tcache", "arena_get" };

void reduce_wrapper_tells(const struct sys_place *p, struct reduce_chain *ret)
{
	const char *name = p->function ? p->function + strspn(p->function, "_") : NULL;
	if (begins_with_any(name, allocators, LT_COUNT(allocators)))
		ret->malloc = true;
	if (ret->op != EVIDENCE_OP_USER) /* the innermost knows best */
		return;
	if (begins_with_any(reduce_base_name(p->object), runtimes, LT_COUNT(runtimes)))
		ret->op = EVIDENCE_OP_BARRIER;
	for (size_t i = 0; name && i < LT_COUNT(users); i++)
		if (!strncmp(name, users[i].begins, strlen(users[i].begins)))
			ret->op = users[i].op;
}
