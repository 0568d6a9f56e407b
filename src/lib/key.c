/* SPDX-License-Identifier: MIT */
/* Switching static keys: patching the branches that belong to a key. */
#include "leat/key.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/sync.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The table holds distances, and is read-only while what they lead to is patched. */
static char *at(const void *field, int32_t distance)
{
	return (char *)(uintptr_t)field + distance; /* NOLINT(performance-no-int-to-ptr) */
}

static char *site_code(const struct leat_key_site *site)
{
	return at(&site->code, site->code);
}

static const struct leat_key *site_key(const struct leat_key_site *site)
{
	return (const struct leat_key *)(const void *)((const char *)&site->key + site->key);
}

#if defined(__x86_64__)
/* The no-op starts at a multiple of 8: one store replaces it whole. */
static void patch(const struct leat_key_site *site, bool on)
{
	static const unsigned char nop[5] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
	char *code = site_code(site);
	char *target = at(&site->target, site->target);
	uint64_t word;
	memcpy(&word, code, sizeof(word));
	unsigned char jump[5] = { 0xe9 };
	int32_t distance = (int32_t)(target - (code + sizeof(jump)));
	memcpy(jump + 1, &distance, sizeof(distance));
	memcpy(&word, on ? jump : nop, sizeof(jump));
	__atomic_store_n((uint64_t *)(void *)code, word, __ATOMIC_RELEASE);
}
#define PATCH_BYTES 8
#elif defined(__aarch64__)
static void patch(const struct leat_key_site *site, bool on)
{
	char *code = site_code(site);
	char *target = at(&site->target, site->target);
	uint32_t branch = 0x14000000u | ((uint32_t)((target - code) >> 2) & 0x03ffffffu);
	__atomic_store_n((uint32_t *)(void *)code, on ? branch : 0xd503201fu, __ATOMIC_RELEASE);
	__builtin___clear_cache(code, code + 4);
}
#define PATCH_BYTES 4
#else
static void patch(const struct leat_key_site *site, bool on)
{
	(void)site;
	(void)on;
}
#define PATCH_BYTES 1
#endif

/* The pages that hold a branch, as the argument of mprotect(2). */
static int protect(const struct leat_key_site *site, int prot)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	char *code = site_code(site);
	char *first = code - ((uintptr_t)code & (page - 1));
	char *end = code + PATCH_BYTES;
	return mprotect(first, (size_t)(end - first), prot); /* rounds up to whole pages */
}

/* Makes every core of the process see new code. */
static void sync_cores(void)
{
	static bool registered;
	if (!registered)
		registered =
			syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE,
				0, 0) == 0;
	if (registered)
		syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
}

/* All or nothing: the first site tells whether the system allows it at all. */
static int patch_all(const struct leat_key *key, bool on, const struct leat_key_site *begin,
	const struct leat_key_site *end, struct leat_err *err)
{
	for (const struct leat_key_site *s = begin; s < end; s++) {
		if (site_key(s) == key && protect(s, PROT_READ | PROT_WRITE | PROT_EXEC) < 0)
			return LEAT_FAIL(err, -errno, "LEAT-KEY-PATCH",
				"the system does not let code be patched: %s", strerror(errno));
	}
	for (const struct leat_key_site *s = begin; s < end; s++) {
		if (site_key(s) == key)
			patch(s, on);
	}
	sync_cores();
	for (const struct leat_key_site *s = begin; s < end; s++) {
		if (site_key(s) == key)
			protect(s, PROT_READ | PROT_EXEC);
	}
	return 0;
}

int leat_key_switch(struct leat_key *key, bool on, const struct leat_key_site *begin,
	const struct leat_key_site *end, struct leat_err *err)
{
	int r = 0;
	pthread_mutex_lock(&lock);
	if (key->on != on)
		r = patch_all(key, on, begin, end, err);
	if (r == 0)
		__atomic_store_n(&key->on, on, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&lock);
	return r;
}
