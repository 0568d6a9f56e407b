/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening, reading and explaining perf events. */
#include "sys/perf.h"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>

#include "sys/file.h"
#include "sys/pmu.h"
#include "sys/procfs.h"

/* Whom an event is opened on. */
struct whom {
	pid_t pid;
	bool on_exec; /* count from the next exec on, instead of from now */
};

static int open_one(const struct sys_perf_code *code, const struct whom *whom, bool user_only)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = code->type,
		.config = code->config,
		.config1 = code->config1,
		.config2 = code->config2,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.inherit = 1,
		.disabled = whom->on_exec,
		.enable_on_exec = whom->on_exec,
		.exclude_user = code->exclude_user,
		.exclude_kernel = code->exclude_kernel || user_only,
		.exclude_hv = code->exclude_hv || user_only,
		.exclude_guest = code->exclude_guest,
		.exclude_host = code->exclude_host,
	};
	long fd = syscall(SYS_perf_event_open, &attr, whom->pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

/* Happens in the kernel whoever causes it: without the kernel's side it would read 0. */
static bool kernel_only(const struct sys_perf_code *code)
{
	return code->type == PERF_TYPE_TRACEPOINT ||
		(code->type == PERF_TYPE_SOFTWARE &&
			(code->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
				code->config == PERF_COUNT_SW_CPU_MIGRATIONS));
}

/* Clocks run on both sides whatever is excluded. */
static bool has_sides(const struct sys_perf_code *code)
{
	return code->type != PERF_TYPE_SOFTWARE ||
		(code->config != PERF_COUNT_SW_TASK_CLOCK &&
			code->config != PERF_COUNT_SW_CPU_CLOCK);
}

/* With both sides if we may, else the user's side where that means something. */
static int open_allowed(
	const struct sys_perf_code *code, const struct whom *whom, bool *ret_user_only)
{
	if (code->exclude_kernel && kernel_only(code))
		return -EINVAL; /* the kernel would take it, and count 0 */
	int fd = open_one(code, whom, false);
	*ret_user_only = code->exclude_kernel && has_sides(code);
	if ((fd != -EACCES && fd != -EPERM) || code->exclude_kernel || code->exclude_user ||
		kernel_only(code))
		return fd;
	*ret_user_only = has_sides(code);
	return open_one(code, whom, true);
}

static int add_fd(struct sys_perf_event *ev, int fd)
{
	int *more = realloc(ev->fds, (ev->n_fds + 1) * sizeof(*more));
	if (!more) {
		close(fd);
		return -ENOMEM;
	}
	ev->fds = more;
	ev->fds[ev->n_fds++] = fd;
	return 0;
}

static void close_event(struct sys_perf_event *ev)
{
	for (size_t i = 0; i < ev->n_fds; i++)
		close(ev->fds[i]);
	free(ev->fds);
	ev->fds = NULL;
	ev->n_fds = 0;
}

/* One failure is the event's: half a process counted would be a wrong number. */
static void open_on(struct sys_perf_event *ev, const struct whom *whom)
{
	if (ev->error)
		return;
	int fd = open_allowed(&ev->code, whom, &ev->user_only);
	if (fd == -ESRCH)
		return; /* the thread has ended meanwhile */
	int r = fd < 0 ? fd : add_fd(ev, fd);
	if (r < 0) {
		close_event(ev);
		ev->error = r;
	}
}

static int make_events(
	struct sys_perf *p, const struct sys_perf_code *codes, size_t n, struct lt_err *err)
{
	*p = (struct sys_perf)SYS_PERF_NONE;
	p->events = calloc(n ? n : 1, sizeof(*p->events));
	if (!p->events)
		return lt_fail_mem(err);
	p->n_events = n;
	for (size_t i = 0; i < n; i++)
		p->events[i].code = codes[i];
	return 0;
}

static void open_all_on(struct sys_perf *p, const struct whom *whom)
{
	for (size_t i = 0; i < p->n_events; i++)
		open_on(&p->events[i], whom);
}

static void name_the_unopened(struct sys_perf *p)
{
	for (size_t i = 0; i < p->n_events; i++)
		if (!p->events[i].n_fds && !p->events[i].error)
			p->events[i].error = -ESRCH;
}

/* The kernel swaps the event contexts of parent and child at a context switch when the
 * child's are a full copy of the parent's. Our event then moves into the program, where
 * exec uses up its enable_on_exec, and from the next program on nothing is counted. An
 * event that is not inherited keeps the copy from being full. */
int sys_perf_anchor(pid_t launcher)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
		.exclude_kernel = 1,
	};
	long fd = syscall(SYS_perf_event_open, &attr, launcher, -1, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

int sys_perf_open_tree(struct sys_perf *ret, pid_t launcher, const struct sys_perf_code *codes,
	size_t n, struct lt_err *err)
{
	struct sys_perf p;
	int r = make_events(&p, codes, n, err);
	if (r < 0)
		return r;
	p.anchor = sys_perf_anchor(launcher);
	int error = p.anchor < 0 ? p.anchor : 0;
	for (size_t i = 0; i < n; i++)
		p.events[i].error = error;
	open_all_on(&p, &(struct whom){ launcher, true });
	name_the_unopened(&p);
	*ret = p;
	return 0;
}

static int open_on_thread(void *perf, pid_t tid)
{
	open_all_on(perf, &(struct whom){ tid, false });
	return 0;
}

int sys_perf_open_process(struct sys_perf *ret, int root_fd, pid_t pid,
	const struct sys_perf_code *codes, size_t n, struct lt_err *err)
{
	struct sys_perf p;
	int r = make_events(&p, codes, n, err);
	if (r < 0)
		return r;
	sys_for_threads(root_fd, pid, open_on_thread, &p);
	name_the_unopened(&p);
	*ret = p;
	return 0;
}

void sys_perf_close(struct sys_perf *p)
{
	for (size_t i = 0; i < p->n_events; i++)
		close_event(&p->events[i]);
	if (p->events && p->anchor >= 0) /* zeroed memory holds no anchor */
		close(p->anchor);
	free(p->events);
	*p = (struct sys_perf)SYS_PERF_NONE;
}

static int read_event(const struct sys_perf_event *ev, struct sys_perf_reading *ret)
{
	struct sys_perf_reading sum = { 0 }, one;
	if (ev->error)
		return ev->error;
	for (size_t i = 0; i < ev->n_fds; i++) {
		ssize_t got = read(ev->fds[i], &one, sizeof(one));
		if (got != (ssize_t)sizeof(one))
			return got < 0 ? -errno : -ENODATA;
		sum.count += one.count;
		sum.enabled_ns += one.enabled_ns;
		sum.running_ns += one.running_ns;
	}
	*ret = sum;
	return 0;
}

void sys_perf_begin(struct sys_perf *p)
{
	for (size_t i = 0; i < p->n_events; i++) {
		int r = read_event(&p->events[i], &p->events[i].begin);
		if (r < 0)
			p->events[i].error = r;
	}
}

int sys_perf_counted(const struct sys_perf *p, size_t i, double *ret, bool *ret_scaled)
{
	struct sys_perf_reading now = { 0 };
	int r = read_event(&p->events[i], &now);
	return r < 0 ? r : sys_perf_scale(&p->events[i].begin, &now, ret, ret_scaled);
}

int sys_perf_scale(const struct sys_perf_reading *a, const struct sys_perf_reading *b, double *ret,
	bool *ret_scaled)
{
	double count = (double)(b->count - a->count);
	uint64_t enabled = b->enabled_ns - a->enabled_ns;
	uint64_t running = b->running_ns - a->running_ns;
	if (!running)
		return -ENODATA;
	*ret_scaled = running < enabled;
	*ret = *ret_scaled ? count * ((double)enabled / (double)running) : count;
	return 0;
}

int sys_perf_try(const struct sys_perf_code *code, bool *ret_user_only)
{
	LT_AUTO_CLOSE int fd = open_allowed(code, &(struct whom){ 0, true }, ret_user_only);
	return fd < 0 ? fd : 0;
}

static int explain_refusal(int root_fd, int error, struct lt_err *err)
{
	char level[16] = "unknown";
	sys_read_line_at(root_fd, "proc/sys/kernel/perf_event_paranoid", level, sizeof(level));
	int n = atoi(level);
	if (error == -EPERM) {
		lt_err_set(err, error, "LT-PERF",
			"perf_event_open is forbidden here, as containers do by a seccomp filter");
		return lt_hint(err,
			"allow perf_event_open in the container's seccomp profile, "
			"or give it CAP_PERFMON");
	}
	if (n > 2) {
		lt_err_set(err, error, "LT-PERF",
			"perf events are closed to unprivileged users (perf_event_paranoid is %s)",
			level);
	} else if (n == 2) {
		lt_err_set(err, error, "LT-PERF",
			"the kernel's side is closed to unprivileged users "
			"(perf_event_paranoid is 2)");
	} else {
		lt_err_set(err, error, "LT-PERF",
			"the process belongs to another user, or a security module forbids it "
			"(perf_event_paranoid is %s)",
			level);
		return lt_hint(err, "run leat as root or as that user");
	}
	return lt_hint(err,
		"sysctl kernel.perf_event_paranoid=1, or give leat CAP_PERFMON, "
		"or run it as root");
}

static bool is_software(const struct sys_perf_code *code)
{
	return code->type == PERF_TYPE_SOFTWARE || code->type == PERF_TYPE_TRACEPOINT;
}

int sys_perf_explain(int root_fd, const struct sys_perf_code *code, int error, struct lt_err *err)
{
	switch (error) {
	case -EACCES:
	case -EPERM:
		return explain_refusal(root_fd, error, err);
	case -ENOSYS:
		lt_err_set(err, error, "LT-PERF", "this kernel has no perf events");
		return lt_hint(err, "a kernel built with CONFIG_PERF_EVENTS");
	case -ENOENT:
	case -ENODEV:
	case -EOPNOTSUPP:
		if (!is_software(code) && !sys_pmu_present(root_fd)) {
			lt_err_set(err, error, "LT-PERF",
				"this machine has no PMU, or its hypervisor hides it");
			return lt_hint(err,
				"a bare-metal machine or a guest with a virtual PMU; "
				"--count counts instructions by emulation");
		}
		return lt_fail(err, error, "LT-PERF", "this machine cannot count this event");
	case -EMFILE:
		lt_err_set(err, error, "LT-PERF", "too many open files for one event per thread");
		return lt_hint(err, "raise the limit with 'ulimit -n'");
	case -ESRCH:
		return lt_fail(err, error, "LT-PERF", "the process has ended");
	case -ENODATA:
		lt_err_set(err, error, "LT-PERF", "the event was never on a counter");
		return lt_hint(err, "ask for fewer events at once");
	case -EINVAL:
		return lt_fail(err, error, "LT-PERF",
			"the kernel does not count this event with these modifiers");
	default:
		lt_err_set_sys(err, -error, "LT-PERF", "cannot count");
		return lt_neg(error);
	}
}
