/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding a process's page among its descriptors, and its threads in procfs. */
#include "sys/stats_live.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sys/file.h"
#include "sys/procfs.h"

enum {
	LEVELS = 33, /* of process numbers: as many as Linux nests namespaces, and ours */
	THREADS_MAX = 512,
};

/* The numbers of a process or thread, from the one in our namespace to the one in its own. */
struct numbers {
	pid_t pid[LEVELS];
	size_t n;
};

static int read_numbers(int root_fd, const char *status, pid_t pid, struct numbers *ret)
{
	char buf[4096];
	int r = sys_read_at(root_fd, status, buf, sizeof(buf));
	if (r < 0)
		return r;
	*ret = (struct numbers){ .pid = { pid }, .n = 1 }; /* a kernel without namespaces */
	const char *at = strstr(buf, "\nNSpid:");
	if (!at)
		return 0;
	at += strlen("\nNSpid:");
	for (ret->n = 0; ret->n < LEVELS; ret->n++) {
		char *end;
		long v = strtol(at, &end, 10);
		if (end == at || v <= 0 || memchr(at, '\n', (size_t)(end - at)))
			break;
		ret->pid[ret->n] = (pid_t)v;
		at = end;
	}
	return ret->n ? 0 : -EINVAL;
}

static int numbers_of(int root_fd, pid_t pid, struct numbers *ret)
{
	char path[64];
	snprintf(path, sizeof(path), "proc/%d/status", (int)pid);
	return read_numbers(root_fd, path, pid, ret);
}

static bool may_be_page(const char *link)
{
	if (!strcmp(link, "/memfd:" LEAT_STATS_MEMFD " (deleted)"))
		return true;
	const char *name = strrchr(link, '/');
	return name && !strncmp(name + 1, "leat-stats.", strlen("leat-stats."));
}

/* Is it a page, and of this process? A child may hold its parent's. */
static bool is_own(int fd, const struct numbers *who)
{
	struct leat_stats_head head;
	struct stat st;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
		pread(fd, &head, sizeof(head), 0) != (ssize_t)sizeof(head) ||
		head.magic != LEAT_STATS_MAGIC)
		return false;
	for (size_t i = 0; i < who->n; i++)
		if (head.pid == (uint32_t)who->pid[i])
			return true;
	return false;
}

int sys_stats_open(int root_fd, pid_t pid, unsigned max_fds)
{
	struct numbers who;
	char path[64];
	int r = numbers_of(root_fd, pid, &who);
	if (r < 0)
		return r;
	snprintf(path, sizeof(path), "proc/%d/fd", (int)pid);
	SYS_AUTO_DIR DIR *dir = sys_open_dir_at(root_fd, path);
	if (!dir)
		return -errno;
	int dir_fd = dirfd(dir);
	struct dirent *e;
	for (unsigned n = 0; n < max_fds && (e = readdir(dir)); n++) {
		char link[512];
		ssize_t len = readlinkat(dir_fd, e->d_name, link, sizeof(link) - 1);
		link[len > 0 ? len : 0] = '\0';
		if (!may_be_page(link))
			continue;
		LT_AUTO_CLOSE int fd =
			openat(dir_fd, e->d_name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		if (fd >= 0 && is_own(fd, &who))
			return LT_TAKE_FD(fd);
	}
	return -ENOENT;
}

/* A thread of a container knows itself by another number than we do. */
struct threads {
	int root_fd;
	pid_t pid;
	bool nested;
	size_t n;
	struct {
		pid_t inner, outer;
	} of[THREADS_MAX];
};

static int note_thread(void *ctx, pid_t tid)
{
	struct threads *t = ctx;
	struct numbers its;
	char path[96];
	snprintf(path, sizeof(path), "proc/%d/task/%d/status", (int)t->pid, (int)tid);
	if (read_numbers(t->root_fd, path, tid, &its) == 0) {
		t->of[t->n].inner = its.pid[its.n - 1];
		t->of[t->n++].outer = tid;
	}
	return t->n == THREADS_MAX;
}

static int schedstat_of(const struct threads *t, pid_t tid, struct sys_schedstat *ret)
{
	if (!t->nested)
		return sys_schedstat_thread(t->root_fd, t->pid, tid, ret);
	for (size_t i = 0; i < t->n; i++)
		if (t->of[i].inner == tid)
			return sys_schedstat_thread(t->root_fd, t->pid, t->of[i].outer, ret);
	return -ESRCH;
}

void sys_stats_settle(int root_fd, pid_t pid, uint64_t now_ns, struct sys_stats_page *page)
{
	struct numbers who;
	struct threads threads = { .root_fd = root_fd, .pid = pid };
	threads.nested = numbers_of(root_fd, pid, &who) == 0 && who.n > 1;
	if (threads.nested)
		sys_for_threads(root_fd, pid, note_thread, &threads);
	for (uint32_t i = 0; i < page->n; i++) {
		struct leat_stats_slot *slot = &page->slots[i];
		uint64_t *v = slot->v, cause = v[LEAT_V_THREAD_CAUSE];
		if (slot->kind != LEAT_STATS_THREAD || v[LEAT_V_THREAD_END])
			continue;
		struct sys_schedstat s = { 0 };
		if (v[LEAT_V_THREAD_HAS_SCHEDSTAT] &&
			schedstat_of(&threads, (pid_t)slot->tid, &s) < 0)
			v[LEAT_V_THREAD_HAS_SCHEDSTAT] = 0;
		if (cause > 0 && cause < LEAT_CAUSES && now_ns > v[LEAT_V_THREAD_SINCE])
			v[LEAT_V_THREAD_SLEEP_NS + cause] += now_ns - v[LEAT_V_THREAD_SINCE];
		v[LEAT_V_THREAD_CAUSE] = LEAT_CAUSE_RUNNING;
		v[LEAT_V_THREAD_CPU] = s.run_ns;
		v[LEAT_V_THREAD_RUNQ] = s.wait_ns;
		v[LEAT_V_THREAD_END] = now_ns;
	}
}
