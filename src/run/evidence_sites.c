/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a piece of stack to the line of the program that is to blame: the first frame that is
 * neither libc's nor that of a library or header which merely passes calls on. */
#include <stdlib.h>
#include <string.h>

#include "run/evidence_inside.h"

/* A chain with the functions inlined into each of its frames. */
struct chain {
	struct sys_place places[REDUCE_FRAMES];
	size_t n;
	size_t call; /* the call site; n = none */
	struct reduce_chain tells;
};

static void expand(struct sys_image *img, const uint64_t *pcs, size_t n, struct chain *ret)
{
	*ret = (struct chain){ 0 };
	bool ended = false; /* the chain reaches libc's own beginning of threads */
	for (size_t i = 0; i < n; i++) {
		struct sys_place here[SYS_IMAGE_INLINED];
		size_t k = sys_image_places(img, pcs[i] - (i > 0), here, SYS_IMAGE_INLINED);
		for (size_t j = 0; j < k; j++) {
			bool wrapper = reduce_is_wrapper(&here[j]);
			if (!wrapper && here[j].function)
				ret->tells.start = here[j].function;
			ended = wrapper;
			if (ret->n == REDUCE_FRAMES)
				continue;
			if (ret->call == ret->n && wrapper) {
				ret->call++;
				reduce_wrapper_tells(&here[j], &ret->tells);
			}
			ret->places[ret->n++] = here[j];
		}
	}
	if (!ended)
		ret->tells.start = NULL;
}

/* What makes two call sites the same: function and line, or the address where there are
 * none; the function that called, as a helper may serve many; and what is called there, as a
 * line may lock and wait. */
static uint64_t identity(const struct chain *c)
{
	bool none = c->call == c->n; /* of a library alone its function is enough */
	const struct sys_place *p = &c->places[none ? 0 : c->call];
	uint64_t key = lt_u64map_mix(none, none ? 0 : p->line ? p->line : p->offset);
	const char *caller = c->call + 1 < c->n ? c->places[c->call + 1].function : NULL;
	const char *callee = c->call && !none ? c->places[c->call - 1].function : NULL;
	const char *texts[] = { p->object, p->function, p->line ? p->file : NULL, caller, callee };
	for (size_t i = 0; i < LT_COUNT(texts); i++)
		for (const char *s = texts[i]; s && *s; s++)
			key = lt_u64map_mix(key, (unsigned char)*s);
	return key;
}

static int add_site(struct reduce *r, const struct chain *c)
{
	if (!c->n)
		return -1;
	uint64_t key = identity(c);
	uint32_t known = lt_u64map_get(&r->site_of, key, OBSERVED_NONE);
	if (known != OBSERVED_NONE) {
		/* The longer chain says more. */
		if (r->sites.at[known].n_frames >= c->n)
			return (int)known;
	} else {
		known = (uint32_t)r->sites.n;
		if (!observed_grow(r->o, (void *)&r->sites.at, &r->sites.n, &r->sites.cap,
			    sizeof(*r->sites.at), REDUCE_SITES) ||
			!lt_u64map_put(&r->site_of, key, known))
			return -1;
	}
	/* Borrowed from the image: what is kept in the end is copied then. */
	struct evidence_frame *frames = lt_arena_alloc(&r->o->arena, c->n * sizeof(*frames));
	if (!frames) {
		r->failed = true;
		return -1;
	}
	for (size_t i = 0; i < c->n; i++)
		frames[i] = (struct evidence_frame){
			.object = reduce_base_name(c->places[i].object),
			.function = c->places[i].function,
			.file = c->places[i].file,
			.line = c->places[i].line,
			.offset = c->places[i].offset,
		};
	r->sites.at[known] = (struct evidence_site){
		.frames = frames, .n_frames = c->n, .call = (unsigned)c->call
	};
	return (int)known;
}

#if defined(__x86_64__)
enum {
	FRAMES_TRIED = 8
};

static uint64_t word_at(const char *bytes, size_t at)
{
	uint64_t word;
	memcpy(&word, bytes + at, sizeof(word));
	return word;
}

/* Procfs tells two registers, and code with frame pointers needs a third. `last` is the
 * return address that the chain ended at; it stands below the frame looked for, and that
 * one's pointer points at what stands in front of the next return address. */
static void guess_frame(struct sys_image *img, const struct observed_stack *s, const char *bytes,
	uint64_t last, struct chain *chain)
{
	struct sys_regs regs = s->regs;
	uint64_t pcs[REDUCE_CHAIN];
	unsigned tried = 0;
	size_t at = 0;
	while (at + 8 <= s->len && word_at(bytes, at) != last)
		at += 8;
	regs.known |= 1u << SYS_REG_BP;
	for (at += 8; at + 16 <= s->len && tried < FRAMES_TRIED; at += 8) {
		struct sys_place p;
		if (!sys_image_places(img, word_at(bytes, at + 8), &p, 1))
			continue;
		tried++;
		regs.r[SYS_REG_BP] = regs.r[SYS_REG_SP] + at;
		struct chain longer;
		size_t n = sys_image_unwind(img, &regs, bytes, s->len, pcs, REDUCE_CHAIN);
		expand(img, pcs, n, &longer);
		if (longer.tells.start && longer.n > chain->n) {
			*chain = longer;
			return;
		}
	}
}
#endif

static void resolve(struct reduce *r, uint32_t i)
{
	const struct observed_stack *s = &r->o->stacks.at[i];
	struct sys_image *img = reduce_image(r, s->image);
	const char *bytes = r->o->stack_bytes.data + s->off;
	uint64_t pcs[REDUCE_CHAIN], key = s->image;
	r->stack_site[i] = -1;
	if (!img)
		return;
	size_t n = sys_image_unwind(img, &s->regs, bytes, s->len, pcs, REDUCE_CHAIN);
	for (size_t k = 0; k < n; k++)
		key = lt_u64map_mix(key, pcs[k]);
	uint32_t same = lt_u64map_get(&r->chain_of, key, OBSERVED_NONE);
	if (same != OBSERVED_NONE) {
		r->stack_site[i] = r->stack_site[same];
		r->chains[i] = r->chains[same];
		return;
	}
	struct chain c;
	expand(img, pcs, n, &c);
#if defined(__x86_64__)
	if (n > 1 && !c.tells.start && !sys_regs_know(&s->regs, SYS_REG_BP))
		guess_frame(img, s, bytes, pcs[n - 1], &c);
#endif
	r->stack_site[i] = add_site(r, &c);
	r->chains[i] = c.tells;
	if (!lt_u64map_put(&r->chain_of, key, i))
		r->failed = true;
}

int reduce_site_of_stack(struct reduce *r, uint32_t stack)
{
	if (r->stack_site[stack] == -2)
		resolve(r, stack);
	return r->stack_site[stack];
}

int reduce_site_of_caller(struct reduce *r, uint32_t image, const struct sys_regs *regs,
	const void *stack, size_t len)
{
	struct sys_image *img = reduce_image(r, image);
	uint64_t pcs[REDUCE_CHAIN];
	struct chain c;
	if (!img)
		return -1;
	expand(img, pcs, sys_image_unwind(img, regs, stack, len, pcs, REDUCE_CHAIN), &c);
	return add_site(r, &c);
}

int reduce_site_of_place(struct reduce *r, uint32_t place)
{
	struct reduce_place *p = &r->places.at[place];
	if (p->site != -2)
		return p->site;
	p->site = -1;
	struct sys_image *img = reduce_image(r, p->image);
	if (!img || !p->looked)
		return -1;
	struct chain c;
	expand(img, &p->ip, 1, &c);
	/* A stack from here shows the callers, too. */
	if (p->stacks.n && reduce_site_of_stack(r, p->stacks.at[0]) >= 0 && !p->wrapper)
		p->site = reduce_site_of_stack(r, p->stacks.at[0]);
	else
		p->site = add_site(r, &c);
	return p->site;
}

int reduce_site_of_sample(struct reduce *r, const struct observed_sample *s)
{
	uint32_t i = reduce_place(r, s->image, s->regs.r[SYS_REG_IP]);
	if (i == OBSERVED_NONE)
		return -1;
	const struct reduce_place *p = &r->places.at[i];
	if (!p->wrapper || (s->stack == OBSERVED_NONE && !p->stacks.n))
		return reduce_site_of_place(r, i);
	return reduce_site_of_stack(r, s->stack == OBSERVED_NONE ? p->stacks.at[0] : s->stack);
}

/* Calls each(ctx, &site) for every place in the evidence that names one. */
static void for_sites(struct evidence *e, void (*each)(void *ctx, int *site), void *ctx)
{
	for (size_t i = 0; i < e->n_waits; i++)
		each(ctx, &e->waits[i].site);
	for (size_t i = 0; i < e->n_samples; i++)
		each(ctx, &e->samples[i].site);
	for (size_t i = 0; i < e->n_faults; i++)
		each(ctx, &e->faults[i].site);
	for (size_t i = 0; i < e->n_lines; i++) {
		each(ctx, &e->lines[i].allocated);
		for (size_t k = 0; k < e->lines[i].n_accesses; k++)
			each(ctx, &e->lines[i].accesses[k].site);
	}
}

struct renumbering {
	struct reduce *r;
	int *to; /* by site; -1 = not used */
};

static void count_used(void *ctx, int *site)
{
	struct renumbering *n = ctx;
	if (*site >= 0 && n->to[*site] < 0)
		n->to[*site] = (int)n->r->e->n_sites++;
}

static void renumber(void *ctx, int *site)
{
	const struct renumbering *n = ctx;
	if (*site >= 0)
		*site = n->to[*site];
}

static void copy_site(struct reduce *r, const struct evidence_site *from, struct evidence_site *to)
{
	struct evidence_frame *frames = lt_arena_alloc(r->arena, from->n_frames * sizeof(*frames));
	if (!frames) {
		r->failed = true;
		return;
	}
	for (size_t i = 0; i < from->n_frames; i++) {
		frames[i] = from->frames[i];
		frames[i].object = reduce_text(r, frames[i].object);
		frames[i].function = reduce_name(r, frames[i].function);
		frames[i].file = reduce_text(r, frames[i].file);
	}
	*to = *from;
	to->frames = frames;
}

void reduce_sites(struct reduce *r)
{
	struct renumbering n = { .r = r, .to = malloc((r->sites.n + 1) * sizeof(*n.to)) };
	if (!n.to) {
		r->failed = true;
		return;
	}
	for (size_t i = 0; i < r->sites.n; i++)
		n.to[i] = -1;
	for_sites(r->e, count_used, &n);
	r->e->sites = lt_arena_alloc(r->arena, (r->e->n_sites + 1) * sizeof(*r->e->sites));
	if (r->e->sites) {
		for (size_t i = 0; i < r->sites.n; i++)
			if (n.to[i] >= 0)
				copy_site(r, &r->sites.at[i], &r->e->sites[n.to[i]]);
		for_sites(r->e, renumber, &n);
	} else {
		r->failed = true;
	}
	free(n.to);
}
