/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looking at the maps of a trial's processes: soon after the start, then ever less often. */
#include "run/loaded.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "sys/mapped.h"
#include "sys/procfs.h"

void loaded_begin(
	struct loaded *l, int root_fd, pid_t launcher, const char *wanted, struct lt_arena *arena)
{
	char real[PATH_MAX];
	*l = (struct loaded){ .root_fd = root_fd, .launcher = launcher, .arena = arena };
	struct sys_stat st;
	if (sys_stat(root_fd, launcher, &st) == 0)
		memcpy(l->launcher_comm, st.comm, sizeof(l->launcher_comm));
	if (wanted) /* as the kernel names it */
		l->wanted = lt_arena_strdup(arena, realpath(wanted, real) ? real : wanted);
}

struct look {
	struct loaded *l;
	bool has, any, loader, libc;
};

static int take_file(void *ctx, const char *path)
{
	struct look *look = ctx;
	struct loaded *l = look->l;
	look->any = true;
	const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	if (l->wanted && !strcmp(path, l->wanted))
		look->has = true;
	look->loader = look->loader || !strncmp(base, "ld-linux", 8);
	look->libc = look->libc || !strncmp(base, "libc.so", 7) || !strncmp(base, "libc-", 5);
	for (size_t i = 0; i < l->n_files; i++)
		if (!strcmp(l->files[i], path))
			return 0;
	const char *copy = l->n_files < LOADED_FILES ? lt_arena_strdup(l->arena, path) : NULL;
	if (copy)
		l->files[l->n_files++] = copy;
	return 0;
}

static struct loaded_process *process(struct loaded *l, pid_t pid)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->list[i].pid == pid)
			return &l->list[i];
	if (l->n == LOADED_PROCESSES)
		return NULL;
	l->list[l->n] = (struct loaded_process){ .pid = pid };
	return &l->list[l->n++];
}

static int look_at_process(void *ctx, pid_t pid)
{
	struct loaded *l = ctx;
	struct look look = { .l = l };
	struct sys_stat st;
	struct sys_schedstat ran;
	if (sys_stat(l->root_fd, pid, &st) < 0 || st.state == 'Z' || st.exiting)
		return 0;
	if (!strcmp(st.comm, l->launcher_comm)) /* has not called exec yet */
		return 0;
	if (sys_for_mapped(l->root_fd, pid, take_file, &look) < 0 || !look.any)
		return 0;
	/* One that ended meanwhile had part of its maps already gone. */
	if (sys_stat(l->root_fd, pid, &st) < 0 || st.state == 'Z' || st.exiting)
		return 0;
	struct loaded_process *p = process(l, pid);
	if (!p)
		return 0;
	p->has = look.has; /* of now: a process may become another program */
	p->loading = look.loader && !look.libc;
	memcpy(p->comm, st.comm, sizeof(p->comm));
	if (sys_schedstat_threads(l->root_fd, pid, &ran) == 0)
		p->run_ns = (double)ran.run_ns;
	return 0;
}

int64_t loaded_look(void *ctx, int64_t running_ns)
{
	struct loaded *l = ctx;
	sys_for_descendants(l->root_fd, l->launcher, look_at_process, l);
	int64_t next = running_ns / 2; /* 1, 3, 4.5, ... ms: dense where short programs end */
	return next < 2 * LT_NS_PER_MS ? 2 * LT_NS_PER_MS : next > LT_NS_PER_S ? LT_NS_PER_S : next;
}

const char *loaded_without(const struct loaded *l)
{
	const struct loaded_process *most = NULL;
	for (size_t i = 0; i < l->n; i++)
		if (!most || l->list[i].run_ns > most->run_ns)
			most = &l->list[i];
	return l->wanted && most && !most->has && !most->loading ? most->comm : NULL;
}
