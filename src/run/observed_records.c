/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Perf's records, one by one in the order of time, as the program runs: whatever needs the
 * record before or the threads of this moment is worked out here. */
#include <string.h>

#include "run/observed.h"

enum {
	LOOP_BYTES = 64, /* how far apart two places in one loop of a few instructions are */
};

static void count_cores(struct observed *o, uint64_t now)
{
	if (o->running_since_ns && now > o->running_since_ns)
		o->core_ns[o->running] += now - o->running_since_ns;
	if (!o->running_since_ns || now > o->running_since_ns)
		o->running_since_ns = now;
}

static void leave_cpu(struct observed *o, uint32_t cpu)
{
	if (cpu < OBSERVED_CPUS && o->on_cpu[cpu]) {
		o->on_cpu[cpu] = 0;
		o->running--;
	}
}

static void end_wait(struct observed *o, struct observed_thread *t, uint64_t len_ns)
{
	if (t->wait != OBSERVED_NONE)
		o->waits.at[t->wait].len_ns = len_ns;
	t->wait = OBSERVED_NONE;
}

static void got_cpu(struct observed *o, uint32_t i, const struct sys_record *rec)
{
	struct observed_thread *t = &o->threads.at[i];
	count_cores(o, rec->time_ns);
	if (rec->cpu < OBSERVED_CPUS) {
		leave_cpu(o, rec->cpu);
		if (t->running) /* a record was lost: it is here now, and only here */
			leave_cpu(o, t->cpu);
		o->on_cpu[rec->cpu] = i + 1;
		o->running++;
	}
	uint64_t off = t->since_ns && rec->time_ns > t->since_ns ? rec->time_ns - t->since_ns : 0;
	if (t->counted && t->running) { /* how it left was not told */
		t->run_ns += off;
	} else if (t->counted) {
		if (t->preempted)
			t->queue_ns += off;
		else
			t->blocked_ns += off;
	}
	end_wait(o, t, t->running ? 0 : off);
	t->counted = t->running = true;
	t->cpu = rec->cpu;
	t->since_ns = rec->time_ns;
}

static void left_cpu(struct observed *o, struct observed_thread *t, const struct sys_record *rec)
{
	if (t->running && rec->time_ns > t->since_ns)
		t->run_ns += rec->time_ns - t->since_ns;
	count_cores(o, rec->time_ns);
	leave_cpu(o, t->running ? t->cpu : rec->cpu);
	t->running = false;
	t->counted = true;
	t->preempted = rec->preempted;
	t->since_ns = rec->time_ns;
	if (rec->kind == SYS_RECORD_OUT && rec->preempted)
		t->involuntary++;
	else if (rec->kind == SYS_RECORD_OUT)
		t->voluntary++;
}

static uint32_t new_image(struct observed *o, pid_t pid, const char *name)
{
	uint32_t i = (uint32_t)o->images.n;
	struct observed_image *img = OBSERVED_ADD(o, images, OBSERVED_IMAGES);
	if (!img)
		return OBSERVED_NONE;
	img->pid = pid;
	observed_set_name(img->name, name);
	return i;
}

static void named(struct observed *o, const struct sys_record *rec)
{
	uint32_t process = observed_process(o, rec->pid);
	uint32_t i = observed_thread(o, rec->pid, rec->tid);
	if (process == OBSERVED_NONE || i == OBSERVED_NONE)
		return;
	struct observed_thread *t = &o->threads.at[i];
	if (rec->exec) {
		struct observed_process *p = &o->processes.at[process];
		p->image = new_image(o, rec->pid, rec->text);
		p->forked = false;
		observed_set_name(p->name, rec->text);
		observed_set_name(t->process, rec->text);
		t->image = p->image;
		t->forked = false;
		if (!t->counted && o->switches) { /* it is running, or could not call exec */
			t->birth_ns = rec->time_ns;
			got_cpu(o, i, rec);
		}
	}
	observed_set_name(t->name, rec->text);
}

static void born(struct observed *o, const struct sys_record *rec)
{
	if (rec->pid != rec->parent) { /* a process, with its parent's address space */
		uint32_t parent = observed_find_process(o, rec->parent);
		uint32_t child = observed_process(o, rec->pid);
		if (parent == OBSERVED_NONE || child == OBSERVED_NONE)
			return;
		struct observed_process *p = &o->processes.at[child];
		p->image = o->processes.at[parent].image;
		p->dead = false;
		p->forked = true;
		observed_set_name(p->name, o->processes.at[parent].name);
	}
	/* On another CPU it may have been seen running before the news of its birth. */
	uint32_t i = observed_find_thread(o, rec->tid);
	if (i == OBSERVED_NONE || o->threads.at[i].birth_ns)
		i = observed_new_thread(o, rec->pid, rec->tid);
	uint32_t maker = observed_find_thread(o, rec->creator);
	if (i == OBSERVED_NONE)
		return;
	o->threads.at[i].birth_ns = rec->time_ns;
	if (maker != OBSERVED_NONE) /* threads are called as their makers until they say else */
		memcpy(o->threads.at[i].name, o->threads.at[maker].name, OBSERVED_NAME);
}

static void died(struct observed *o, const struct sys_record *rec)
{
	uint32_t i = observed_find_thread(o, rec->tid);
	uint32_t process = observed_find_process(o, rec->pid);
	if (process != OBSERVED_NONE && rec->pid == rec->tid)
		o->processes.at[process].dead = true;
	if (i == OBSERVED_NONE)
		return;
	struct observed_thread *t = &o->threads.at[i];
	if (!t->death_ns && o->alive)
		o->alive--;
	t->death_ns = rec->time_ns;
	if (t->running) /* its last switch is not told any more */
		left_cpu(o, t, rec);
	end_wait(o, t, 0);
}

static void mapped(struct observed *o, const struct sys_record *rec)
{
	uint32_t process = observed_find_process(o, rec->pid);
	uint32_t i = process == OBSERVED_NONE ? OBSERVED_NONE : o->processes.at[process].image;
	if (i == OBSERVED_NONE || (rec->text[0] != '/' && strcmp(rec->text, "[vdso]") != 0))
		return;
	struct observed_image *img = &o->images.at[i];
	struct observed_map *map = observed_grow(
		o, (void *)&img->maps.at, &img->maps.n, &img->maps.cap, sizeof(*map), 4096);
	if (map)
		*map = (struct observed_map){ rec->addr, rec->len, rec->file_off,
			lt_arena_strdup(&o->arena, rec->text) };
}

/* In a loop of a few instructions in which nothing moves but what it waits for. */
static bool is_frozen(const struct observed_thread *t, const struct sys_record *rec)
{
	const struct sys_regs *a = &t->last, *b = &rec->regs;
	if (!a->known || a->known != b->known)
		return false;
	uint64_t ip = a->r[SYS_REG_IP], now = b->r[SYS_REG_IP];
	if ((ip > now ? ip - now : now - ip) > LOOP_BYTES)
		return false;
	unsigned changed = 0;
	for (unsigned i = 0; i < SYS_REGS; i++)
		changed += i != SYS_REG_IP && a->r[i] != b->r[i];
	return changed == 0;
}

/* Was nothing else of the program running? By switch records that is known; else whoever
 * runs is sampled once a period, on each CPU at times of its own. */
static bool is_alone(struct observed *o, const struct sys_record *rec)
{
	if (o->switches)
		return o->running <= 1;
	if (rec->cpu >= OBSERVED_CPUS)
		return false;
	bool alone = true;
	uint64_t near = o->period_ns * 6 / 10;
	if (o->cpus_seen <= rec->cpu)
		o->cpus_seen = rec->cpu + 1;
	for (unsigned c = 0; c < o->cpus_seen; c++) {
		if (c == rec->cpu || !o->sampled_ns[c] || rec->time_ns > o->sampled_ns[c] + near)
			continue;
		alone = false;
		if (o->sampled[c] && o->sampled[c] <= o->samples.n)
			o->samples.at[o->sampled[c] - 1].alone = false;
	}
	o->sampled_ns[rec->cpu] = rec->time_ns;
	o->sampled[rec->cpu] = 0;
	return alone;
}

/* There are too many: every second one goes, and those that stay stand for two. */
static void thin_out(struct observed *o)
{
	size_t n = 0;
	for (size_t i = 0; i < o->samples.n; i += 2) {
		o->samples.at[n] = o->samples.at[i];
		o->samples.at[n++].weight *= 2;
	}
	o->samples.n = n;
	o->stride *= 2;
	memset(o->sampled, 0, sizeof(o->sampled));
}

static uint32_t keep_stack(
	struct observed *o, uint32_t i, const struct sys_record *rec, uint64_t kind)
{
	struct observed_thread *t = &o->threads.at[i];
	uint64_t place = lt_u64map_mix(kind + t->image, rec->regs.r[SYS_REG_IP]);
	place = lt_u64map_mix(place, observed_depth(&rec->regs));
	bool first = t->stacks < 2; /* to see where the thread began */
	if (!rec->stack_len || !rec->regs.known || !(observed_wants_stack(o, place) || first))
		return OBSERVED_NONE;
	t->stacks++;
	return observed_keep_stack(o, i, &rec->regs, rec->stack, rec->stack_len);
}

static void sampled(struct observed *o, const struct sys_record *rec)
{
	if (o->wide && observed_find_process(o, rec->pid) == OBSERVED_NONE)
		return; /* another program's */
	uint32_t i = observed_thread(o, rec->pid, rec->tid);
	if (i == OBSERVED_NONE)
		return;
	struct observed_thread *t = &o->threads.at[i];
	bool frozen = is_frozen(t, rec), alone = is_alone(o, rec);
	t->last = rec->regs;
	t->last_ns = rec->time_ns;
	if (++o->skipped < o->stride)
		return;
	o->skipped = 0;
	if (o->samples.n == OBSERVED_SAMPLES)
		thin_out(o);
	struct observed_sample *s = OBSERVED_ADD(o, samples, OBSERVED_SAMPLES);
	if (!s)
		return;
	*s = (struct observed_sample){
		.thread = i,
		.image = t->image,
		.weight = (float)o->stride,
		.in_kernel = rec->in_kernel,
		.frozen = frozen && !rec->in_kernel,
		.alone = alone,
		.regs = rec->regs,
	};
	s->stack = keep_stack(o, i, rec, 0);
	if (!o->switches && rec->cpu < OBSERVED_CPUS)
		o->sampled[rec->cpu] = (uint32_t)o->samples.n;
}

static void faulted(struct observed *o, const struct sys_record *rec)
{
	uint32_t i = observed_thread(o, rec->pid, rec->tid);
	struct observed_fault *f =
		i == OBSERVED_NONE ? NULL : OBSERVED_ADD(o, faults, OBSERVED_FAULTS);
	if (!f)
		return;
	struct observed_thread *t = &o->threads.at[i];
	*f = (struct observed_fault){
		.thread = i,
		.image = t->image,
		.weight = (double)rec->count,
		.ip = rec->ip,
		.addr = rec->addr,
	};
	f->stack = keep_stack(o, i, rec, UINT64_C(1) << 40);
}

void observed_record(void *observed, const struct sys_record *rec)
{
	struct observed *o = observed;
	uint32_t i;
	switch (rec->kind) {
	case SYS_RECORD_CLOCK:
		sampled(o, rec);
		return;
	case SYS_RECORD_FAULT:
		faulted(o, rec);
		return;
	case SYS_RECORD_IN:
		i = observed_thread(o, rec->pid, rec->tid);
		if (i != OBSERVED_NONE)
			got_cpu(o, i, rec);
		return;
	case SYS_RECORD_OUT:
		i = observed_thread(o, rec->pid, rec->tid);
		if (i != OBSERVED_NONE)
			left_cpu(o, &o->threads.at[i], rec);
		return;
	case SYS_RECORD_MAP:
		mapped(o, rec);
		return;
	case SYS_RECORD_NAME:
		named(o, rec);
		return;
	case SYS_RECORD_BIRTH:
		born(o, rec);
		return;
	case SYS_RECORD_DEATH:
		died(o, rec);
		return;
	case SYS_RECORD_LOST:
		o->lost += (double)rec->count;
		return;
	case SYS_RECORD_SLOWED:
		o->slowed++;
		return;
	}
}
