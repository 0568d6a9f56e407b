/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The probe in the scheduler: whenever a thread of the program leaves a CPU it notes what
 * for, from the registers the thread entered the kernel with, and when it is back it books
 * the time. It is the only place leat asks anything of each event; nothing is sent but a few
 * stacks.
 * The kernel's types are declared here as far as they are used; the loader finds the members
 * where this kernel has them. */
#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "sys/probe_wire.h"

#define CORE __attribute__((preserve_access_index))

struct sched_info {
	unsigned long long run_delay;
} CORE;

struct sched_entity {
	__u64 sum_exec_runtime;
} CORE;

struct task_struct {
	unsigned int __state;
	int pid, tgid;
	char comm[PROBE_COMM];
	struct sched_info sched_info;
	struct sched_entity se;
} CORE;

struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax, ip;
	unsigned short cs;
	unsigned long flags, sp;
} CORE;

enum {
	UNINTERRUPTIBLE = 2, /* bits of task_struct.__state */
	DEAD = 0x80,
	USER_CS = 0x33, /* of 64-bit code */
	FUTEX_OPS = 0x7f,
	SNAPSHOT_AGAIN_NS = 20000000,
	CORES_TRIES = 64,
};

char LICENSE[] SEC("license") = "GPL";

const volatile unsigned char rules[PROBE_CALLS] = { 0 };
const volatile int launcher = 0;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, PROBE_THREADS);
	__type(key, __u32);
	__type(value, struct probe_thread);
} threads SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, PROBE_WAITS);
	__type(key, struct probe_key);
	__type(value, struct probe_wait);
} waits SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4 << 20);
} messages SEC(".maps");

/* Is a thread of the program on this CPU, as its last switch said? */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} ours_here SEC(".maps");

struct probe_cores cores;
struct probe_lost lost;

/* Another CPU may get in between: then it is tried again with what that one left. */
static void count_cores(__s64 change)
{
	for (int i = 0; i < CORES_TRIES; i++) {
		__u64 old = *(volatile __u64 *)&cores.state;
		__u64 now = bpf_ktime_get_ns() & PROBE_CORES_TIME;
		__u64 running = old >> PROBE_CORES_SHIFT, since = old & PROBE_CORES_TIME;
		__u64 new = (running + change) << PROBE_CORES_SHIFT | now;
		if (__sync_val_compare_and_swap(&cores.state, old, new) != old)
			continue;
		if (!since || running >= PROBE_CPUS)
			return;
		barrier_var(running); /* as in rule_of */
		__sync_fetch_and_add(
			&cores.ns[running & (PROBE_CPUS - 1)], (now - since) & PROBE_CORES_TIME);
		return;
	}
	__sync_fetch_and_add(&lost.cores, 1);
}

/* A thread of ours has this CPU from now on, or none has. */
static void note_cpu(__u32 ours)
{
	__u32 zero = 0;
	__u32 *before = bpf_map_lookup_elem(&ours_here, &zero);
	if (!before || *before == ours)
		return;
	*before = ours;
	count_cores(ours ? 1 : -1);
}

/* Kernels have been met that switch without telling: then a thread leaves a CPU that was not
 * known to be ours, and for as long as it ran there was one more than counted. */
static void note_late(struct probe_thread *t, struct task_struct *task, __u64 now)
{
	__u32 zero = 0;
	if (t->in_ns >= t->out_ns) /* it was seen to come, as nearly all are */
		return;
	__u32 *ours = bpf_map_lookup_elem(&ours_here, &zero);
	__u64 ran = task->se.sum_exec_runtime - t->exec_ns;
	__u64 running = *(volatile __u64 *)&cores.state >> PROBE_CORES_SHIFT;
	if (!ours || *ours || ran > now - t->out_ns || running >= PROBE_CPUS)
		return;
	barrier_var(running); /* as in rule_of */
	__sync_fetch_and_add(&cores.late_ns[running & (PROBE_CPUS - 1)], ran);
}

static __u64 queue_delay(struct task_struct *task)
{
	return bpf_core_field_exists(task->sched_info) ? task->sched_info.run_delay : 0;
}

static __u64 argument(struct pt_regs *regs, unsigned i)
{
	switch (i) {
	case 1:
		return regs->di;
	case 2:
		return regs->si;
	case 3:
		return regs->dx;
	case 4:
		return regs->r10;
	case 5:
		return regs->r8;
	default:
		return 0;
	}
}

/* How long the call is willing to wait; 0 = for ever, or it has no such argument. */
static __u64 patience(struct pt_regs *regs, unsigned rule)
{
	__s64 time[2];
	__u64 arg = argument(regs, (rule & PROBE_RULE_ARG) >> 4);
	if (!(rule & PROBE_RULE_UNIT))
		return 0;
	if ((rule & PROBE_RULE_UNIT) == PROBE_RULE_MS)
		return (__s32)arg > 0 ? (__u64)(__s32)arg * 1000000 : 0;
	if (!arg || bpf_probe_read_user(time, sizeof(time), (void *)arg) < 0)
		return 0;
	return (__u64)time[0] * 1000000000 +
		(__u64)time[1] * ((rule & PROBE_RULE_UNIT) == PROBE_RULE_TIMEVAL ? 1000 : 1);
}

static unsigned rule_of(__s32 nr)
{
	__u32 i = (__u32)nr;
	if (i >= PROBE_CALLS)
		return 0;
	barrier_var(i); /* keeps the mask, which is what the verifier understands */
	return rules[i & (PROBE_CALLS - 1)];
}

static void fill_key(struct probe_thread *t, struct pt_regs *regs, unsigned state)
{
	struct probe_key key = { .tid = t->tid, .ip = regs->ip };
	key.nr = regs->cs == USER_CS ? (__s32)regs->orig_ax : PROBE_OTHER_ABI;
	key.uninterruptible = !!(state & UNINTERRUPTIBLE);
	unsigned rule = rule_of(key.nr);
	if (rule & (PROBE_RULE_FD | PROBE_RULE_FUTEX))
		key.arg = rule & PROBE_RULE_FUTEX ? regs->di : (__u32)regs->di;
	if (rule & PROBE_RULE_FUTEX)
		key.futex_op = regs->si & FUTEX_OPS;
	t->timeout_ns = patience(regs, rule);
	t->pending = key;
}

static void copy_regs(__u64 *to, struct pt_regs *regs)
{
	to[0] = regs->ax;
	to[1] = regs->dx;
	to[2] = regs->cx;
	to[3] = regs->bx;
	to[4] = regs->si;
	to[5] = regs->di;
	to[6] = regs->bp;
	to[7] = regs->sp;
	to[8] = regs->r8;
	to[9] = regs->r9;
	to[10] = regs->r10;
	to[11] = regs->r11;
	to[12] = regs->r12;
	to[13] = regs->r13;
	to[14] = regs->r14;
	to[15] = regs->r15;
	to[16] = regs->ip;
}

static void take_snapshot(struct probe_thread *t, struct pt_regs *regs)
{
	struct probe_snapshot *s = bpf_ringbuf_reserve(&messages, sizeof(*s), 0);
	if (!s) {
		__sync_fetch_and_add(&lost.snapshots, 1);
		return;
	}
	s->message = PROBE_SNAPSHOT;
	s->tgid = t->tgid;
	s->key = t->pending;
	copy_regs(s->regs, regs);
	/* Near its upper end, reading more than there is would fail as a whole. */
	void *sp = (void *)regs->sp;
	s->stack_len = 0;
	if (bpf_probe_read_user(s->stack, PROBE_STACK, sp) == 0)
		s->stack_len = PROBE_STACK;
	else if (bpf_probe_read_user(s->stack, PROBE_STACK / 4, sp) == 0)
		s->stack_len = PROBE_STACK / 4;
	else if (bpf_probe_read_user(s->stack, PROBE_STACK / 16, sp) == 0)
		s->stack_len = PROBE_STACK / 16;
	bpf_ringbuf_submit(s, BPF_RB_NO_WAKEUP);
}

/* The wait's line in the map. */
static struct probe_wait *wait_of(struct probe_key *key)
{
	static const struct probe_wait none;
	struct probe_wait *w = bpf_map_lookup_elem(&waits, key);
	if (w)
		return w;
	if (bpf_map_update_elem(&waits, key, &none, BPF_NOEXIST) < 0)
		__sync_fetch_and_add(&lost.waits, 1);
	return bpf_map_lookup_elem(&waits, key);
}

/* The thread has been away and came back: for how long, and what for. Only its own CPU
 * works on its lines, so they need no lock. */
static void book(struct probe_thread *t, __u64 delay_ns)
{
	if (!t->out_ns || t->in_ns < t->out_ns)
		return;
	__u64 off = t->in_ns - t->out_ns, queued = delay_ns - t->delay_ns;
	if (t->is_waiting != PROBE_WAITS_BLOCKED)
		queued = off;
	else if (queued > off)
		queued = 0;
	t->queue_ns += queued;
	t->blocked_ns += off - queued;
	if (!t->is_waiting)
		return;
	if (t->is_waiting == PROBE_WAITS_RUNNABLE)
		queued = 0; /* its line says how long it stayed away */
	struct probe_wait *w = wait_of(&t->pending);
	if (!w)
		return;
	w->count++;
	w->total_ns += off - queued;
	if (w->max_ns < off - queued)
		w->max_ns = off - queued;
	w->timeout_ns = t->timeout_ns;
}

static void end_thread(struct probe_thread *t, struct task_struct *task)
{
	__u32 tid = t->tid;
	struct probe_thread_end *end = bpf_ringbuf_reserve(&messages, sizeof(*end), 0);
	if (end) {
		end->message = PROBE_THREAD_END;
		end->thread = *t;
		bpf_probe_read_kernel_str(end->thread.comm, PROBE_COMM, task->comm);
		bpf_ringbuf_submit(end, BPF_RB_NO_WAKEUP);
	} else {
		__sync_fetch_and_add(&lost.threads, 1);
	}
	bpf_map_delete_elem(&threads, &tid);
}

static void leave(struct probe_thread *t, struct task_struct *task, int preempted, __u64 now)
{
	unsigned state = task->__state;
	__u64 delay = queue_delay(task), exec = task->se.sum_exec_runtime;
	/* As in note_late: it is back without having been seen to come. */
	if (t->in_ns < t->out_ns)
		t->in_ns = now - (exec - t->exec_ns);
	t->run_ns += now - t->in_ns;
	book(t, delay);
	t->exec_ns = exec;
	t->out_ns = now;
	t->delay_ns = delay;
	if (state & DEAD) {
		end_thread(t, task);
		return;
	}
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	if (!preempted && state) {
		t->voluntary++;
		t->is_waiting = PROBE_WAITS_BLOCKED;
	} else {
		t->involuntary++;
		int yields = !preempted && regs->cs == USER_CS &&
			(rule_of((__s32)regs->orig_ax) & PROBE_RULE_YIELD);
		t->is_waiting = yields ? PROBE_WAITS_RUNNABLE : 0;
	}
	if (!t->is_waiting)
		return;
	fill_key(t, regs, state);
	struct probe_wait *w = wait_of(&t->pending);
	if (w && w->total_ns >= w->snapshot_ns) {
		w->snapshot_ns = w->total_ns + SNAPSHOT_AGAIN_NS + w->total_ns / 16;
		take_snapshot(t, regs);
	}
}

static int on_switch(struct task_struct *prev, __u32 next_tid, int preempted)
{
	__u32 tid = prev->pid;
	struct probe_thread *t = bpf_map_lookup_elem(&threads, &tid);
	struct probe_thread *next = bpf_map_lookup_elem(&threads, &next_tid);
	/* One question after the other: the verifier wants no arithmetic on pointers, which
	 * the compiler makes of questions about both. */
	__u64 now = bpf_ktime_get_ns();
	__u32 ours = 0;
	if (next) {
		next->in_ns = now;
		ours = 1;
	}
	if (t)
		note_late(t, prev, now);
	note_cpu(ours);
	if (t)
		leave(t, prev, preempted, now);
	return 0;
}

static int on_fork(__u32 maker, __u32 tid, __u32 tgid)
{
	if (maker != (__u32)launcher && !bpf_map_lookup_elem(&threads, &maker))
		return 0;
	struct probe_thread t = { .tid = tid, .tgid = tgid };
	t.birth_ns = t.out_ns = bpf_ktime_get_ns();
	if (bpf_map_update_elem(&threads, &tid, &t, BPF_ANY) < 0)
		__sync_fetch_and_add(&lost.threads, 1);
	return 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(switch_typed, int preempted, struct task_struct *prev, struct task_struct *next)
{
	return on_switch(prev, next->pid, preempted);
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(fork_typed, struct task_struct *parent, struct task_struct *child)
{
	return on_fork(parent->pid, child->pid, child->tgid);
}

/* The same for kernels that refuse typed arguments. */
SEC("raw_tp/sched_switch")
int BPF_PROG(switch_raw, int preempted, struct task_struct *prev, struct task_struct *next)
{
	return on_switch(bpf_get_current_task_btf(), BPF_CORE_READ(next, pid), preempted);
}

SEC("raw_tp/sched_process_fork")
int BPF_PROG(fork_raw, struct task_struct *parent, struct task_struct *child)
{
	return on_fork(
		BPF_CORE_READ(parent, pid), BPF_CORE_READ(child, pid), BPF_CORE_READ(child, tgid));
}
