/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples of the clock and of page faults, by group, operation and call site. */
#include <stdlib.h>
#include <string.h>

#include "run/evidence_inside.h"
#include "run/evidence_ops.h"
#include "sys/syscalls.h"

enum {
	NR_NONE = -1,
	NR_UNKNOWN = -2,
};

struct row {
	struct evidence_sample s;
	long nr;
};

struct rows {
	OBSERVED_LIST(struct row) list;
	struct lt_u64map of;
};

static struct row *row_of(struct reduce *r, struct rows *rows, const struct row *like)
{
	uint64_t key = lt_u64map_mix(like->s.group, like->s.op);
	key = lt_u64map_mix(key, (uint64_t)like->nr);
	key = lt_u64map_mix(key, (uint64_t)like->s.site);
	return REDUCE_FIND(r, &rows->list, &rows->of, key, like);
}

/* The operation the kernel worked at, or that has just been left. */
static void name_work(
	const struct observed_sample *s, const struct reduce_place *p, struct row *ret)
{
	ret->s.op = EVIDENCE_OP_USER;
	ret->nr = NR_NONE;
#if defined(__x86_64__)
	/* The instruction leaves its own address in cx. */
	bool behind = p && p->decoded && p->insn.behind_syscall &&
		s->regs.r[SYS_REG_CX] == s->regs.r[SYS_REG_IP];
	unsigned futex = (unsigned)s->regs.r[SYS_REG_SI] & 0x7f;
	if (behind)
		ret->nr = p->insn.syscall >= 0 ? p->insn.syscall : NR_UNKNOWN;
	if (s->in_kernel && behind)
		ret->s.op = ret->nr >= 0 ? evidence_op_of_work(ret->nr, futex) : EVIDENCE_OP_OTHER;
	else if (s->in_kernel && p && p->decoded)
		ret->s.op = EVIDENCE_OP_FAULT;
	else if (s->in_kernel)
		ret->s.op = EVIDENCE_OP_KERNEL;
#else
	(void)p;
	if (s->in_kernel)
		ret->s.op = EVIDENCE_OP_KERNEL;
#endif
	ret->s.syscall = sys_syscall_name(ret->nr);
}

static bool is_locked(const struct observed_sample *s, const struct reduce_place *p)
{
	struct sys_access a;
	const struct sys_code *c = &p->code;
	const struct sys_insn_place *in = &p->insn;
	if (sys_insn_access(c->bytes, c->len, in->at, p->ip, &s->regs, &a) && a.locked)
		return true;
	return in->n_before && sys_insn_is_locked(c->bytes, c->len, in->before[0]);
}

static bool is_fresh(
	const struct reduce *r, const struct observed_sample *s, const struct reduce_place *p)
{
	struct sys_access a;
	return r->pages.n && reduce_access(s, p, &a) && reduce_is_fresh(r, s->thread, a.addr);
}

static void add_sample(struct reduce *r, struct rows *rows, const struct observed_sample *s,
	const struct reduce_place *p, int site, double share)
{
	struct row like = { .s = { .group = r->o->threads.at[s->thread].group, .site = site } };
	name_work(s, p, &like);
	struct row *row = row_of(r, rows, &like);
	if (!row)
		return;
	double n = s->weight * share, ns = n * (double)r->o->period_ns;
	row->s.n += n;
	row->s.ns += ns;
	row->s.alone_ns += s->alone ? ns : 0;
	if (s->in_kernel || !p || !p->decoded)
		return;
	bool loop = p->insn.in_loop && !p->insn.stores;
	row->s.frozen_ns += s->frozen && loop ? ns : 0;
	row->s.pause_ns += p->insn.in_loop && (p->insn.pauses || p->insn.idles) ? ns : 0;
	row->s.locked_ns += is_locked(s, p) ? ns : 0;
	row->s.entry_ns += like.nr != NR_NONE ? ns : 0;
	row->s.fresh_ns += is_fresh(r, s, p) ? ns : 0;
}

/* Spreads a sample over the stacks that other samples of its place have; only over those as
 * deep as itself, if asked. Returns over how many. */
static size_t spread_sample(struct reduce *r, struct rows *rows, const struct observed_sample *s,
	const struct reduce_place *p, bool as_deep)
{
	uint64_t depth = observed_depth(&s->regs);
	size_t n = 0;
	for (size_t k = 0; k < p->stacks.n; k++)
		n += !as_deep || observed_depth(&r->o->stacks.at[p->stacks.at[k]].regs) == depth;
	for (size_t k = 0; n && k < p->stacks.n; k++)
		if (!as_deep || observed_depth(&r->o->stacks.at[p->stacks.at[k]].regs) == depth)
			add_sample(r, rows, s, p, reduce_site_of_stack(r, p->stacks.at[k]),
				1 / (double)n);
	return n;
}

/* A sample belongs to who called: as its own stack tells, or as those of other samples of the
 * same place do. */
static void place_sample(struct reduce *r, struct rows *rows, const struct observed_sample *s)
{
	uint32_t i = reduce_place(r, s->image, s->regs.r[SYS_REG_IP]);
	if (i == OBSERVED_NONE || !s->regs.known) {
		add_sample(r, rows, s, NULL, -1, 1);
		return;
	}
	struct reduce_place *p = &r->places.at[i];
	if (s->stack != OBSERVED_NONE && reduce_site_of_stack(r, s->stack) >= 0) {
		add_sample(r, rows, s, p, reduce_site_of_stack(r, s->stack), 1);
		return;
	}
	if (spread_sample(r, rows, s, p, true))
		return;
	if (!p->wrapper || !spread_sample(r, rows, s, p, false))
		add_sample(r, rows, s, p, reduce_site_of_place(r, i), 1);
}

/* Which stacks there are of each place. */
static void note_stacks(struct reduce *r)
{
	for (size_t k = 0; k < r->o->samples.n; k++) {
		const struct observed_sample *s = &r->o->samples.at[k];
		if (s->stack == OBSERVED_NONE)
			continue;
		uint32_t i = reduce_place(r, s->image, s->regs.r[SYS_REG_IP]);
		if (i == OBSERVED_NONE)
			continue;
		struct reduce_place *p = &r->places.at[i];
		uint32_t *at = observed_grow(r->o, (void *)&p->stacks.at, &p->stacks.n,
			&p->stacks.cap, sizeof(*at), OBSERVED_NONE);
		if (at)
			*at = s->stack;
	}
}

static int by_time(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	return (x->s.ns < y->s.ns) - (x->s.ns > y->s.ns);
}

void reduce_samples(struct reduce *r)
{
	struct rows rows = { 0 };
	note_stacks(r);
	for (size_t i = 0; i < r->o->samples.n; i++)
		place_sample(r, &rows, &r->o->samples.at[i]);
	if (rows.list.n)
		qsort(rows.list.at, rows.list.n, sizeof(*rows.list.at), by_time);
	size_t n = rows.list.n < REDUCE_ROWS ? rows.list.n : REDUCE_ROWS;
	r->e->samples = lt_arena_alloc(r->arena, (n + 1) * sizeof(*r->e->samples));
	if (r->e->samples) {
		for (size_t i = 0; i < n; i++)
			r->e->samples[i] = rows.list.at[i].s;
		r->e->n_samples = n;
	} else {
		r->failed = true;
	}
	free(rows.list.at);
	lt_u64map_done(&rows.of);
}

static int by_number(const void *a, const void *b)
{
	const struct evidence_fault *x = a, *y = b;
	return (x->n < y->n) - (x->n > y->n);
}

static int site_of_fault(struct reduce *r, const struct observed_fault *f)
{
	if (f->stack != OBSERVED_NONE)
		return reduce_site_of_stack(r, f->stack);
	uint32_t i = reduce_place(r, f->image, f->ip);
	return i == OBSERVED_NONE ? -1 : reduce_site_of_place(r, i);
}

void reduce_faults(struct reduce *r)
{
	struct evidence_fault *rows = lt_arena_alloc(r->arena, REDUCE_ROWS * sizeof(*rows));
	size_t n = 0;
	if (!rows) {
		r->failed = true;
		return;
	}
	for (size_t k = 0; k < r->o->faults.n; k++) {
		const struct observed_fault *f = &r->o->faults.at[k];
		unsigned group = r->o->threads.at[f->thread].group;
		int site = site_of_fault(r, f);
		size_t i = 0;
		while (i < n && (rows[i].group != group || rows[i].site != site))
			i++;
		if (i == n && n == REDUCE_ROWS)
			continue;
		if (i == n)
			rows[n++] = (struct evidence_fault){ .group = group, .site = site };
		rows[i].n += f->weight;
	}
	qsort(rows, n, sizeof(*rows), by_number);
	r->e->faults = rows;
	r->e->n_faults = n;
}
