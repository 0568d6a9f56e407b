/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Choosing a counter and a region, summing up, and telling. */
#include "run/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "record/record_json.h"
#include "run/analysis.h"
#include "run/parts.h"

int program_open(struct program_watch *w, struct record *rec, const struct run_opts *opts,
	struct lt_err *err)
{
	*w = (struct program_watch){ .rec = rec, .opts = opts };
	w->choices = lt_arena_alloc(&rec->arena, RECORD_MAX_VARIANTS * sizeof(*w->choices));
	return w->choices ? 0 : lt_fail_mem(err);
}

void program_close(struct program_watch *w)
{
	record_free(w->sums);
	w->sums = NULL;
}

static const char not_entered[] = "the program did not enter its region";

/* ---- choosing ---- */

static bool is_none(const char *name)
{
	return name && !strcmp(name, "none");
}

/* The part asked for by name, or else the first that has counted, or was entered. */
static struct program_part *choose(
	const struct record *one, enum program_kind kind, const char *want, unsigned *ret_n)
{
	struct program_part *best = NULL;
	const struct program_parts *parts = &one->program->kinds[kind];
	for (size_t i = 0; i < parts->n; i++) {
		struct program_part *p = &parts->list[i];
		bool used = p->v[0].state != VALUE_UNAVAILABLE && p->v[0].num > 0;
		*ret_n += used;
		if (!best && (want ? !strcmp(p->name, want) : used))
			best = p;
	}
	return best;
}

static int choose_all(struct program_watch *w, struct program_choice *c, const struct record *one,
	bool window, struct lt_err *err)
{
	struct lt_arena *arena = &w->rec->arena;
	const struct run_opts *o = w->opts;
	unsigned n = 0;
	bool stated = o->work > 0 || o->work_from || is_none(o->work_counter);
	const struct program_part *p =
		c->counter || stated ? NULL : choose(one, PROGRAM_COUNTERS, o->work_counter, &n);
	if (p) {
		c->counter = lt_arena_strdup(arena, p->name);
		c->unit = p->of ? lt_arena_strdup(arena, p->of) : NULL;
		c->counters = n;
	}
	n = 0;
	p = c->region || window || is_none(o->region) ? NULL
						      : choose(one, PROGRAM_REGIONS, o->region, &n);
	if (p) {
		c->region = lt_arena_strdup(arena, p->name);
		c->regions = n;
	}
	return arena->failed ? lt_fail_mem(err) : 0;
}

static void mark_chosen(const struct record *one, enum program_kind kind, const char *name)
{
	struct program_parts *parts = &one->program->kinds[kind];
	for (size_t i = 0; i < parts->n; i++)
		parts->list[i].chosen = name && !strcmp(parts->list[i].name, name);
}

/* ---- readings of a region ---- */

/* A value of all processes together: of times the longest, of all else the sum. */
static struct value region_value(const struct record *one, const char *region, unsigned value)
{
	const struct program_parts *parts = &one->program->kinds[PROGRAM_REGIONS];
	struct value all = value_missing(not_entered, NULL);
	bool longest = program_kinds[PROGRAM_REGIONS].values[value].how == PROGRAM_MAX;
	bool any = false;
	for (size_t i = 0; i < parts->n; i++) {
		const struct program_part *p = &parts->list[i];
		const struct value *v = &p->v[value], *times = &p->v[PROGRAM_REGION_times];
		if (strcmp(p->name, region) != 0 ||
			(times->state != VALUE_UNAVAILABLE && times->num == 0))
			continue;
		if (v->state == VALUE_UNAVAILABLE)
			return *v;
		if (!any)
			all = *v;
		else
			all.num = longest ? fmax(all.num, v->num) : all.num + v->num;
		any = true;
	}
	return all;
}

/* Metrics that a region has too. */
static const struct {
	const char *metric;
	unsigned value;
} of_region[] = {
	{ "wall", PROGRAM_REGION_wall_ns },
	{ "cpu", PROGRAM_REGION_cpu_ns },
	{ "sys", PROGRAM_REGION_sys_ns },
	{ "minor-faults", PROGRAM_REGION_minor_faults },
	{ "major-faults", PROGRAM_REGION_major_faults },
	{ "vol-switches", PROGRAM_REGION_vol_switches },
	{ "invol-switches", PROGRAM_REGION_invol_switches },
};

static struct value two(struct value a, struct value b, double num)
{
	return a.state == VALUE_UNAVAILABLE ? a : b.state == VALUE_UNAVAILABLE ? b : value_of(num);
}

static struct value region_reading(const struct record *one, const char *region, const char *metric)
{
	struct value wall = region_value(one, region, PROGRAM_REGION_wall_ns);
	struct value cpu = region_value(one, region, PROGRAM_REGION_cpu_ns);
	struct value sys = region_value(one, region, PROGRAM_REGION_sys_ns);
	for (size_t i = 0; i < LT_COUNT(of_region); i++)
		if (!strcmp(of_region[i].metric, metric))
			return region_value(one, region, of_region[i].value);
	if (!strcmp(metric, "user"))
		return two(cpu, sys, fmax(cpu.num - sys.num, 0));
	if (!strcmp(metric, "cores"))
		return two(cpu, wall, wall.num > 0 ? cpu.num / wall.num : 0);
	return value_missing("known of whole runs only, and the program marked a region",
		"--region none measures whole runs");
}

static void read_region(struct program_watch *w, struct program_choice *c, const struct record *one,
	struct trial *t)
{
	const struct record *rec = w->rec;
	int wall = record_metric(rec, "wall");
	struct value inside = region_value(one, c->region, PROGRAM_REGION_wall_ns);
	c->outside += inside.state == VALUE_UNAVAILABLE;
	if (wall >= 0 && !t->evidence && t->readings[wall].state != VALUE_UNAVAILABLE &&
		inside.state != VALUE_UNAVAILABLE) {
		c->region_ns += inside.num;
		c->wall_ns += t->readings[wall].num;
	}
	for (size_t i = 0; i < rec->n_metrics; i++) {
		struct value *v = &t->readings[i];
		if (v->state != VALUE_UNAVAILABLE)
			*v = t->evidence ? region_reading(one, c->region, "")
					 : region_reading(one, c->region, rec->metrics[i].name);
	}
}

/* A run that did not enter the region is not to be mixed with those that did. */
static void leave_out(struct program_watch *w, struct program_choice *c, struct trial *t)
{
	c->outside++;
	for (size_t i = 0; i < w->rec->n_metrics; i++)
		if (t->readings[i].state != VALUE_UNAVAILABLE)
			t->readings[i] = value_missing(not_entered, NULL);
}

/* Earlier runs of the variant than the one that showed that there is a region. */
static void leave_out_earlier(struct program_watch *w, struct program_choice *c, struct trial *t)
{
	for (struct trial *early = w->rec->trials; early < t; early++)
		if (early->variant == t->variant)
			leave_out(w, c, early);
}

/* ---- one run ---- */

static double units_counted(const struct record *one, const char *counter)
{
	const struct program_parts *parts = &one->program->kinds[PROGRAM_COUNTERS];
	double sum = 0;
	for (size_t i = 0; i < parts->n; i++)
		if (!strcmp(parts->list[i].name, counter))
			sum += parts->list[i].v[PROGRAM_COUNTER_units].num;
	return sum;
}

static bool is_full(const struct sys_stats_page *page)
{
	return page->head.used >= page->head.n_slots || page->n == SYS_STATS_SLOTS;
}

static int note_pages(struct program_watch *w, const struct pages *pages, struct lt_err *err)
{
	w->unread += pages->unread;
	if (pages->unread && !w->why_unread)
		w->why_unread = lt_arena_strdup(&w->rec->arena,
			pages->last.text[0] ? pages->last.text : "too many of them");
	for (size_t i = 0; i < pages->n && !w->full; i++)
		if (is_full(&pages->list[i].page))
			w->full = lt_arena_strdup(&w->rec->arena, pages->list[i].page.head.name);
	return w->rec->arena.failed ? lt_fail_mem(err) : 0;
}

static int take(struct program_watch *w, const struct pages *pages, const struct record *one,
	struct trial *t, bool window, double *ret_units, struct lt_err *err)
{
	struct program_choice *c = &w->choices[t->variant];
	const char *before = c->region;
	int r = choose_all(w, c, one, window, err);
	if (r < 0)
		return r;
	if (c->region && !before)
		leave_out_earlier(w, c, t);
	mark_chosen(one, PROGRAM_COUNTERS, c->counter);
	mark_chosen(one, PROGRAM_REGIONS, c->region);
	if (c->counter)
		*ret_units = c->region ? parts_units_inside(pages, c->region, c->counter)
				       : units_counted(one, c->counter);
	if (c->region)
		read_region(w, c, one, t);
	if (t->evidence)
		return 0; /* under an instrument: its times mean nothing */
	if (!w->sums)
		w->sums = record_new();
	if (!w->sums)
		return lt_fail_mem(err);
	c->runs[!t->kept]++;
	return parts_sum(w->sums, 2 * t->variant + !t->kept, one->program, err);
}

int program_take(struct program_watch *w, const struct pages *pages, struct trial *t, bool window,
	double *ret_units, struct lt_err *err)
{
	*ret_units = 0;
	int r = note_pages(w, pages, err);
	if (r < 0)
		return r;
	if (!pages->n) {
		if (w->choices[t->variant].region)
			leave_out(w, &w->choices[t->variant], t);
		return 0;
	}
	LT_AUTO_RECORD struct record *one = record_new();
	if (!one)
		return lt_fail_mem(err);
	r = parts_of_pages(pages, one, err);
	return r < 0 ? r : take(w, pages, one, t, window, ret_units, err);
}

void program_keep_first(struct program_watch *w)
{
	struct program_choice *c = &w->choices[0];
	for (unsigned kind = 0; w->sums && w->sums->program && kind < PROGRAM_KINDS; kind++)
		for (size_t i = 0; i < w->sums->program->kinds[kind].n; i++)
			w->sums->program->kinds[kind].list[i].variant = 0;
	c->runs[0] += c->runs[1];
	c->runs[1] = 0;
}

/* ---- the end ---- */

/* The runs that count; where none does, what the others did is better than nothing. */
static int take_over(struct program_watch *w, unsigned variant, struct lt_err *err)
{
	const struct program_choice *c = &w->choices[variant];
	unsigned which = c->runs[0] ? 0 : 1;
	if (!c->runs[which])
		return 0;
	size_t before[PROGRAM_KINDS];
	for (unsigned kind = 0; kind < PROGRAM_KINDS; kind++)
		before[kind] = w->rec->program ? w->rec->program->kinds[kind].n : 0;
	int r = record_copy_parts(w->rec, variant, w->sums, 2 * variant + which, err);
	for (unsigned kind = 0; r >= 0 && w->rec->program && kind < PROGRAM_KINDS; kind++) {
		struct program_parts *parts = &w->rec->program->kinds[kind];
		for (size_t i = before[kind]; i < parts->n; i++)
			parts_divide(&parts->list[i], kind, c->runs[which]);
	}
	if (r >= 0 && which == 1)
		r = analysis_found(w->rec, "program-of-failed", SEVERITY_WARNING, (int)variant,
			c->runs[1], 0, NULL, err);
	return r;
}

static int tell_choice(struct program_watch *w, unsigned variant, struct lt_err *err)
{
	const struct program_choice *c = &w->choices[variant];
	const struct run_opts *o = w->opts;
	int r = 0;
	if (c->region)
		r = analysis_found(w->rec, "region", SEVERITY_INFO, (int)variant,
			c->region_ns / c->wall_ns, 0, c->region, err);
	if (r >= 0 && c->region && c->outside)
		r = analysis_found(w->rec, "region-not-entered", SEVERITY_WARNING, (int)variant,
			c->outside, 0, c->region, err);
	if (r >= 0 && c->regions > 1 && !o->region)
		r = analysis_found(w->rec, "regions-several", SEVERITY_INFO, (int)variant,
			c->regions, 0, c->region, err);
	if (r >= 0 && c->counters > 1 && !o->work_counter)
		r = analysis_found(w->rec, "counters-several", SEVERITY_INFO, (int)variant,
			c->counters, 0, c->counter, err);
	if (r >= 0 && o->region && !c->region && !is_none(o->region) && !o->attach)
		r = analysis_found(w->rec, "region-missing", SEVERITY_WARNING, (int)variant, 0, 0,
			o->region, err);
	if (r >= 0 && o->work_counter && !c->counter && !is_none(o->work_counter))
		r = analysis_found(w->rec, "counter-missing", SEVERITY_WARNING, (int)variant, 0, 0,
			o->work_counter, err);
	return r;
}

/* What the variants have in common. */
static int tell_plan(struct program_watch *w, struct lt_err *err)
{
	struct plan *plan = &w->rec->plan;
	const struct program_choice *first = NULL;
	bool same_unit = true, same_counter = true, same_region = true;
	for (unsigned v = 0; v < w->rec->n_variants; v++) {
		const struct program_choice *c = &w->choices[v];
		first = first ? first : c;
		same_unit = same_unit && lt_same_text(c->unit, first->unit);
		same_counter = same_counter && lt_same_text(c->counter, first->counter);
		same_region = same_region && lt_same_text(c->region, first->region);
		if (c->counter && !plan->work_from)
			plan->work_from = lt_arena_printf(
				&w->rec->arena, "work counter '%s' of the program", c->counter);
		plan->region = plan->region ? plan->region : c->region;
	}
	if (!same_counter)
		plan->work_from = "a work counter of each program";
	if (first && same_unit)
		plan->work_unit = first->unit;
	if (w->rec->arena.failed)
		return lt_fail_mem(err);
	return same_region
		? 0
		: analysis_found(w->rec, "regions-differ", SEVERITY_WARNING, -1, 0, 0, NULL, err);
}

/* As people count: t2 before t10. All else stays in the order in which it was made. */
static int by_name(const void *a, const void *b)
{
	const struct program_part *x = a, *y = b;
	if (x->variant != y->variant)
		return x->variant < y->variant ? -1 : 1;
	int r = strcmp(x->process, y->process);
	return r ? r : strverscmp(x->name, y->name);
}

static void sort_threads(struct record *rec)
{
	struct program_parts *threads = rec->program ? &rec->program->kinds[PROGRAM_THREADS] : NULL;
	if (threads && threads->n > 1)
		qsort(threads->list, threads->n, sizeof(*threads->list), by_name);
}

int program_finish(struct program_watch *w, struct lt_err *err)
{
	int r = tell_plan(w, err);
	for (unsigned v = 0; v < w->rec->n_variants && r >= 0; v++) {
		r = take_over(w, v, err);
		if (r >= 0 && !w->rec->variants[v].aa)
			r = tell_choice(w, v, err);
	}
	sort_threads(w->rec);
	if (r >= 0 && w->full)
		r = analysis_found(w->rec, "page-full", SEVERITY_INFO, -1, 0, 0, w->full, err);
	if (r >= 0 && w->unread)
		r = analysis_found(w->rec, "page-unread", SEVERITY_WARNING, -1, w->unread, 0,
			w->why_unread, err);
	return r;
}
