/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hot lines in allocated memory: the program runs again with its allocations noted. Addresses
 * are others then, so lines are told by the code that works on them. */
#include <string.h>

#include "base/str.h"
#include "run/evidence_inside.h"

#define WORTH_A_RUN 0.05 /* share of the samples of user code */

static bool is_wanted(const struct evidence_line *l)
{
	return l->share >= WORTH_A_RUN && !l->symbol && l->allocated < 0 &&
		(!l->object || !strcmp(l->object, "heap") || !strcmp(l->object, "anonymous"));
}

static bool same_call(const struct evidence_site *a, const struct evidence_site *b)
{
	const struct evidence_frame *f = &a->frames[a->call < a->n_frames ? a->call : 0];
	const struct evidence_frame *g = &b->frames[b->call < b->n_frames ? b->call : 0];
	return lt_same_text(f->object, g->object) && lt_same_text(f->function, g->function) &&
		f->line == g->line && (f->line || f->offset == g->offset);
}

/* Does the same code work on both, as far as the most frequent accesses tell? */
static bool same_line(const struct evidence *e, const struct evidence_line *l,
	const struct evidence *other, const struct evidence_line *m)
{
	for (size_t i = 0; i < l->n_accesses; i++)
		for (size_t k = 0; k < m->n_accesses; k++) {
			int a = l->accesses[i].site, b = m->accesses[k].site;
			if (a >= 0 && b >= 0 && same_call(&e->sites[a], &other->sites[b]))
				return true;
		}
	return false;
}

/* Adds a site of the other evidence, whose texts are in the same arena. -1: no memory. */
static int add_site(struct evidence *e, const struct evidence_site *site, struct lt_arena *arena)
{
	for (size_t i = 0; i < e->n_sites; i++)
		if (same_call(&e->sites[i], site))
			return (int)i;
	struct evidence_site *more = lt_arena_alloc(arena, (e->n_sites + 1) * sizeof(*more));
	if (!more)
		return -1;
	if (e->n_sites)
		memcpy(more, e->sites, e->n_sites * sizeof(*more));
	more[e->n_sites] = *site;
	e->sites = more;
	return (int)e->n_sites++;
}

static int take_over(struct evidence *e, const struct evidence *other, struct lt_arena *arena,
	struct lt_err *err)
{
	for (size_t i = 0; i < e->n_lines; i++) {
		struct evidence_line *l = &e->lines[i];
		for (size_t k = 0; k < other->n_lines && is_wanted(l); k++) {
			const struct evidence_line *m = &other->lines[k];
			if (m->allocated < 0 || !same_line(e, l, other, m))
				continue;
			l->allocated = add_site(e, &other->sites[m->allocated], arena);
			if (l->allocated < 0)
				return lt_fail_mem(err);
		}
	}
	return 0;
}

static bool wants_any(const struct evidence *e)
{
	for (size_t i = 0; i < e->n_lines; i++)
		if (is_wanted(&e->lines[i]))
			return true;
	return false;
}

static bool same_end(const struct outcome *a, const struct outcome *b)
{
	return a->kind == b->kind && a->code == b->code;
}

int evidence_find_allocations(struct trial_run *t, const struct run_command *cmd,
	const struct evidence_opts *opts, struct lt_arena *arena, struct evidence *e,
	struct lt_err *err)
{
	LT_AUTO(allocations_close) struct allocations blocks = ALLOCATIONS_NONE;
	if (!wants_any(e) || e->outcome.kind != OUTCOME_EXIT)
		return 0;
	struct trial_run first = *t;
	struct evidence second;
	int r = trial_run_end(t, err);
	if (r >= 0)
		r = allocations_open(&blocks, err);
	if (r < 0)
		return r;
	t->envp = allocations_environment(&blocks, first.envp, arena);
	if (!t->envp)
		return lt_fail_mem(err);
	r = evidence_observe(t, cmd, opts, &blocks, arena, &second, err);
	t->envp = first.envp;
	t->outcome = first.outcome;
	t->window = first.window;
	t->poured = first.poured;
	t->own_wakeups = first.own_wakeups;
	if (r < 0 || !same_end(&second.outcome, &e->outcome))
		return r; /* it did not like the library */
	return take_over(e, &second, arena, err);
}
