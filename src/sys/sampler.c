/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening the events and merging their rings. Two events for each CPU: the clock, whose ring
 * it is, and page faults, which also carry news of switches, files and threads. Per CPU,
 * because the kernel allows no ring for inherited events otherwise. */
#include "sys/sampler.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "sys/perf.h"
#include "sys/sampler_ring.h"

enum {
	PAGES_ANYONE = 128, /* what perf_event_mlock_kb allows everybody by default */
	PAGES_PRIVILEGED = 512,
};

static long open_event(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	return syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static struct perf_event_attr common(const struct sys_sampler *s)
{
	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.type = PERF_TYPE_SOFTWARE,
		.sample_type = SAMPLER_TYPE,
		.sample_regs_user = sampler_regs_mask(),
		.sample_stack_user = s->opts.stack_bytes,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.exclude_kernel = !s->kernel,
		.exclude_hv = !s->kernel,
		.watermark = 1,
	};
}

static long open_clock(const struct sys_sampler *s, int cpu)
{
	struct perf_event_attr attr = common(s);
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	attr.sample_period = s->opts.period_ns;
	attr.wakeup_watermark = (s->kernel ? PAGES_PRIVILEGED : PAGES_ANYONE) * 4096u / 2;
	if (s->wide) {
		attr.exclude_idle = 1;
		return open_event(&attr, -1, cpu);
	}
	attr.inherit = 1;
	attr.disabled = 1;
	attr.enable_on_exec = 1;
	return open_event(&attr, s->opts.launcher, cpu);
}

static long open_faults(const struct sys_sampler *s, int cpu)
{
	struct perf_event_attr attr = common(s);
	attr.config = PERF_COUNT_SW_PAGE_FAULTS;
	attr.sample_period = SAMPLER_FAULTS;
	attr.exclude_kernel = 1; /* those of user code have a place there */
	attr.exclude_hv = 1;
	attr.mmap = attr.mmap2 = attr.comm = attr.comm_exec = attr.task = 1;
	attr.context_switch = s->opts.switches;
	attr.inherit = 1;
	attr.disabled = 1;
	attr.enable_on_exec = 1;
	return open_event(&attr, s->opts.launcher, cpu);
}

static uint64_t id_of(int fd)
{
	uint64_t id = 0;
	ioctl(fd, PERF_EVENT_IOC_ID, &id);
	return id;
}

static struct sys_sampler_ring *add_ring(struct sys_sampler *s)
{
	struct sys_sampler_ring *more = realloc(s->rings, (s->n_rings + 1) * sizeof(*more));
	if (!more)
		return NULL;
	s->rings = more;
	more[s->n_rings] = (struct sys_sampler_ring){ .clock_fd = -1, .fault_fd = -1 };
	return &more[s->n_rings++];
}

/* 1 = done, 0 = there is no such CPU, or a negative errno. */
static int open_cpu(struct sys_sampler *s, int cpu)
{
	long fd = open_clock(s, cpu);
	if (fd < 0)
		return errno == ENODEV || errno == EINVAL ? 0 : -errno;
	struct sys_sampler_ring *ring = add_ring(s);
	if (!ring) {
		close((int)fd);
		return -ENOMEM;
	}
	ring->clock_fd = (int)fd;
	ring->clock_id = id_of(ring->clock_fd);
	ring->fault_fd = (int)open_faults(s, cpu);
	if (ring->fault_fd < 0)
		return -errno;
	int r = sampler_ring_map(ring, s->kernel ? PAGES_PRIVILEGED : PAGES_ANYONE);
	if (r < 0)
		return r;
	if (ioctl(ring->fault_fd, PERF_EVENT_IOC_SET_OUTPUT, ring->clock_fd) < 0)
		return -errno;
	return 1;
}

static int open_cpus(struct sys_sampler *s)
{
	long n = sysconf(_SC_NPROCESSORS_CONF);
	for (int cpu = 0; cpu < n; cpu++) {
		int r = open_cpu(s, cpu);
		if (r < 0)
			return r;
	}
	return s->n_rings ? 0 : -ENODEV;
}

/* The most that is allowed: everything on every CPU; the kernel's side of the program; the
 * program's own code. */
static const struct {
	bool kernel, wide;
} allowances[] = { { true, true }, { true, false }, { false, false } };

int sys_sampler_open(
	struct sys_sampler *ret, const struct sys_sampler_opts *opts, struct lt_err *err)
{
	int r = -EACCES;
	for (size_t i = opts->user_only ? 2 : 0; i < LT_COUNT(allowances); i++) {
		struct sys_sampler s = { .anchor = -1,
			.kernel = allowances[i].kernel,
			.wide = allowances[i].wide,
			.opts = *opts };
		s.anchor = sys_perf_anchor(opts->launcher);
		r = s.anchor < 0 ? s.anchor : open_cpus(&s);
		if (r == 0) {
			*ret = s;
			return 0;
		}
		sys_sampler_close(&s);
		if (r != -EACCES && r != -EPERM)
			break;
	}
	struct sys_perf_code code = { .type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.exclude_kernel = true };
	return sys_perf_explain(opts->root_fd, &code, r, err);
}

void sys_sampler_close(struct sys_sampler *s)
{
	for (size_t i = 0; i < s->n_rings; i++) {
		struct sys_sampler_ring *ring = &s->rings[i];
		sampler_ring_unmap(ring);
		if (ring->fault_fd >= 0)
			close(ring->fault_fd);
		if (ring->clock_fd >= 0)
			close(ring->clock_fd);
	}
	free(s->rings);
	if (s->anchor >= 0)
		close(s->anchor);
	*s = (struct sys_sampler)SYS_SAMPLER_NONE;
}

/* The ring whose next record is the oldest, if it is older than `until`. */
static struct sys_sampler_ring *oldest(
	struct sys_sampler *s, uint64_t until, const struct perf_event_header **ret)
{
	struct sys_sampler_ring *first = NULL;
	for (size_t i = 0; i < s->n_rings; i++) {
		const struct perf_event_header *header = sampler_ring_peek(&s->rings[i]);
		uint64_t time = header ? sampler_time(header) : UINT64_MAX;
		if (time < until) {
			until = time;
			first = &s->rings[i];
			*ret = header;
		}
	}
	return first;
}

void sys_sampler_drain(struct sys_sampler *s, uint64_t until_ns,
	void (*each)(void *ctx, const struct sys_record *rec), void *ctx)
{
	const struct perf_event_header *header = NULL;
	for (struct sys_sampler_ring *ring; (ring = oldest(s, until_ns, &header));) {
		struct sys_record rec;
		if (sampler_read(ring, header, &rec))
			each(ctx, &rec);
		sampler_ring_pop(ring, header);
	}
}

size_t sys_sampler_fds(const struct sys_sampler *s, int *fds, size_t max)
{
	size_t n = s->n_rings < max ? s->n_rings : max;
	for (size_t i = 0; i < n; i++)
		fds[i] = s->rings[i].clock_fd;
	return n;
}
