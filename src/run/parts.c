/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each kind of slot becomes a kind of part; several of one name become one. */
#include "run/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const unsigned char module_map[] = { LEAT_V_MODULE_CALLS, LEAT_V_MODULE_IN,
	LEAT_V_MODULE_OUT, LEAT_V_MODULE_ERRORS };
static const unsigned char queue_map[] = { LEAT_V_QUEUE_DEPTH, LEAT_V_QUEUE_IN, LEAT_V_QUEUE_OUT,
	LEAT_V_QUEUE_DROPPED, LEAT_V_QUEUE_NO_CREDIT, LEAT_V_QUEUE_NO_CREDIT_NS };
static const unsigned char pool_map[] = { LEAT_V_POOL_COUNT, LEAT_V_POOL_HOME, LEAT_V_POOL_EMPTY };
static const unsigned char pipeline_map[] = { LEAT_V_PIPELINE_ITEMS, LEAT_V_PIPELINE_DONE,
	LEAT_V_PIPELINE_DROPPED, LEAT_V_PIPELINE_CALLS, LEAT_V_PIPELINE_WORK_NS,
	LEAT_V_PIPELINE_STAGES, LEAT_V_PIPELINE_WORKERS };
static const unsigned char stage_map[] = { LEAT_V_STAGE_ITEMS, LEAT_V_STAGE_TIMED, LEAT_V_STAGE_NS,
	LEAT_V_STAGE_SERIAL };
static const unsigned char region_map[] = { LEAT_V_REGION_TIMES, LEAT_V_REGION_WALL_NS,
	LEAT_V_REGION_CPU_NS, LEAT_V_REGION_SYS_NS, LEAT_V_REGION_MINFLT, LEAT_V_REGION_MAJFLT,
	LEAT_V_REGION_NVCSW, LEAT_V_REGION_NIVCSW };

/* What a kind of slot becomes; `map` says which of its values are those of the part. */
static const struct {
	bool known;
	enum program_kind kind;
	const unsigned char *map;
} kinds[] = {
	[LEAT_STATS_WORK] = { true, PROGRAM_COUNTERS, NULL },
	[LEAT_STATS_REGION] = { true, PROGRAM_REGIONS, region_map },
	[LEAT_STATS_THREAD] = { true, PROGRAM_THREADS, NULL },
	[LEAT_STATS_MODULE] = { true, PROGRAM_MODULES, module_map },
	[LEAT_STATS_QUEUE] = { true, PROGRAM_QUEUES, queue_map },
	[LEAT_STATS_POOL] = { true, PROGRAM_POOLS, pool_map },
	[LEAT_STATS_PIPELINE] = { true, PROGRAM_PIPELINES, pipeline_map },
	[LEAT_STATS_STAGE] = { true, PROGRAM_STAGES, stage_map },
};

static const char senseless[] = "what the program wrote of it makes no sense";

static struct program_part *find(struct record *rec, enum program_kind kind, unsigned variant,
	const char *process, const char *name)
{
	if (!rec->program)
		return NULL;
	struct program_parts *parts = &rec->program->kinds[kind];
	for (size_t i = 0; i < parts->n; i++) {
		struct program_part *p = &parts->list[i];
		if (p->variant == variant && !strcmp(p->name, name) && !strcmp(p->process, process))
			return p;
	}
	return NULL;
}

/* The part of this name, made if need be. */
static struct program_part *get(struct record *rec, enum program_kind kind, unsigned variant,
	const char *process, const char *name)
{
	struct program_part *p = find(rec, kind, variant, process, name);
	if (p)
		return p;
	p = record_add_part(rec, kind);
	if (!p)
		return NULL;
	p->variant = variant;
	p->process = lt_arena_strdup(&rec->arena, process);
	p->name = lt_arena_strdup(&rec->arena, name);
	return p->process && p->name ? p : NULL;
}

/* One more into a value of several; one that is missing leaves no sum to speak of. */
static void combine(struct value *sum, struct value more, enum program_how how)
{
	bool fresh = sum->state == VALUE_UNAVAILABLE && !sum->reason;
	if (fresh || more.state == VALUE_UNAVAILABLE) {
		*sum = more;
		return;
	}
	if (sum->state == VALUE_UNAVAILABLE)
		return;
	sum->num = how == PROGRAM_SUM ? sum->num + more.num : fmax(sum->num, more.num);
	if (more.state > sum->state) {
		sum->state = more.state;
		sum->reason = more.reason;
	}
}

static void combine_all(struct program_part *p, enum program_kind kind, const struct value *more)
{
	for (size_t i = 0; i < program_kinds[kind].n; i++)
		combine(&p->v[i], more[i], program_kinds[kind].values[i].how);
}

/* ---- threads ---- */

/* Times that cannot be would end as shares of thousands of percent. */
static bool is_sane(const struct leat_stats_slot *s, uint64_t end_ns)
{
	const uint64_t *v = s->v;
	uint64_t start = v[LEAT_V_THREAD_START], wall = end_ns - start;
	if (!start || end_ns < start || wall > INT64_MAX)
		return false;
	uint64_t slack = wall / 8 + 20000000;
	if (v[LEAT_V_THREAD_HAS_SCHEDSTAT] && v[LEAT_V_THREAD_END] &&
		(v[LEAT_V_THREAD_CPU] - v[LEAT_V_THREAD_CPU0] > wall + slack ||
			v[LEAT_V_THREAD_RUNQ] - v[LEAT_V_THREAD_RUNQ0] > wall + slack))
		return false;
	for (unsigned i = 1; i < LEAT_CAUSES; i++)
		if (v[LEAT_V_THREAD_SLEEP_NS + i] > wall + slack)
			return false;
	return true;
}

static double sum_of(const uint64_t *v, unsigned n)
{
	double sum = 0;
	for (unsigned i = 0; i < n; i++)
		sum += (double)v[i];
	return sum;
}

_Static_assert((int)PROGRAM_CAUSES == (int)LEAT_CAUSES, "every cause has its value");

/* The split of its time; without the kernel's account only what the library measured. */
static void fill_times(const struct leat_stats_slot *s, const char *why_no_cpu, struct value *v)
{
	struct leat_share share;
	leat_stats_share(s, 0, 0, 0, &share);
	v[PROGRAM_THREAD_wall_ns] = value_of((double)share.wall_ns);
	v[PROGRAM_THREAD_cpu_ns] = value_of((double)share.cpu_ns);
	v[PROGRAM_THREAD_no_cpu_ns] = value_of((double)share.runq_ns);
	for (unsigned i = 0; i < LEAT_CAUSES; i++)
		v[PROGRAM_THREAD_other_ns + i] = value_of((double)share.wait_ns[i]);
	if (!why_no_cpu)
		return;
	v[PROGRAM_THREAD_cpu_ns] = value_missing(why_no_cpu, NULL);
	v[PROGRAM_THREAD_no_cpu_ns] = value_missing(why_no_cpu, NULL);
	v[PROGRAM_THREAD_other_ns] = value_missing(why_no_cpu, NULL);
}

static void fill_thread(const struct leat_stats_slot *slot, const struct pages_one *one,
	int64_t end_ns, struct value *v)
{
	struct leat_stats_slot s = *slot;
	const char *why_no_cpu = s.v[LEAT_V_THREAD_HAS_SCHEDSTAT]
		? NULL
		: "no schedstat of the thread could be read";
	bool killed = !s.v[LEAT_V_THREAD_END];
	if (killed) {
		s.v[LEAT_V_THREAD_END] = (uint64_t)end_ns;
		s.v[LEAT_V_THREAD_CPU] = s.v[LEAT_V_THREAD_CPU0];
		s.v[LEAT_V_THREAD_RUNQ] = s.v[LEAT_V_THREAD_RUNQ0];
		why_no_cpu = "the process ended without exit(3): its threads closed no account";
	}
	if (!is_sane(&s, s.v[LEAT_V_THREAD_END])) {
		for (unsigned i = 0; i < PROGRAM_THREAD_N; i++)
			v[i] = value_missing(senseless, NULL);
		return;
	}
	fill_times(&s, why_no_cpu, v);
	if (killed && !one->main) {
		v[PROGRAM_THREAD_wall_ns].state = VALUE_ESTIMATED;
		v[PROGRAM_THREAD_wall_ns].reason = "to the end of the run: its own is not known";
	}
	v[PROGRAM_THREAD_sleeps] = value_of(sum_of(s.v + LEAT_V_THREAD_SLEEPS, LEAT_CAUSES));
	v[PROGRAM_THREAD_late_ns] = value_of(sum_of(s.v + LEAT_V_THREAD_LATE_NS, LEAT_CAUSES));
	v[PROGRAM_THREAD_spin_ns] = value_of((double)s.v[LEAT_V_THREAD_SPIN_NS]);
	v[PROGRAM_THREAD_rounds] = value_of((double)s.v[LEAT_V_THREAD_ROUNDS]);
}

/* ---- the others ---- */

enum {
	SHARD = LEAT_STATS_VALUES / LEAT_STATS_SHARDS /* from one of a counter to the next */
};

/* May wrap around; what is added to it may undo that. */
static uint64_t units_of(const struct leat_stats_slot *slot)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < LEAT_STATS_VALUES; i += SHARD)
		sum += slot->v[i];
	return sum;
}

static void fill_region(
	const struct leat_stats_slot *slot, const struct pages_one *one, struct value *v)
{
	bool open = slot->v[LEAT_V_REGION_OPEN] != 0;
	if (slot->v[LEAT_V_REGION_WALL_NS] > INT64_MAX)
		for (unsigned i = 0; i < PROGRAM_REGION_N; i++)
			v[i] = value_missing(senseless, NULL);
	for (unsigned i = PROGRAM_REGION_cpu_ns; open && i < PROGRAM_REGION_N; i++)
		v[i] = value_missing("the region was open at an end of what was measured", NULL);
	if (open && one->killed && !one->main) {
		v[PROGRAM_REGION_wall_ns].state = VALUE_ESTIMATED;
		v[PROGRAM_REGION_wall_ns].reason = "to the end of the run: its own is not known";
	}
}

static void fill(const struct leat_stats_slot *slot, const struct pages_one *one, int64_t end_ns,
	struct value *v)
{
	enum program_kind kind = kinds[slot->kind].kind;
	const unsigned char *map = kinds[slot->kind].map;
	for (size_t i = 0; map && i < program_kinds[kind].n; i++)
		v[i] = value_of((double)slot->v[map[i]]);
	if (kind == PROGRAM_COUNTERS)
		v[PROGRAM_COUNTER_units] = value_of((double)units_of(slot));
	else if (kind == PROGRAM_THREADS)
		fill_thread(slot, one, end_ns, v);
	else if (kind == PROGRAM_REGIONS)
		fill_region(slot, one, v);
	for (size_t i = 0; (slot->seq & 1) && i < program_kinds[kind].n; i++)
		if (v[i].state == VALUE_MEASURED) {
			v[i].state = VALUE_ESTIMATED;
			v[i].reason = "it was being written when the program died";
		}
}

/* What `of` names; texts of the page. */
static const char *of_slot(const struct sys_stats_page *page, const struct leat_stats_slot *slot)
{
	uint64_t at = 0;
	switch (slot->kind) {
	case LEAT_STATS_WORK:
		return slot->unit;
	case LEAT_STATS_MODULE:
	case LEAT_STATS_PIPELINE:
		at = slot->parent;
		return at && page->slots[at - 1].kind == LEAT_STATS_THREAD
			? page->slots[at - 1].name
			: NULL;
	case LEAT_STATS_STAGE:
		at = slot->parent;
		return at && at <= page->n && page->slots[at - 1].kind == LEAT_STATS_PIPELINE
			? page->slots[at - 1].name
			: NULL;
	case LEAT_STATS_THREAD:
		at = slot->v[LEAT_V_THREAD_PORT];
		return at && at <= page->n && page->slots[at - 1].kind == LEAT_STATS_QUEUE
			? page->slots[at - 1].name
			: NULL;
	default:
		return NULL;
	}
}

static int add_slot(const struct pages_one *one, const struct leat_stats_slot *slot,
	const char *process, int64_t end_ns, struct record *rec, struct lt_err *err)
{
	if (slot->kind >= LT_COUNT(kinds) || !kinds[slot->kind].known)
		return 0; /* not in use, or of a later version */
	struct value v[PROGRAM_VALUES] = { 0 };
	enum program_kind kind = kinds[slot->kind].kind;
	struct program_part *p = get(rec, kind, 0, process, slot->name);
	if (!p)
		return lt_fail_mem(err);
	fill(slot, one, end_ns, v);
	combine_all(p, kind, v);
	p->count++;
	const char *of = of_slot(&one->page, slot);
	if (of && *of && !p->of) {
		p->of = lt_arena_strdup(&rec->arena, of);
		if (!p->of)
			return lt_fail_mem(err);
	}
	return 0;
}

static const char *name_of(
	const struct pages *pages, const struct pages_one *one, char *room, size_t size)
{
	const struct pages_one *first = &pages->list[0];
	const char *name = *one->page.head.name ? one->page.head.name : "unnamed";
	if (one->main || !first->main || strcmp(first->page.head.name, one->page.head.name) != 0)
		return name;
	snprintf(room, size, "%s (child)", name);
	return room;
}

int parts_of_pages(const struct pages *pages, struct record *rec, struct lt_err *err)
{
	int r = 0;
	for (size_t i = 0; i < pages->n && r >= 0; i++) {
		const struct pages_one *one = &pages->list[i];
		char room[LEAT_STATS_NAME + 16];
		const char *process = name_of(pages, one, room, sizeof(room));
		struct program_part *p = get(rec, PROGRAM_PROCESSES, 0, process, process);
		if (!p)
			return lt_fail_mem(err);
		p->count++;
		for (uint32_t k = 0; k < one->page.n && r >= 0; k++)
			r = add_slot(one, &one->page.slots[k], process, pages->end_ns, rec, err);
	}
	return r;
}

int parts_sum(struct record *rec, unsigned key, const struct program *one, struct lt_err *err)
{
	for (unsigned kind = 0; one && kind < PROGRAM_KINDS; kind++) {
		for (size_t i = 0; i < one->kinds[kind].n; i++) {
			const struct program_part *from = &one->kinds[kind].list[i];
			struct program_part *p = get(rec, kind, key, from->process, from->name);
			if (!p)
				return lt_fail_mem(err);
			p->count += from->count;
			p->chosen = from->chosen;
			for (size_t k = 0; k < program_kinds[kind].n; k++)
				combine(&p->v[k], from->v[k], PROGRAM_SUM);
			if (from->of && !p->of)
				p->of = lt_arena_strdup(&rec->arena, from->of);
		}
	}
	return rec->arena.failed ? lt_fail_mem(err) : 0;
}

void parts_divide(struct program_part *part, enum program_kind kind, unsigned runs)
{
	part->count /= runs;
	for (size_t k = 0; k < program_kinds[kind].n; k++)
		part->v[k].num /= runs;
}

static double units_inside(const struct sys_stats_page *page, const struct leat_stats_slot *region,
	const char *counter)
{
	unsigned n = 0;
	for (uint32_t i = 0; i < page->n; i++) {
		const struct leat_stats_slot *s = &page->slots[i];
		if (s->kind != LEAT_STATS_WORK)
			continue;
		if (n >= LEAT_V_REGION_AT_CPU_NS - LEAT_V_REGION_WORK)
			return 0; /* a region looks at so many only */
		if (strcmp(s->name, counter) == 0) {
			uint64_t units = region->v[LEAT_V_REGION_WORK + n];
			if (region->v[LEAT_V_REGION_OPEN])
				units += units_of(s);
			return units <= INT64_MAX ? (double)units : 0;
		}
		n++;
	}
	return 0;
}

double parts_units_inside(const struct pages *pages, const char *region, const char *counter)
{
	double sum = 0;
	for (size_t i = 0; i < pages->n; i++) {
		const struct sys_stats_page *page = &pages->list[i].page;
		for (uint32_t k = 0; k < page->n; k++)
			if (page->slots[k].kind == LEAT_STATS_REGION &&
				strcmp(page->slots[k].name, region) == 0)
				sum += units_inside(page, &page->slots[k], counter);
	}
	return sum;
}
