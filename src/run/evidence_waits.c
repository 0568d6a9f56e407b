/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time off the CPU by group, operation, key and call site: as the probe counted it, or as
 * polling found it. Either way a wait is placed by the stacks that were taken of its like. */
#include <stdlib.h>
#include <string.h>

#include "run/evidence_inside.h"
#include "run/evidence_ops.h"
#include "sys/syscalls.h"

struct rows {
	OBSERVED_LIST(struct evidence_wait) list;
	struct lt_u64map of;
	struct lt_u64map threads; /* of each row: who was counted */
};

/* A wait on its way to a row: from the probe or from polls. */
struct portion {
	uint32_t thread, image;
	long nr;
	uint64_t arg, ip;
	unsigned futex_op;
	bool uninterruptible, timed;
	double count, total_ns, max_ns;
};

/* Which stacks show waits of one call at one place on one key, and of the place alone. */
struct kind {
	OBSERVED_LIST(uint32_t) stacks;
};

struct book {
	OBSERVED_LIST(struct kind) kinds;
	struct lt_u64map exact, near; /* to index of kinds */
	struct rows rows;
};

static uint64_t place_key(uint32_t image, long nr, uint64_t ip)
{
	return lt_u64map_mix(lt_u64map_mix(image, (uint64_t)nr), ip);
}

static void note_kind(
	struct reduce *r, struct book *b, struct lt_u64map *map, uint64_t key, uint32_t stack)
{
	struct kind *a = REDUCE_FIND(r, &b->kinds, map, key, NULL);
	if (!a)
		return;
	uint32_t *at = observed_grow(
		r->o, (void *)&a->stacks.at, &a->stacks.n, &a->stacks.cap, sizeof(*at), 4096);
	if (at)
		*at = stack;
}

static void note_stacks(struct reduce *r, struct book *b)
{
	for (uint32_t i = 0; i < r->o->stacks.n; i++) {
		const struct observed_stack *s = &r->o->stacks.at[i];
		if (!s->of_wait)
			continue;
		uint64_t near = place_key(s->image, s->nr, s->regs.r[SYS_REG_IP]);
		note_kind(r, b, &b->near, near, i);
		note_kind(r, b, &b->exact, lt_u64map_mix(near, s->arg), i);
	}
}

static const struct kind *find_kind(const struct book *b, const struct portion *p)
{
	uint64_t near = place_key(p->image, p->nr, p->ip);
	uint32_t i = lt_u64map_get(&b->exact, lt_u64map_mix(near, p->arg), OBSERVED_NONE);
	if (i == OBSERVED_NONE)
		i = lt_u64map_get(&b->near, near, OBSERVED_NONE);
	return i == OBSERVED_NONE ? NULL : &b->kinds.at[i];
}

/* The kernel knows only that it is a futex; the functions that called it know what for. */
static enum evidence_op refine(enum evidence_op op, const struct reduce_chain *chain)
{
	bool waits = op == EVIDENCE_OP_LOCK || op == EVIDENCE_OP_CONDITION;
	return waits && chain->op != EVIDENCE_OP_USER ? chain->op : op;
}

static const char *detail_of(
	struct reduce *r, const struct portion *p, const struct reduce_chain *chain)
{
	if (evidence_call_is_futex(p->nr)) {
		if (chain->malloc)
			return "malloc";
		struct reduce_data d = reduce_name_data(r, p->image, p->arg);
		if (d.object && !strncmp(d.object, "libc", 4) && !d.symbol)
			return "libc";
		return d.symbol ? d.symbol : d.object;
	}
	if (!evidence_call_has_fd(p->nr))
		return NULL;
	uint64_t key = (uint64_t)r->o->threads.at[p->thread].pid << 32 | (uint32_t)p->arg;
	uint32_t i = lt_u64map_get(&r->o->file_of, key, OBSERVED_NONE);
	const char *text = i == OBSERVED_NONE ? NULL : r->o->files.at[i].text;
	if (!text)
		return NULL;
	/* "pipe:[4711]": the number says nothing to anybody. */
	return text[0] == '/' ? reduce_text(r, text)
			      : lt_arena_strndup(r->arena, text, strcspn(text, ":"));
}

static struct evidence_wait *row_of(
	struct reduce *r, struct rows *rows, const struct evidence_wait *like, long nr)
{
	uint64_t key = lt_u64map_mix(like->group, like->op);
	key = lt_u64map_mix(key, (uint64_t)nr);
	key = lt_u64map_mix(key, like->key);
	key = lt_u64map_mix(key, like->process);
	key = lt_u64map_mix(key, (uint64_t)like->site << 1 | like->uninterruptible);
	return REDUCE_FIND(r, &rows->list, &rows->of, key, like);
}

/* Without any stack: the function of libc, at least. */
static int bare_site(struct reduce *r, const struct portion *p)
{
	uint32_t place = reduce_place(r, p->image, p->ip);
	return place == OBSERVED_NONE ? -1 : reduce_site_of_place(r, place);
}

static void add_portion(
	struct reduce *r, struct book *b, const struct portion *p, uint32_t stack, double share)
{
	struct rows *rows = &b->rows;
	const struct observed_thread *t = &r->o->threads.at[p->thread];
	int site = stack == OBSERVED_NONE ? bare_site(r, p) : reduce_site_of_stack(r, stack);
	static const struct reduce_chain none;
	const struct reduce_chain *chain = stack == OBSERVED_NONE ? &none : &r->chains[stack];
	enum evidence_op op = evidence_op_of_wait(p->nr, p->futex_op, p->uninterruptible, p->timed);
	bool futex = evidence_call_is_futex(p->nr);
	struct evidence_wait like = {
		.group = t->group,
		.op = futex ? refine(op, chain) : op,
		.uninterruptible = p->uninterruptible,
		.site = site,
	};
	if (futex) /* a condition variable sleeps on two words in turn */
		like.key = like.op == EVIDENCE_OP_CONDITION ? p->arg & ~UINT64_C(7) : p->arg;
	else if (evidence_call_has_fd(p->nr))
		like.key = p->arg + 1;
	like.process = like.key ? (uint64_t)t->pid : 0;
	struct evidence_wait *row = row_of(r, rows, &like, p->nr);
	if (!row)
		return;
	if (!row->threads) {
		row->syscall = sys_syscall_name(p->nr);
		row->detail = detail_of(r, p, chain);
	}
	uint64_t who = lt_u64map_mix((uint64_t)(row - rows->list.at) + 1, p->thread);
	if (!lt_u64map_get(&rows->threads, who, 0)) {
		row->threads++;
		r->failed |= !lt_u64map_put(&rows->threads, who, 1);
	}
	row->count += p->count * share;
	row->total_ns += p->total_ns * share;
	if (row->max_ns < p->max_ns)
		row->max_ns = p->max_ns;
}

/* By the stacks of waits like it, or of clock samples just behind the same call. */
static void spread(struct reduce *r, struct book *b, const struct portion *p)
{
	const struct kind *a = find_kind(b, p);
	uint32_t place = a ? OBSERVED_NONE : reduce_place(r, p->image, p->ip);
	size_t n = a ? a->stacks.n : 0;
	const uint32_t *stacks = a ? a->stacks.at : NULL;
	if (place != OBSERVED_NONE) {
		n = r->places.at[place].stacks.n;
		stacks = r->places.at[place].stacks.at;
	}
	for (size_t i = 0; i < n; i++)
		add_portion(r, b, p, stacks[i], 1 / (double)n);
	if (!n)
		add_portion(r, b, p, OBSERVED_NONE, 1);
}

static void take_totals(struct reduce *r, struct book *b)
{
	for (size_t i = 0; i < r->o->totals.n; i++) {
		const struct observed_total *t = &r->o->totals.at[i];
		struct portion p = {
			.thread = t->thread,
			.image = t->image,
			.nr = t->nr,
			.arg = t->arg,
			.ip = t->ip,
			.futex_op = t->futex_op,
			.uninterruptible = t->uninterruptible,
			.count = (double)t->count,
			.total_ns = (double)t->total_ns,
			.max_ns = (double)t->max_ns,
		};
		/* Most of them waited as long as they would. */
		p.timed = t->timeout_ns && p.total_ns >= 0.9 * p.count * (double)t->timeout_ns;
		spread(r, b, &p);
	}
}

/* By group: how much more its threads were blocked than those of them that polls found. */
static void fill_gaps(const struct observed *o, double *scale)
{
	double all[REDUCE_GROUPS] = { 0 }, found[REDUCE_GROUPS] = { 0 };
	for (size_t i = 0; i < o->threads.n; i++) {
		const struct observed_thread *t = &o->threads.at[i];
		all[t->group] += (double)t->blocked_ns;
		found[t->group] += t->polled_waits > 0 ? (double)t->blocked_ns : 0;
	}
	for (unsigned g = 0; g < REDUCE_GROUPS; g++)
		scale[g] = found[g] > 0 ? all[g] / found[g] : 1;
}

/* A thread's time off the CPU, dealt out to the waits that polls found it in: each poll
 * stands for as much of it as the next one. The number of waits follows from how long those
 * it hit were. */
static void take_polls(struct reduce *r, struct book *b)
{
	double scale[REDUCE_GROUPS];
	fill_gaps(r->o, scale);
	for (size_t i = 0; i < r->o->waits.n; i++) {
		const struct observed_wait *w = &r->o->waits.at[i];
		const struct observed_thread *t = &r->o->threads.at[w->thread];
		if (t->polled_waits <= 0)
			continue;
		double ns = (double)t->blocked_ns * w->polls / t->polled_waits;
		double count = w->len_ns ? ns / (double)w->len_ns
					 : (double)t->voluntary * w->polls / t->polled_waits;
		bool futex = evidence_call_is_futex(w->nr);
		struct portion p = {
			.thread = w->thread,
			.image = w->image,
			.nr = w->nr,
			.arg = futex || evidence_call_has_fd(w->nr) ? w->args[0] : 0,
			.ip = w->ip,
			.futex_op = futex ? (unsigned)w->args[1] & 0x7f : 0,
			.uninterruptible = w->uninterruptible,
			.count = count,
			.total_ns = ns,
			.max_ns = (double)w->len_ns,
			.timed = w->timeout_ns && (double)w->len_ns >= 0.9 * (double)w->timeout_ns,
		};
		if (w->stack != OBSERVED_NONE)
			add_portion(r, b, &p, w->stack, 1);
		else
			spread(r, b, &p);
	}
}

/* Threads that could have run, and did not; those that gave their CPU away have lines of
 * their own. */
static void add_queues(struct reduce *r, struct book *b)
{
	for (unsigned i = 0; i < r->e->n_groups; i++) {
		const struct evidence_group *g = &r->e->groups[i];
		struct evidence_wait like = { .group = i, .op = EVIDENCE_OP_RUNQUEUE, .site = -1 };
		double ns = g->queue_ns.num, count = g->involuntary.num;
		for (size_t k = 0; k < b->rows.list.n; k++) {
			const struct evidence_wait *w = &b->rows.list.at[k];
			if (w->group == i && w->op == EVIDENCE_OP_YIELD) {
				ns -= w->total_ns;
				count -= w->count;
			}
		}
		if (g->queue_ns.state == VALUE_UNAVAILABLE || ns <= 0)
			continue;
		struct evidence_wait *row = row_of(r, &b->rows, &like, -3);
		if (!row)
			return;
		row->threads = g->threads;
		row->count = count > 0 ? count : 0;
		row->total_ns = ns;
	}
}

static int by_time(const void *a, const void *b)
{
	const struct evidence_wait *x = a, *y = b;
	return (x->total_ns < y->total_ns) - (x->total_ns > y->total_ns);
}

/* The longest; the others of a group and operation together. */
static void keep_rows(struct reduce *r, struct book *b)
{
	size_t n = b->rows.list.n, n_kept = 0;
	if (n)
		qsort(b->rows.list.at, n, sizeof(*b->rows.list.at), by_time);
	r->e->waits = lt_arena_alloc(r->arena, (REDUCE_ROWS + 1) * sizeof(*r->e->waits));
	if (!r->e->waits) {
		r->failed = true;
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct evidence_wait *w = &b->rows.list.at[i];
		if (n_kept < REDUCE_ROWS / 2) {
			r->e->waits[n_kept++] = *w;
			continue;
		}
		size_t k = REDUCE_ROWS / 2;
		while (k < n_kept &&
			(r->e->waits[k].group != w->group || r->e->waits[k].op != w->op))
			k++;
		if (k == REDUCE_ROWS)
			continue;
		if (k == n_kept) {
			r->e->waits[n_kept++] = (struct evidence_wait){
				.group = w->group, .op = w->op, .site = -1
			};
		}
		r->e->waits[k].count += w->count;
		r->e->waits[k].total_ns += w->total_ns;
		r->e->waits[k].threads =
			w->threads > r->e->waits[k].threads ? w->threads : r->e->waits[k].threads;
	}
	r->e->n_waits = n_kept;
}

void reduce_waits(struct reduce *r)
{
	struct book b = { 0 };
	note_stacks(r, &b);
	take_totals(r, &b);
	take_polls(r, &b);
	add_queues(r, &b);
	keep_rows(r, &b);
	for (size_t i = 0; i < b.kinds.n; i++)
		free(b.kinds.at[i].stacks.at);
	free(b.kinds.at);
	free(b.rows.list.at);
	lt_u64map_done(&b.exact);
	lt_u64map_done(&b.near);
	lt_u64map_done(&b.rows.of);
	lt_u64map_done(&b.rows.threads);
}
