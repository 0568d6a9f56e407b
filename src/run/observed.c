/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists and look-ups of what was seen. */
#include "run/observed.h"

#include <stdlib.h>
#include <string.h>

enum {
	STACKS_FIRST = 16, /* all of the first so many from one place, */
	STACKS_EVERY = 16, /* then one in so many */
	STACKS_MOST = 64,
};

void observed_init(struct observed *o)
{
	*o = (struct observed){ .stride = 1 };
}

void observed_done(struct observed *o)
{
	for (size_t i = 0; i < o->images.n; i++) {
		free(o->images.at[i].maps.at);
		free(o->images.at[i].proc_maps);
		sys_image_free(o->images.at[i].sys);
	}
	sys_images_free(o->files_read);
	free(o->images.at);
	free(o->processes.at);
	free(o->threads.at);
	free(o->samples.at);
	free(o->faults.at);
	free(o->waits.at);
	free(o->totals.at);
	free(o->stacks.at);
	free(o->files.at);
	lt_buf_done(&o->stack_bytes);
	lt_u64map_done(&o->process_of);
	lt_u64map_done(&o->thread_of);
	lt_u64map_done(&o->stacks_at);
	lt_u64map_done(&o->file_of);
	lt_arena_done(&o->arena);
}

void *observed_grow(
	struct observed *o, void *list, size_t *n, size_t *cap, size_t size, size_t limit)
{
	if (*n >= limit)
		return NULL;
	if (*n == *cap) {
		size_t more = *cap ? 2 * *cap : 32;
		void *bytes = realloc(*(void **)list, more * size);
		if (!bytes) {
			o->failed = true;
			return NULL;
		}
		*(void **)list = bytes;
		*cap = more;
	}
	void *at = *(char **)list + (*n)++ * size;
	memset(at, 0, size);
	return at;
}

uint32_t observed_find_process(const struct observed *o, pid_t pid)
{
	return lt_u64map_get(&o->process_of, (uint64_t)pid, OBSERVED_NONE);
}

uint32_t observed_find_thread(const struct observed *o, pid_t tid)
{
	return lt_u64map_get(&o->thread_of, (uint64_t)tid, OBSERVED_NONE);
}

uint32_t observed_process(struct observed *o, pid_t pid)
{
	uint32_t i = observed_find_process(o, pid);
	if (i != OBSERVED_NONE || pid <= 0) /* the dead have no number any more */
		return i;
	i = (uint32_t)o->processes.n;
	struct observed_process *p = OBSERVED_ADD(o, processes, OBSERVED_NONE);
	if (!p || !lt_u64map_put(&o->process_of, (uint64_t)pid, i))
		return OBSERVED_NONE;
	p->pid = pid;
	p->image = OBSERVED_NONE;
	return i;
}

uint32_t observed_new_thread(struct observed *o, pid_t pid, pid_t tid)
{
	uint32_t process = observed_process(o, pid);
	uint32_t i = (uint32_t)o->threads.n;
	struct observed_thread *t =
		process == OBSERVED_NONE ? NULL : OBSERVED_ADD(o, threads, OBSERVED_NONE);
	if (!t || !lt_u64map_put(&o->thread_of, (uint64_t)tid, i))
		return OBSERVED_NONE;
	if (++o->alive > o->alive_peak)
		o->alive_peak = o->alive;
	const struct observed_process *p = &o->processes.at[process];
	t->pid = pid;
	t->tid = tid;
	t->image = p->image;
	t->forked = p->forked;
	t->wait = OBSERVED_NONE;
	t->group = OBSERVED_NONE;
	memcpy(t->name, p->name, sizeof(t->name));
	memcpy(t->process, p->name, sizeof(t->process));
	return i;
}

uint32_t observed_thread(struct observed *o, pid_t pid, pid_t tid)
{
	uint32_t i = observed_find_thread(o, tid);
	return i == OBSERVED_NONE && tid > 0 ? observed_new_thread(o, pid, tid) : i;
}

bool observed_wants_stack(struct observed *o, uint64_t key)
{
	uint32_t seen = lt_u64map_get(&o->stacks_at, key, 0);
	if (!lt_u64map_put(&o->stacks_at, key, seen + 1))
		return false;
	if (seen < STACKS_FIRST)
		return true;
	return seen % STACKS_EVERY == 0 && seen / STACKS_EVERY < STACKS_MOST;
}

uint32_t observed_keep_stack(struct observed *o, uint32_t thread, const struct sys_regs *regs,
	const void *bytes, size_t len)
{
	size_t off = o->stack_bytes.len;
	if (off + len > OBSERVED_STACK_BYTES)
		return OBSERVED_NONE;
	uint32_t i = (uint32_t)o->stacks.n;
	struct observed_stack *s = OBSERVED_ADD(o, stacks, OBSERVED_NONE);
	if (!s)
		return OBSERVED_NONE;
	lt_buf_add(&o->stack_bytes, bytes, len);
	if (o->stack_bytes.failed) {
		o->stacks.n--;
		return OBSERVED_NONE;
	}
	*s = (struct observed_stack){ .image = o->threads.at[thread].image,
		.thread = thread,
		.regs = *regs,
		.off = off,
		.len = len,
		.nr = -1 };
	return i;
}
