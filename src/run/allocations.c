/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The library is part of leat's own file, as the launcher is; program and leat share the
 * table through a file in memory. */
#include "run/allocations.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/embed.h"
#include "base/outfile.h"

LT_EMBED(run_shim_image, LEAT_SHIM);

enum {
	BLOCK_MOST = 1 << 20 /* looked back for the beginning of a block */
};

#define TABLE_BYTES (ALLOCATIONS_SLOTS * sizeof(struct allocation))

int allocations_open(struct allocations *ret, struct lt_err *err)
{
	struct allocations a = { memfd_create("leat-shim", MFD_CLOEXEC),
		memfd_create("leat-allocations", MFD_CLOEXEC), NULL };
	int r = 0;
	if (a.library_fd < 0 || a.table_fd < 0 || ftruncate(a.table_fd, TABLE_BYTES) < 0)
		r = lt_fail_sys(err, "LT-ALLOCATIONS", "cannot make a memory file");
	if (r >= 0)
		r = lt_write_all(a.library_fd, run_shim_image,
			(size_t)(run_shim_image_end - run_shim_image), err);
	if (r >= 0) {
		void *at = mmap(NULL, TABLE_BYTES, PROT_READ, MAP_SHARED, a.table_fd, 0);
		if (at == MAP_FAILED)
			r = lt_fail_sys(err, "LT-ALLOCATIONS", "cannot map a memory file");
		else
			a.table = at;
	}
	if (r < 0)
		allocations_close(&a);
	else
		*ret = a;
	return r;
}

void allocations_close(struct allocations *a)
{
	if (a->table)
		munmap(a->table, TABLE_BYTES);
	if (a->library_fd >= 0)
		close(a->library_fd);
	if (a->table_fd >= 0)
		close(a->table_fd);
	*a = (struct allocations)ALLOCATIONS_NONE;
}

char **allocations_environment(
	const struct allocations *a, char *const *envp, struct lt_arena *arena)
{
	static const char preload[] = "LD_PRELOAD=";
	size_t n = 0, to = 0;
	while (envp[n])
		n++;
	char **ret = lt_arena_alloc(arena, (n + 3) * sizeof(*ret));
	const char *already = "";
	for (size_t i = 0; ret && i < n; i++) {
		if (strncmp(envp[i], preload, strlen(preload)) != 0)
			ret[to++] = envp[i];
		else
			already = envp[i] + strlen(preload);
	}
	if (!ret)
		return NULL;
	ret[to++] = lt_arena_printf(arena, "%s/proc/%d/fd/%d%s%s", preload, (int)getpid(),
		a->library_fd, *already ? ":" : "", already);
	ret[to++] = lt_arena_printf(
		arena, ALLOCATIONS_VARIABLE "=/proc/%d/fd/%d", (int)getpid(), a->table_fd);
	return ret[to - 1] && ret[to - 2] ? ret : NULL;
}

const struct allocation *allocations_find(const struct allocations *a, uint64_t addr, uint64_t pid)
{
	uint64_t line = addr & ~(uint64_t)(ALLOCATIONS_LINE - 1);
	for (uint64_t back = 0; back <= BLOCK_MOST && back <= line; back += ALLOCATIONS_LINE) {
		const struct allocation *at = &a->table[allocations_slot(line - back)];
		if (at->pid == pid && at->addr <= addr && addr - at->addr < at->size &&
			at->addr >= line - back && at->addr < line - back + ALLOCATIONS_LINE &&
			at->stack_len <= ALLOCATIONS_STACK)
			return at;
	}
	return NULL;
}
