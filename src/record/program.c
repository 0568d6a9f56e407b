/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of parts as tables, and adding parts to a record. */
#include "record/program.h"

#include <string.h>

#include "base/own.h"

#define VALUE(kind, name_, unit_, how_) { .name = #name_, .unit = unit_, .how = PROGRAM_##how_ },

static const struct program_value thread_values[] = { PROGRAM_THREAD_VALUES(VALUE) };
static const struct program_value module_values[] = { PROGRAM_MODULE_VALUES(VALUE) };
static const struct program_value queue_values[] = { PROGRAM_QUEUE_VALUES(VALUE) };
static const struct program_value pool_values[] = { PROGRAM_POOL_VALUES(VALUE) };
static const struct program_value pipeline_values[] = { PROGRAM_PIPELINE_VALUES(VALUE) };
static const struct program_value stage_values[] = { PROGRAM_STAGE_VALUES(VALUE) };
static const struct program_value counter_values[] = { PROGRAM_COUNTER_VALUES(VALUE) };
static const struct program_value region_values[] = { PROGRAM_REGION_VALUES(VALUE) };

#define KIND(word, of, values)                           \
	{                                                \
		(word), (of), (values), LT_COUNT(values) \
	}

const struct program_kind_info program_kinds[PROGRAM_KINDS] = {
	[PROGRAM_PROCESSES] = { "processes", NULL, NULL, 0 },
	[PROGRAM_THREADS] = KIND("threads", "queue", thread_values),
	[PROGRAM_MODULES] = KIND("modules", "thread", module_values),
	[PROGRAM_QUEUES] = KIND("queues", NULL, queue_values),
	[PROGRAM_POOLS] = KIND("pools", NULL, pool_values),
	[PROGRAM_PIPELINES] = KIND("pipelines", "thread", pipeline_values),
	[PROGRAM_STAGES] = KIND("stages", "pipeline", stage_values),
	[PROGRAM_COUNTERS] = KIND("counters", "unit", counter_values),
	[PROGRAM_REGIONS] = KIND("regions", NULL, region_values),
};

struct program_part *record_add_part(struct record *rec, enum program_kind kind)
{
	if (!rec->program)
		rec->program = lt_arena_alloc(&rec->arena, sizeof(*rec->program));
	if (!rec->program)
		return NULL;
	struct program_parts *p = &rec->program->kinds[kind];
	if (p->n == p->cap) {
		size_t cap = p->cap ? 2 * p->cap : 16;
		struct program_part *more = lt_arena_alloc(&rec->arena, cap * sizeof(*more));
		if (!more)
			return NULL;
		if (p->n)
			memcpy(more, p->list, p->n * sizeof(*more));
		p->list = more;
		p->cap = cap;
	}
	return &p->list[p->n++];
}

static const char *copy(struct record *to, const char *text)
{
	return text ? lt_arena_strdup(&to->arena, text) : NULL;
}

int record_copy_parts(struct record *to, unsigned variant, const struct record *from,
	unsigned from_variant, struct lt_err *err)
{
	for (unsigned kind = 0; from->program && kind < PROGRAM_KINDS; kind++) {
		const struct program_parts *parts = &from->program->kinds[kind];
		for (size_t i = 0; i < parts->n; i++) {
			if (parts->list[i].variant != from_variant)
				continue;
			struct program_part *p = record_add_part(to, kind);
			if (!p)
				return lt_fail_mem(err);
			*p = parts->list[i];
			p->variant = variant;
			p->process = copy(to, p->process);
			p->name = copy(to, p->name);
			p->of = copy(to, p->of);
			for (size_t k = 0; k < program_kinds[kind].n; k++) {
				p->v[k].reason = copy(to, p->v[k].reason);
				p->v[k].hint = copy(to, p->v[k].hint);
			}
		}
	}
	return to->arena.failed ? lt_fail_mem(err) : 0;
}
