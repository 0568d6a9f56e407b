/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the probe in the scheduler counted, added to what was seen. */
#include <string.h>

#include "run/evidence_ops.h"
#include "run/observed_polls.h"
#include "run/observed_procfs.h"

void observed_probe_snapshot(struct observed *o, int root_fd, const struct probe_snapshot *s)
{
	uint32_t i = observed_thread(o, (pid_t)s->tgid, (pid_t)s->key.tid);
	if (i == OBSERVED_NONE)
		return;
	if (evidence_call_has_fd(s->key.nr))
		observed_note_file(o, root_fd, (pid_t)s->tgid, (int)s->key.arg);
	struct sys_regs regs = { .known = SYS_REGS_ALL };
	if (sizeof(regs.r) != sizeof(s->regs) || !s->stack_len)
		return;
	memcpy(regs.r, s->regs, sizeof(regs.r));
	uint32_t stack = observed_keep_stack(o, i, &regs, s->stack, s->stack_len);
	if (stack == OBSERVED_NONE)
		return;
	o->stacks.at[stack].nr = s->key.nr;
	o->stacks.at[stack].arg = s->key.arg;
	o->stacks.at[stack].of_wait = true;
}

void observed_probe_thread(struct observed *o, const struct probe_thread *p)
{
	uint32_t i = observed_thread(o, (pid_t)p->tgid, (pid_t)p->tid);
	if (i == OBSERVED_NONE)
		return;
	struct observed_thread *t = &o->threads.at[i];
	t->counted = true;
	t->birth_ns = p->birth_ns;
	t->run_ns = p->run_ns;
	t->queue_ns = p->queue_ns;
	t->blocked_ns = p->blocked_ns;
	t->voluntary = p->voluntary;
	t->involuntary = p->involuntary;
	if (p->comm[0]) {
		memcpy(t->name, p->comm, OBSERVED_NAME);
		t->name[OBSERVED_NAME - 1] = '\0';
	}
}

void observed_probe_wait(
	struct observed *o, const struct probe_key *key, const struct probe_wait *w)
{
	uint32_t i = observed_find_thread(o, (pid_t)key->tid);
	struct observed_total *t =
		i == OBSERVED_NONE ? NULL : OBSERVED_ADD(o, totals, OBSERVED_NONE);
	if (!t)
		return;
	*t = (struct observed_total){
		.thread = i,
		.image = o->threads.at[i].image,
		.nr = key->nr,
		.arg = key->arg,
		.futex_op = key->futex_op,
		.ip = key->ip,
		.count = w->count,
		.total_ns = w->total_ns,
		.max_ns = w->max_ns,
		.timeout_ns = w->timeout_ns,
		.uninterruptible = key->uninterruptible,
	};
}

void observed_probe_cores(struct observed *o, const struct probe_cores *c, uint64_t end_ns)
{
	for (unsigned i = 0; i < PROBE_CPUS; i++)
		o->core_ns[i] = c->ns[i];
	/* What lives on is running, or nothing is: up to now. */
	uint64_t running = c->state >> PROBE_CORES_SHIFT;
	uint64_t more = (end_ns - c->state) & PROBE_CORES_TIME;
	if (running <= OBSERVED_CPUS && c->state)
		o->core_ns[running] += more;
	/* Who came late was missing in the count: that time had one core more. */
	for (unsigned i = PROBE_CPUS - 1; i-- > 0;) {
		uint64_t late = c->late_ns[i] < o->core_ns[i] ? c->late_ns[i] : o->core_ns[i];
		o->core_ns[i] -= late;
		o->core_ns[i + 1] += late;
	}
}
