/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stages by their time per item, modules by how their threads wait. */
#include "ledger/bottleneck.h"

#include <math.h>
#include <string.h>

#include "base/str.h"
#include "record/program.h"

static const double stage_least = 0.5;
static const double module_least = 0.6, module_ahead = 1.5;

struct parts {
	const struct record *rec;
	unsigned variant;
};

static const struct program_parts *parts_of(const struct parts *p, enum program_kind kind)
{
	return &p->rec->program->kinds[kind];
}

/* NAN where it is not known. */
static double number(const struct program_part *part, unsigned value)
{
	return value_known(part->v[value]) ? part->v[value].num : NAN;
}

static const struct program_part *find(
	const struct parts *p, enum program_kind kind, const char *process, const char *name)
{
	const struct program_parts *all = parts_of(p, kind);
	for (size_t i = 0; i < all->n; i++)
		if (all->list[i].variant == p->variant &&
			lt_same_text(all->list[i].process, process) &&
			lt_same_text(all->list[i].name, name))
			return &all->list[i];
	return NULL;
}

static int found(struct record *rec, unsigned variant, const char *id, double share,
	const char *name, const char *role, const char *thread, struct lt_err *err)
{
	struct finding *f = record_add_finding(rec);
	struct finding_place *place = f ? record_add_place(rec, f) : NULL;
	if (!place || !name)
		return lt_fail_mem(err);
	f->id = id;
	f->variant = (int)variant;
	f->num[0] = share;
	f->name = name;
	place->role = role;
	place->thread = thread;
	place->data = name;
	return 0;
}

/* ---- stages ---- */

/* How much of the time the stage is in use; 1 = always. */
static double stage_use(const struct parts *p, const struct program_part *stage)
{
	const struct program_part *pipe = find(p, PROGRAM_PIPELINES, stage->process, stage->of);
	const struct program_part *thread =
		pipe && pipe->of ? find(p, PROGRAM_THREADS, stage->process, pipe->of) : NULL;
	if (!thread)
		return NAN;
	double per_item =
		number(stage, PROGRAM_STAGE_timed_ns) / number(stage, PROGRAM_STAGE_timed);
	double all = per_item * number(stage, PROGRAM_STAGE_items);
	double at_once = number(stage, PROGRAM_STAGE_serial) > 0
		? 1
		: number(pipe, PROGRAM_PIPELINE_workers);
	return fmin(all / at_once / number(thread, PROGRAM_THREAD_wall_ns), 1);
}

static int find_stage(
	const struct parts *p, struct record *rec, bool *ret_found, struct lt_err *err)
{
	const struct program_parts *all = parts_of(p, PROGRAM_STAGES);
	const struct program_part *best = NULL;
	double most = stage_least;
	for (size_t i = 0; i < all->n; i++) {
		double use = all->list[i].variant == p->variant ? stage_use(p, &all->list[i]) : NAN;
		if (!(use >= most))
			continue;
		most = use;
		best = &all->list[i];
	}
	*ret_found = best != NULL;
	if (!best)
		return 0;
	bool serial = number(best, PROGRAM_STAGE_serial) > 0;
	const char *name = lt_arena_printf(&rec->arena, "stage '%s' of '%s'", best->name, best->of);
	return found(rec, p->variant, serial ? "bottleneck-stage" : "bottleneck-stages", most, name,
		"stage", NULL, err);
}

/* ---- modules ---- */

/* Share of its time that the thread works, or would if it had a CPU. */
static double thread_busy(const struct program_part *t)
{
	return (number(t, PROGRAM_THREAD_cpu_ns) + number(t, PROGRAM_THREAD_no_cpu_ns)) /
		number(t, PROGRAM_THREAD_wall_ns);
}

static bool has_module(const struct parts *p, const struct program_part *thread)
{
	const struct program_parts *all = parts_of(p, PROGRAM_MODULES);
	for (size_t i = 0; i < all->n; i++)
		if (all->list[i].variant == p->variant &&
			lt_same_text(all->list[i].process, thread->process) &&
			lt_same_text(all->list[i].of, thread->name))
			return true;
	return false;
}

/* Times that a sender found an input of the module full. */
static double found_full(const struct parts *p, const struct program_part *module)
{
	const struct program_parts *all = parts_of(p, PROGRAM_QUEUES);
	double sum = 0;
	for (size_t i = 0; i < all->n; i++) {
		const struct program_part *q = &all->list[i];
		const char *to = strchr(q->name, '>'); /* "sender.port>receiver.port" */
		size_t len = strlen(module->name);
		if (q->variant != p->variant || !lt_same_text(q->process, module->process) || !to ||
			strncmp(to + 1, module->name, len) != 0 || to[1 + len] != '.')
			continue;
		double full = number(q, PROGRAM_QUEUE_full);
		sum += isfinite(full) ? full : 0;
	}
	return sum;
}

/* Of the thread's modules the one that others wait for most. */
static const struct program_part *fullest(
	const struct parts *p, const struct program_part *thread, size_t *ret_n)
{
	const struct program_parts *all = parts_of(p, PROGRAM_MODULES);
	const struct program_part *best = NULL;
	double most = -1;
	*ret_n = 0;
	for (size_t i = 0; i < all->n; i++) {
		const struct program_part *m = &all->list[i];
		if (m->variant != p->variant || !lt_same_text(m->process, thread->process) ||
			!lt_same_text(m->of, thread->name))
			continue;
		double full = found_full(p, m);
		++*ret_n;
		if (full <= most)
			continue;
		most = full;
		best = m;
	}
	return best;
}

static int find_module(const struct parts *p, struct record *rec, struct lt_err *err)
{
	const struct program_parts *all = parts_of(p, PROGRAM_THREADS);
	const struct program_part *best = NULL;
	double most = module_least, sum = 0, n = 0;
	for (size_t i = 0; i < all->n; i++) {
		const struct program_part *t = &all->list[i];
		double busy = t->variant == p->variant && has_module(p, t) ? thread_busy(t) : NAN;
		if (!isfinite(busy))
			continue;
		sum += busy;
		n++;
		if (busy < most)
			continue;
		most = busy;
		best = t;
	}
	if (!best || n < 2 || most < module_ahead * (sum - most) / (n - 1))
		return 0;
	size_t modules;
	const struct program_part *m = fullest(p, best, &modules);
	const char *name = modules == 1
		? lt_arena_printf(&rec->arena, "module '%s'", m->name)
		: lt_arena_printf(&rec->arena, "module '%s', one of %zu of thread '%s'", m->name,
			  modules, best->name);
	return found(rec, p->variant, "bottleneck-module", most, name, "module", best->name, err);
}

int ledger_bottleneck(struct record *rec, unsigned variant, struct lt_err *err)
{
	struct parts p = { rec, variant };
	bool stage = false;
	if (!rec->program)
		return 0;
	int r = find_stage(&p, rec, &stage, err);
	return r < 0 || stage ? r : find_module(&p, rec, err);
}
