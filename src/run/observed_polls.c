/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Polling. A thread found waiting is asked for its stack once per new place: what it stands
 * on cannot change as long as it waits, and it is asked again afterwards whether it still
 * does. */
#include "run/observed_polls.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/clock.h"
#include "run/evidence_ops.h"
#include "sys/file.h"

enum {
	ASK_MOST = 64, /* threads a turn */
	OPEN_MOST = 256,
	STACK = 8192,
	MAPS_BYTES = 1 << 20,
	MAPS_FIRST_NS = 20000000, /* after exec; then twice as long each time */
	CALL_TEXT = 256,
};

void observed_polls_done(struct observed_polls *p)
{
	for (size_t i = 0; i < p->fds.n; i++)
		if (p->fds.at[i] > 0)
			close(p->fds.at[i]);
	free(p->fds.at);
	*p = (struct observed_polls){ 0 };
}

bool observed_call_parse(const char *text, struct observed_call *ret)
{
	struct observed_call c = { .nr = -1 };
	char *end;
	long nr = strtol(text, &end, 10);
	if (end == text || (*end != ' ' && *end != '\n'))
		return false; /* "running" */
	c.nr = nr;
	for (int i = 0; nr >= 0 && i < 6; i++)
		c.args[i] = strtoull(end, &end, 16);
	c.sp = strtoull(end, &end, 16);
	c.ip = strtoull(end, &end, 16);
	if (*end != '\n' && *end)
		return false;
	*ret = c;
	return c.ip != 0;
}

static int open_call(int root_fd, const struct observed_thread *t)
{
	char path[64];
	snprintf(path, sizeof(path), "proc/%d/task/%d/syscall", (int)t->pid, (int)t->tid);
	return openat(root_fd, path, O_RDONLY | O_CLOEXEC);
}

/* The thread's file, kept open while few are. */
static int *slot_of(struct observed_polls *p, struct observed *o, uint32_t thread)
{
	while (p->fds.n <= thread)
		if (!observed_grow(o, (void *)&p->fds.at, &p->fds.n, &p->fds.cap, sizeof(int),
			    OBSERVED_NONE))
			return NULL;
	int *fd = &p->fds.at[thread];
	if (*fd == 0 && p->open < OPEN_MOST) {
		int opened = open_call(p->root_fd, &o->threads.at[thread]);
		*fd = opened > 0 ? opened : -1;
		p->open += *fd > 0;
	}
	return fd;
}

static void forget(struct observed_polls *p, uint32_t thread)
{
	if (thread >= p->fds.n || p->fds.at[thread] <= 0)
		return;
	close(p->fds.at[thread]);
	p->fds.at[thread] = -1;
	p->open--;
}

static bool ask(
	struct observed_polls *p, struct observed *o, uint32_t thread, char *text, size_t size)
{
	int *slot = slot_of(p, o, thread);
	if (!slot || *slot < 0)
		return false;
	LT_AUTO_CLOSE int once = *slot ? -1 : open_call(p->root_fd, &o->threads.at[thread]);
	int fd = *slot ? *slot : once;
	ssize_t got = fd < 0 ? -1 : pread(fd, text, size - 1, 0);
	if (got <= 0)
		return false;
	text[got] = '\0';
	return true;
}

/* How long the call is willing to wait; 0 = endless, or nobody can tell. */
static uint64_t patience(pid_t pid, const struct observed_call *c)
{
	struct evidence_patience how = evidence_call_patience(c->nr);
	if (!how.arg)
		return 0;
	uint64_t arg = c->args[how.arg - 1];
	int64_t time[2] = { 0 };
	struct iovec mine = { .iov_base = time, .iov_len = sizeof(time) };
	/* NOLINTNEXTLINE(performance-no-int-to-ptr) */
	struct iovec its = { .iov_base = (void *)(uintptr_t)arg, .iov_len = sizeof(time) };
	if (how.pointed && (!arg || process_vm_readv(pid, &mine, 1, &its, 1, 0) != sizeof(time)))
		return 0;
	return evidence_patience_ns(how, arg, time);
}

static size_t read_stack(pid_t pid, uint64_t sp, char *to)
{
	struct iovec mine = { .iov_base = to, .iov_len = STACK };
	/* NOLINTNEXTLINE(performance-no-int-to-ptr) */
	struct iovec its = { .iov_base = (void *)(uintptr_t)sp, .iov_len = STACK };
	/* As much as there is: it ends at the first page that is not. */
	ssize_t got = process_vm_readv(pid, &mine, 1, &its, 1, 0);
	for (size_t len = STACK / 2; got < 0 && len >= 256; len /= 2) {
		its.iov_len = len;
		got = process_vm_readv(pid, &mine, 1, &its, 1, 0);
	}
	return got > 0 ? (size_t)got : 0;
}

static uint64_t key_of(const struct observed_call *c)
{
	return evidence_call_is_futex(c->nr) || evidence_call_has_fd(c->nr) ? c->args[0] : 0;
}

static uint32_t take_stack(struct observed_polls *p, struct observed *o, uint32_t thread,
	const struct observed_call *c, const char *text)
{
	const struct observed_thread *t = &o->threads.at[thread];
	char again[CALL_TEXT], stack[STACK];
	uint64_t place = lt_u64map_mix(lt_u64map_mix(c->ip, key_of(c)), t->image + 1);
	/* Where it waits for its own address space, leat would wait with it. */
	enum evidence_op op = evidence_op_of_wait(c->nr, 0, false, false);
	if (op == EVIDENCE_OP_MAP || op == EVIDENCE_OP_FAULT || op == EVIDENCE_OP_CLONE ||
		!observed_wants_stack(o, place))
		return OBSERVED_NONE;
	size_t len = read_stack(t->pid, c->sp, stack);
	if (!len || !ask(p, o, thread, again, sizeof(again)) || strcmp(again, text) != 0)
		return OBSERVED_NONE;
	struct sys_regs regs = { .known = 1u << SYS_REG_SP | 1u << SYS_REG_IP };
	regs.r[SYS_REG_SP] = c->sp;
	regs.r[SYS_REG_IP] = c->ip;
	uint32_t i = observed_keep_stack(o, thread, &regs, stack, len);
	if (i != OBSERVED_NONE) {
		o->stacks.at[i].of_wait = true;
		o->stacks.at[i].nr = c->nr;
		o->stacks.at[i].arg = key_of(c);
	}
	return i;
}

/* Is it waiting, as far as its switches tell? Without them only procfs knows. */
static bool may_wait(const struct observed *o, const struct observed_thread *t)
{
	return !t->death_ns && (!o->switches || (t->counted && !t->running && !t->preempted));
}

static void poll_thread(struct observed_polls *p, struct observed *o, uint32_t thread,
	void (*settle)(void *ctx, uint64_t now_ns), void *ctx)
{
	char text[CALL_TEXT];
	struct observed_call call;
	p->asked++;
	if (!ask(p, o, thread, text, sizeof(text)) || !observed_call_parse(text, &call))
		return;
	uint64_t now = (uint64_t)lt_now_ns();
	settle(ctx, now);
	struct observed_thread *t = &o->threads.at[thread];
	if (!may_wait(o, t)) /* it woke meanwhile */
		return;
	p->answered++;
	t->polled_waits += p->weight;
	if (t->wait != OBSERVED_NONE) {
		struct observed_wait *w = &o->waits.at[t->wait];
		if (w->nr == call.nr && w->ip == call.ip && w->sp == call.sp) {
			w->polls += p->weight; /* the same wait, still, or one like it */
			return;
		}
	}
	struct observed_wait *w = OBSERVED_ADD(o, waits, OBSERVED_WAITS);
	if (!w)
		return;
	t->wait = (uint32_t)o->waits.n - 1;
	*w = (struct observed_wait){ .thread = thread,
		.image = t->image,
		.nr = call.nr,
		.ip = call.ip,
		.sp = call.sp,
		.polls = p->weight,
		.stack = OBSERVED_NONE };
	memcpy(w->args, call.args, sizeof(w->args));
	w->timeout_ns = patience(t->pid, &call);
	if (evidence_call_has_fd(call.nr)) {
		const struct observed_file *f =
			observed_note_file(o, p->root_fd, t->pid, (int)call.args[0]);
		w->uninterruptible = f && f->storage;
	}
	uint32_t stack = take_stack(p, o, thread, &call, text);
	o->waits.at[o->waits.n - 1].stack = stack;
}

void observed_poll(struct observed_polls *p, struct observed *o,
	void (*settle)(void *ctx, uint64_t now_ns), void *ctx)
{
	size_t n = o->threads.n, asked = 0;
	for (size_t k = 0; k < n && asked < ASK_MOST; k++) {
		uint32_t i = (uint32_t)((p->next + k) % n);
		if (o->threads.at[i].death_ns)
			forget(p, i);
		else if (may_wait(o, &o->threads.at[i])) {
			poll_thread(p, o, i, settle, ctx);
			asked++;
		}
	}
	p->next = n ? (uint32_t)((p->next + asked) % n) : 0;
}

const struct observed_file *observed_note_file(struct observed *o, int root_fd, pid_t pid, int fd)
{
	uint64_t key = (uint64_t)pid << 32 | (uint32_t)fd;
	uint32_t known = lt_u64map_get(&o->file_of, key, OBSERVED_NONE);
	if (known != OBSERVED_NONE)
		return &o->files.at[known];
	char path[64], text[256];
	struct stat st;
	snprintf(path, sizeof(path), "proc/%d/fd/%d", (int)pid, fd);
	ssize_t len = readlinkat(root_fd, path, text, sizeof(text));
	if (len <= 0 || !lt_u64map_put(&o->file_of, key, (uint32_t)o->files.n))
		return NULL;
	struct observed_file *f = OBSERVED_ADD(o, files, OBSERVED_NONE);
	if (!f)
		return NULL;
	bool storage =
		fstatat(root_fd, path, &st, 0) == 0 && (S_ISREG(st.st_mode) || S_ISBLK(st.st_mode));
	*f = (struct observed_file){ pid, fd, lt_arena_strndup(&o->arena, text, (size_t)len),
		storage };
	return f;
}

static void note_maps(int root_fd, struct observed_image *img, pid_t pid)
{
	char path[64];
	LT_AUTO_BUF struct lt_buf text = { 0 };
	snprintf(path, sizeof(path), "proc/%d/maps", (int)pid);
	LT_AUTO_CLOSE int fd = openat(root_fd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || lt_buf_read_fd(&text, fd, path, MAPS_BYTES, NULL) < 0 || !text.len)
		return;
	free(img->proc_maps);
	img->proc_maps = LT_TAKE(text.data);
}

void observed_note_maps(struct observed *o, int root_fd, uint64_t now_ns)
{
	for (size_t i = 0; i < o->processes.n; i++) {
		const struct observed_process *p = &o->processes.at[i];
		if (p->dead || p->image == OBSERVED_NONE)
			continue;
		struct observed_image *img = &o->images.at[p->image];
		if (img->pid != p->pid)
			continue;
		if (!img->maps_ns) { /* first seen */
			img->maps_ns = now_ns;
			img->maps_next_ns = now_ns + MAPS_FIRST_NS;
		} else if (now_ns >= img->maps_next_ns) {
			note_maps(root_fd, img, p->pid);
			img->maps_next_ns = now_ns + (now_ns - img->maps_ns);
		}
	}
}
