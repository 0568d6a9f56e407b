/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loading the probe and reading its maps, by libbpf. */
#include "sys/probe.h"

#include <string.h>

#include "base/clock.h"

#if defined(__x86_64__)
#include <bpf/bpf.h>

#include "sys/probe.skel.h"

struct sys_probe {
	struct probe *skel;
	struct ring_buffer *ring;
	const struct sys_probe_handlers *on; /* while draining */
};

static int explain(int error, struct lt_err *err)
{
	switch (error) {
	case -EPERM:
		lt_err_set(err, error, "LT-PROBE",
			"the kernel takes probes only from root, or with CAP_BPF and CAP_PERFMON");
		return lt_hint(err, "run leat as root, or give it both capabilities");
	case -ENOENT:
	case -ESRCH:
		lt_err_set(err, error, "LT-PROBE",
			"this kernel tells no types (/sys/kernel/btf/vmlinux) or lacks what the "
			"probe needs");
		return lt_hint(err, "a kernel of 5.15 or later with CONFIG_DEBUG_INFO_BTF");
	case -EACCES:
	case -EINVAL:
		return lt_fail(
			err, error, "LT-PROBE", "this kernel's verifier does not accept the probe");
	case -ENOSYS:
		return lt_fail(err, error, "LT-PROBE", "this kernel has no BPF");
	default:
		lt_err_set_sys(err, -error, "LT-PROBE", "the kernel refused the probe");
		return lt_neg(error);
	}
}

static int quiet(enum libbpf_print_level level, const char *fmt, va_list args)
{
	(void)level, (void)fmt, (void)args;
	return 0;
}

/* Typed arguments, or for kernels that refuse them raw ones. */
static int load(struct sys_probe *p, pid_t launcher, const uint8_t *rules, bool typed)
{
	p->skel = probe__open();
	if (!p->skel)
		return -errno;
	p->skel->rodata->launcher = launcher;
	memcpy((void *)p->skel->rodata->rules, rules, PROBE_CALLS);
	bpf_program__set_autoload(p->skel->progs.switch_typed, typed);
	bpf_program__set_autoload(p->skel->progs.fork_typed, typed);
	bpf_program__set_autoload(p->skel->progs.switch_raw, !typed);
	bpf_program__set_autoload(p->skel->progs.fork_raw, !typed);
	int r = probe__load(p->skel);
	if (r == 0)
		r = probe__attach(p->skel);
	if (r < 0) {
		probe__destroy(p->skel);
		p->skel = NULL;
	}
	return r;
}

static int hear(void *ctx, void *data, size_t size)
{
	const struct sys_probe *p = ctx;
	__u32 message;
	memcpy(&message, data, sizeof(message));
	if (message == PROBE_SNAPSHOT && size >= sizeof(struct probe_snapshot))
		p->on->snapshot(p->on->ctx, data);
	else if (message == PROBE_THREAD_END && size >= sizeof(struct probe_thread_end))
		p->on->thread(p->on->ctx, &((const struct probe_thread_end *)data)->thread);
	return 0;
}

int sys_probe_open(struct sys_probe **ret, pid_t launcher, const uint8_t rules[PROBE_CALLS],
	struct lt_err *err)
{
	struct sys_probe *p = calloc(1, sizeof(*p));
	if (!p)
		return lt_fail_mem(err);
	libbpf_set_print(quiet);
	int r = load(p, launcher, rules, true);
	if (r < 0 && r != -EPERM)
		r = load(p, launcher, rules, false);
	if (r == 0) {
		p->ring = ring_buffer__new(bpf_map__fd(p->skel->maps.messages), hear, p, NULL);
		r = p->ring ? 0 : -errno;
	}
	if (r < 0) {
		sys_probe_close(p);
		return explain(r, err);
	}
	*ret = p;
	return 0;
}

void sys_probe_close(struct sys_probe *p)
{
	if (!p)
		return;
	ring_buffer__free(p->ring);
	probe__destroy(p->skel);
	free(p);
}

void sys_probe_drain(struct sys_probe *p, const struct sys_probe_handlers *on)
{
	p->on = on;
	ring_buffer__consume(p->ring);
	p->on = NULL;
}

/* A thread that lives on: its slice or its wait up to now, which it may have begun since. */
static void settle(struct sys_probe *p, struct probe_thread *t, uint64_t now)
{
	int waits = bpf_map__fd(p->skel->maps.waits);
	bool on_cpu = t->in_ns > t->out_ns;
	uint64_t since = on_cpu ? t->in_ns : t->out_ns, ns = now > since ? now - since : 0;
	if (on_cpu)
		t->run_ns += ns;
	else if (t->is_waiting && t->is_waiting != PROBE_WAITS_RUNNABLE)
		t->blocked_ns += ns;
	else
		t->queue_ns += ns;
	struct probe_wait w;
	if (on_cpu || !t->is_waiting || bpf_map_lookup_elem(waits, &t->pending, &w) < 0)
		return;
	w.count++;
	w.total_ns += ns;
	w.max_ns = w.max_ns < ns ? ns : w.max_ns;
	w.timeout_ns = t->timeout_ns;
	bpf_map_update_elem(waits, &t->pending, &w, BPF_ANY);
}

void sys_probe_finish(struct sys_probe *p, const struct sys_probe_handlers *on)
{
	uint64_t now = (uint64_t)lt_now_ns();
	int threads = bpf_map__fd(p->skel->maps.threads);
	int waits = bpf_map__fd(p->skel->maps.waits);
	probe__detach(p->skel);
	sys_probe_drain(p, on);
	__u32 tid, *prev = NULL;
	while (bpf_map_get_next_key(threads, prev, &tid) == 0) {
		struct probe_thread t;
		if (bpf_map_lookup_elem(threads, &tid, &t) == 0) {
			settle(p, &t, now);
			on->thread(on->ctx, &t);
		}
		prev = &tid;
	}
	struct probe_key key, *before = NULL;
	while (bpf_map_get_next_key(waits, before, &key) == 0) {
		struct probe_wait w;
		if (bpf_map_lookup_elem(waits, &key, &w) == 0 && w.count)
			on->wait(on->ctx, &key, &w);
		before = &key;
	}
}

const struct probe_cores *sys_probe_cores(const struct sys_probe *p)
{
	return &p->skel->bss->cores;
}

const struct probe_lost *sys_probe_lost(const struct sys_probe *p)
{
	return &p->skel->bss->lost;
}
#else
struct sys_probe {
	struct probe_cores cores;
	struct probe_lost lost;
};

int sys_probe_open(struct sys_probe **ret, pid_t launcher, const uint8_t rules[PROBE_CALLS],
	struct lt_err *err)
{
	(void)ret, (void)launcher, (void)rules;
	return lt_fail(err, -ENOTSUP, "LT-PROBE", "the probe is for x86-64 only");
}

void sys_probe_close(struct sys_probe *p)
{
	free(p);
}

void sys_probe_drain(struct sys_probe *p, const struct sys_probe_handlers *on)
{
	(void)p, (void)on;
}

void sys_probe_finish(struct sys_probe *p, const struct sys_probe_handlers *on)
{
	(void)p, (void)on;
}

const struct probe_cores *sys_probe_cores(const struct sys_probe *p)
{
	return &p->cores;
}

const struct probe_lost *sys_probe_lost(const struct sys_probe *p)
{
	return &p->lost;
}
#endif
