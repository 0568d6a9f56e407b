/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parsing procfs. */
#include "sys/procfs.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"
#include "sys/file.h"

static int read_pid_file(int root_fd, pid_t pid, const char *name, char *buf, size_t size)
{
	char path[128];
	snprintf(path, sizeof(path), "proc/%d/%s", (int)pid, name);
	return sys_read_at(root_fd, path, buf, size);
}

static int parse_schedstat(const char *text, struct sys_schedstat *ret)
{
	unsigned long long run, wait, slices;
	if (sscanf(text, "%llu %llu %llu", &run, &wait, &slices) != 3)
		return -EINVAL;
	*ret = (struct sys_schedstat){ run, wait, slices };
	return 0;
}

int sys_schedstat(int root_fd, pid_t pid, struct sys_schedstat *ret)
{
	char buf[96];
	int r = read_pid_file(root_fd, pid, "schedstat", buf, sizeof(buf));
	return r < 0 ? r : parse_schedstat(buf, ret);
}

/* Reads proc/PID/task/TID/NAME. */
static int read_thread_file(
	int root_fd, pid_t pid, pid_t tid, const char *name, char *buf, size_t size)
{
	char path[96];
	snprintf(path, sizeof(path), "task/%d/%s", (int)tid, name);
	return read_pid_file(root_fd, pid, path, buf, size);
}

int sys_schedstat_thread(int root_fd, pid_t pid, pid_t tid, struct sys_schedstat *ret)
{
	char buf[96];
	int r = read_thread_file(root_fd, pid, tid, "schedstat", buf, sizeof(buf));
	return r < 0 ? r : parse_schedstat(buf, ret);
}

struct schedstat_sum {
	int root_fd;
	pid_t pid;
	struct sys_schedstat sum;
};

static int add_schedstat(void *ctx, pid_t tid)
{
	struct schedstat_sum *t = ctx;
	struct sys_schedstat one;
	int r = sys_schedstat_thread(t->root_fd, t->pid, tid, &one);
	if (r < 0)
		return r == -ENOENT || r == -ESRCH ? 0 : r; /* ended meanwhile */
	t->sum.run_ns += one.run_ns;
	t->sum.wait_ns += one.wait_ns;
	t->sum.slices += one.slices;
	return 0;
}

int sys_schedstat_threads(int root_fd, pid_t pid, struct sys_schedstat *ret)
{
	struct schedstat_sum t = { .root_fd = root_fd, .pid = pid };
	int r = sys_for_threads(root_fd, pid, add_schedstat, &t);
	if (r < 0)
		return r;
	*ret = t.sum;
	return 0;
}

/* The number behind "NAME:" at the start of a line. */
static int field(const char *text, const char *name, uint64_t *ret)
{
	const char *value = sys_field(text, name);
	if (!value)
		return -ENODATA;
	*ret = strtoull(value, NULL, 10);
	return 0;
}

int sys_io(int root_fd, pid_t pid, struct sys_io *ret)
{
	char buf[512];
	struct sys_io io = { 0 };
	int r = read_pid_file(root_fd, pid, "io", buf, sizeof(buf));
	if (r < 0)
		return r;
	if (field(buf, "rchar", &io.rchar) < 0 || field(buf, "wchar", &io.wchar) < 0 ||
		field(buf, "syscr", &io.syscr) < 0 || field(buf, "syscw", &io.syscw) < 0 ||
		field(buf, "read_bytes", &io.read_bytes) < 0 ||
		field(buf, "write_bytes", &io.write_bytes) < 0)
		return -EINVAL;
	*ret = io;
	return 0;
}

enum {
	PF_EXITING = 0x4 /* include/linux/sched.h */
};

static int parse_stat(char *buf, struct sys_stat *ret)
{
	/* The name may hold anything, brackets too: it ends at the last one. */
	char *open = strchr(buf, '('), *close = strrchr(buf, ')');
	if (!open || !close || close < open)
		return -EINVAL;
	struct sys_stat st = { 0 };
	snprintf(st.comm, sizeof(st.comm), "%.*s", (int)(close - open - 1), open + 1);
	unsigned flags;
	int n = sscanf(close + 1,
		" %c %d %*d %d %*d %*d %u %" SCNu64 " %*u %" SCNu64 " %*u %" SCNu64 " %" SCNu64,
		&st.state, &st.ppid, &st.session, &flags, &st.minflt, &st.majflt, &st.utime,
		&st.stime);
	if (n != 8)
		return -EINVAL;
	st.exiting = flags & PF_EXITING;
	*ret = st;
	return 0;
}

int sys_stat(int root_fd, pid_t pid, struct sys_stat *ret)
{
	char buf[1024];
	int r = read_pid_file(root_fd, pid, "stat", buf, sizeof(buf));
	return r < 0 ? r : parse_stat(buf, ret);
}

int sys_stat_thread(int root_fd, pid_t pid, pid_t tid, struct sys_stat *ret)
{
	char buf[1024];
	int r = read_thread_file(root_fd, pid, tid, "stat", buf, sizeof(buf));
	return r < 0 ? r : parse_stat(buf, ret);
}

int sys_switches(int root_fd, pid_t pid, pid_t tid, struct sys_switches *ret)
{
	char buf[4096];
	struct sys_switches sw;
	int r = read_thread_file(root_fd, pid, tid, "status", buf, sizeof(buf));
	if (r < 0)
		return r;
	if (field(buf, "voluntary_ctxt_switches", &sw.voluntary) < 0 ||
		field(buf, "nonvoluntary_ctxt_switches", &sw.involuntary) < 0)
		return -ENODATA;
	*ret = sw;
	return 0;
}

int sys_for_threads(int root_fd, pid_t pid, int (*each)(void *ctx, pid_t tid), void *ctx)
{
	char path[48];
	snprintf(path, sizeof(path), "proc/%d/task", (int)pid);
	SYS_AUTO_DIR DIR *dir = sys_open_dir_at(root_fd, path);
	if (!dir)
		return -errno;
	for (struct dirent *e; (e = readdir(dir));) {
		int tid = atoi(e->d_name);
		int r = tid > 0 ? each(ctx, tid) : 0;
		if (r)
			return r;
	}
	return 0;
}

struct memory_search {
	int root_fd;
	pid_t pid;
	struct sys_memory *ret;
};

static int read_memory(void *ctx, pid_t tid)
{
	struct memory_search *m = ctx;
	char buf[4096];
	uint64_t rss, peak;
	int r = read_thread_file(m->root_fd, m->pid, tid, "status", buf, sizeof(buf));
	if (r < 0)
		return 0; /* ended meanwhile */
	if (field(buf, "VmRSS", &rss) < 0 || field(buf, "VmHWM", &peak) < 0)
		return 0;
	m->ret->rss = rss * 1024;
	m->ret->peak = peak * 1024;
	return 1;
}

int sys_memory(int root_fd, pid_t pid, struct sys_memory *ret)
{
	struct memory_search m = { .root_fd = root_fd, .pid = pid, .ret = ret };
	int r = sys_for_threads(root_fd, pid, read_memory, &m);
	return r < 0 ? r : r ? 0 : -ENODATA;
}

/* Processes found and not yet looked into, in the order found: parents first. */
struct family {
	int root_fd;
	pid_t parent; /* whose children are being read */
	pid_t *list;
	size_t n, cap;
};

static void free_family(struct family *f)
{
	free(f->list);
}

static int add_member(struct family *f, pid_t pid)
{
	if (f->n == f->cap) {
		size_t cap = f->cap ? 2 * f->cap : 64;
		pid_t *list = realloc(f->list, cap * sizeof(*list));
		if (!list)
			return -ENOMEM;
		f->list = list;
		f->cap = cap;
	}
	f->list[f->n++] = pid;
	return 0;
}

/* The children of one thread; every thread has a list of its own. */
static int add_children(void *ctx, pid_t tid)
{
	struct family *f = ctx;
	char path[64];
	snprintf(path, sizeof(path), "proc/%d/task/%d/children", (int)f->parent, (int)tid);
	LT_AUTO_CLOSE int fd = openat(f->root_fd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT || errno == ESRCH ? 0 : -errno;
	pid_t child = 0;
	char buf[1024];
	ssize_t got;
	while ((got = read(fd, buf, sizeof(buf))) > 0) {
		for (ssize_t i = 0; i < got; i++) {
			if (buf[i] >= '0' && buf[i] <= '9') {
				child = child * 10 + (buf[i] - '0');
				continue;
			}
			int r = child ? add_member(f, child) : 0;
			if (r < 0)
				return r;
			child = 0;
		}
	}
	return 0;
}

int sys_for_descendants(int root_fd, pid_t pid, int (*each)(void *ctx, pid_t child), void *ctx)
{
	LT_AUTO(free_family) struct family f = { .root_fd = root_fd, .parent = pid };
	int r = sys_for_threads(root_fd, pid, add_children, &f);
	for (size_t i = 0; i < f.n && (r >= 0 || r == -ENOENT || r == -ESRCH); i++) {
		r = each(ctx, f.list[i]);
		if (r)
			return r;
		f.parent = f.list[i];
		r = sys_for_threads(root_fd, f.parent, add_children, &f);
	}
	return r == -ENOENT || r == -ESRCH ? 0 : r; /* ended meanwhile */
}

int sys_steal_ticks(int root_fd, uint64_t *ret)
{
	char buf[512];
	int r = sys_read_at(root_fd, "proc/stat", buf, sizeof(buf));
	if (r < 0)
		return r;
	unsigned long long steal;
	if (sscanf(buf, "cpu %*u %*u %*u %*u %*u %*u %*u %llu", &steal) != 1)
		return -EINVAL;
	*ret = steal;
	return 0;
}

int sys_busy_ticks(int root_fd, const struct lt_cpuset *cpus, uint64_t *ret)
{
	LT_AUTO_BUF struct lt_buf text = { 0 };
	LT_AUTO_CLOSE int fd = openat(root_fd, "proc/stat", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	int r = lt_buf_read_fd(&text, fd, "proc/stat", 1 << 20, NULL);
	uint64_t sum = 0;
	bool any = false;
	for (const char *line = r < 0 ? NULL : text.data; line && *line;) {
		unsigned cpu;
		unsigned long long user, nice, system, irq, softirq;
		/* "cpu0 ..."; the first line, "cpu  ...", is of all together. */
		if (!strncmp(line, "cpu", 3) && isdigit((unsigned char)line[3]) &&
			sscanf(line, "cpu%u %llu %llu %llu %*u %*u %llu %llu", &cpu, &user, &nice,
				&system, &irq, &softirq) == 6 &&
			lt_cpuset_has(cpus, cpu)) {
			sum += user + nice + system + irq + softirq;
			any = true;
		}
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	if (r >= 0 && !any)
		return -EINVAL;
	*ret = sum;
	return r < 0 ? r : 0;
}

int sys_load(int root_fd, double *ret)
{
	char buf[64];
	int r = sys_read_at(root_fd, "proc/loadavg", buf, sizeof(buf));
	if (r < 0)
		return r;
	char *end;
	double v = strtod(buf, &end);
	if (end == buf)
		return -EINVAL;
	*ret = v;
	return 0;
}

struct asked_stdin {
	int root_fd;
	pid_t pid;
};

static int thread_reads_stdin(void *ctx, pid_t tid)
{
	const struct asked_stdin *a = ctx;
	char path[64], text[256];
	unsigned long fd;
	long nr;
	snprintf(path, sizeof(path), "proc/%d/task/%d/syscall", (int)a->pid, (int)tid);
	if (sys_read_at(a->root_fd, path, text, sizeof(text)) < 0 ||
		sscanf(text, "%ld %lx", &nr, &fd) != 2)
		return 0;
	return (nr == SYS_read || nr == SYS_readv) && fd == STDIN_FILENO;
}

int sys_reads_stdin(int root_fd, pid_t pid)
{
	struct asked_stdin a = { root_fd, pid };
	return sys_for_threads(root_fd, pid, thread_reads_stdin, &a);
}
