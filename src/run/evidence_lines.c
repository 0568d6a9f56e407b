/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cache lines that several threads use. The address that a sampled instruction works on
 * follows from its operand and the registers; a line that many samples of several threads
 * fall into, and that one of them writes, is one they wait for. */
#include <stdlib.h>
#include <string.h>

#include "run/evidence_inside.h"

enum {
	LINE = 64,
	ACCESSES = 64, /* kept of a line */
};

struct touch {
	uint64_t line, process;
	uint32_t thread;
	int site;
	uint8_t offset, size;
	bool write, locked;
	double n;
};

struct lines {
	OBSERVED_LIST(struct touch) touches; /* one for each thread, site and offset */
	struct lt_u64map of;
	double samples; /* of user code that could be read */
};

static struct touch *touch_of(struct reduce *r, struct lines *l, const struct touch *like)
{
	uint64_t key = lt_u64map_mix(like->line, like->thread);
	key = lt_u64map_mix(key, (uint64_t)like->site);
	key = lt_u64map_mix(key, (uint64_t)like->offset << 8 | like->write);
	return REDUCE_FIND(r, &l->touches, &l->of, key, like);
}

static void add_touch(struct reduce *r, struct lines *l, const struct observed_sample *s)
{
	uint32_t place = reduce_place(r, s->image, s->regs.r[SYS_REG_IP]);
	struct sys_access a;
	if (place == OBSERVED_NONE || !r->places.at[place].decoded)
		return;
	l->samples += s->weight;
	if (!reduce_access(s, &r->places.at[place], &a) || !a.size ||
		reduce_is_fresh(r, s->thread, a.addr))
		return;
	struct touch like = {
		.line = a.addr & ~(uint64_t)(LINE - 1),
		.process = (uint64_t)r->o->threads.at[s->thread].pid,
		.thread = s->thread,
		.site = reduce_site_of_sample(r, s),
		.offset = (uint8_t)(a.addr % LINE),
		.size = (uint8_t)(a.size > LINE ? LINE : a.size),
		/* who reads, changes and stores waits for the line where he reads */
		.write = a.write || a.stored,
		.locked = a.locked,
	};
	struct touch *t = touch_of(r, l, &like);
	if (t)
		t->n += s->weight;
}

static int by_line(const void *a, const void *b)
{
	const struct touch *x = a, *y = b;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->n < y->n) - (x->n > y->n);
}

static bool overlap(const struct touch *a, const struct touch *b)
{
	return a->thread != b->thread && (a->write || b->write) &&
		a->offset < b->offset + b->size && b->offset < a->offset + a->size;
}

/* Different threads among `n` touches; only those that write, if asked. */
static unsigned count_threads(const struct touch *t, size_t n, bool writers)
{
	unsigned threads = 0;
	for (size_t i = 0; i < n; i++) {
		bool new = !writers || t[i].write;
		for (size_t k = 0; k < i && new; k++)
			new = t[k].thread != t[i].thread || (writers && !t[k].write);
		threads += new;
	}
	return threads;
}

static void fill_line(const struct touch *t, size_t n, double samples, struct evidence_line *ret)
{
	*ret = (struct evidence_line){
		.address = t->line,
		.process = t->process,
		.threads = count_threads(t, n, false),
		.writers = count_threads(t, n, true),
		.allocated = -1,
	};
	for (size_t i = 0; i < n; i++) {
		ret->n += t[i].n;
		ret->locked += t[i].locked ? t[i].n : 0;
		for (size_t k = 0; k < i; k++)
			ret->overlap |= overlap(&t[i], &t[k]);
	}
	ret->share = samples > 0 ? ret->n / samples : 0;
}

static void fill_accesses(
	struct reduce *r, const struct touch *t, size_t n, struct evidence_line *ret)
{
	n = n < ACCESSES ? n : ACCESSES;
	ret->accesses = lt_arena_alloc(r->arena, n * sizeof(*ret->accesses));
	if (!ret->accesses) {
		r->failed = true;
		return;
	}
	for (size_t i = 0; i < n; i++)
		ret->accesses[i] = (struct evidence_access){
			.group = r->o->threads.at[t[i].thread].group,
			.thread = (uint64_t)r->o->threads.at[t[i].thread].tid,
			.offset = t[i].offset,
			.size = t[i].size,
			.write = t[i].write,
			.locked = t[i].locked,
			.n = t[i].n,
			.site = t[i].site,
		};
	ret->n_accesses = n;
}

/* Who asked for the block that the address lies in. */
static int allocated_by(struct reduce *r, uint32_t image, uint64_t addr, uint64_t pid)
{
#if defined(__x86_64__)
	const struct allocation *a = r->blocks ? allocations_find(r->blocks, addr, pid) : NULL;
	struct sys_regs regs = {
		.known = 1u << SYS_REG_IP | 1u << SYS_REG_SP | 1u << SYS_REG_BP,
	};
	if (!a)
		return -1;
	regs.r[SYS_REG_IP] = a->ip - 1; /* inside the call, not behind it */
	regs.r[SYS_REG_SP] = a->sp;
	regs.r[SYS_REG_BP] = a->bp;
	return reduce_site_of_caller(r, image, &regs, a->stack, a->stack_len);
#else
	(void)r, (void)image, (void)addr, (void)pid;
	return -1;
#endif
}

/* Whose memory it is. */
static void name_line(struct reduce *r, const struct touch *t, struct evidence_line *ret)
{
	uint32_t image = r->o->threads.at[t->thread].image;
	/* The variable that the most frequent access goes to. */
	struct reduce_data data = reduce_name_data(r, image, t->line + t->offset);
	ret->object = data.object;
	ret->symbol = data.symbol;
	ret->symbol_off = data.symbol_off - t->offset;
	ret->allocated = allocated_by(r, image, t->line + t->offset, t->process);
}

static int by_heat(const void *a, const void *b)
{
	const struct evidence_line *x = a, *y = b;
	return (x->n < y->n) - (x->n > y->n);
}

/* Keeps the hottest. */
static void keep(struct reduce *r, const struct touch *t, size_t n, double samples)
{
	struct evidence *e = r->e;
	struct evidence_line line;
	fill_line(t, n, samples, &line);
	if (line.threads < 2 || !line.writers)
		return;
	if (e->n_lines == REDUCE_LINES) {
		if (line.n <= e->lines[REDUCE_LINES - 1].n)
			return;
		e->n_lines--;
	}
	fill_accesses(r, t, n, &line);
	name_line(r, t, &line);
	e->lines[e->n_lines++] = line;
	qsort(e->lines, e->n_lines, sizeof(*e->lines), by_heat);
}

void reduce_lines(struct reduce *r)
{
	struct lines l = { 0 };
	r->e->lines = lt_arena_alloc(r->arena, REDUCE_LINES * sizeof(*r->e->lines));
	if (!r->e->lines) {
		r->failed = true;
		return;
	}
	for (size_t i = 0; i < r->o->samples.n; i++) {
		const struct observed_sample *s = &r->o->samples.at[i];
		if (!s->in_kernel && s->regs.known == SYS_REGS_ALL)
			add_touch(r, &l, s);
	}
	if (l.touches.n)
		qsort(l.touches.at, l.touches.n, sizeof(*l.touches.at), by_line);
	for (size_t i = 0, k; i < l.touches.n; i = k) {
		for (k = i + 1; k < l.touches.n && l.touches.at[k].line == l.touches.at[i].line &&
			l.touches.at[k].process == l.touches.at[i].process;)
			k++;
		keep(r, &l.touches.at[i], k - i, l.samples);
	}
	free(l.touches.at);
	lt_u64map_done(&l.of);
}
