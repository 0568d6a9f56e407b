/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which columns each table has, and filling them. */
#include "report/program_grid.h"

#include <math.h>
#include <string.h>

#include "base/own.h"
#include "report/format.h"
#include "report/page.h"

enum when {
	ALWAYS,
	IF_ANY, /* some row has more than next to nothing */
};

/* A share is of the part's first value, its wall time. */
struct column {
	const char *head;
	unsigned value;
	enum when when;
	bool share;
};

#define SHARE(head, name)                                 \
	{                                                 \
		head, PROGRAM_THREAD_##name, IF_ANY, true \
	}

static const struct column thread_times[] = {
	{ "wall", PROGRAM_THREAD_wall_ns, ALWAYS, false },
	{ "on CPU", PROGRAM_THREAD_cpu_ns, ALWAYS, true },
	SHARE("no CPU", no_cpu_ns),
	SHARE("input", input_ns),
	SHARE("credit", credit_ns),
	SHARE("pool", pool_ns),
	SHARE("timer", timer_ns),
	SHARE("turn", turn_ns),
	SHARE("task", task_ns),
	SHARE("other", other_ns),
};

static const struct column thread_more[] = {
	{ "sleeps", PROGRAM_THREAD_sleeps, ALWAYS, false },
	{ "woken late", PROGRAM_THREAD_late_ns, ALWAYS, false },
	{ "spinning", PROGRAM_THREAD_spin_ns, ALWAYS, false },
	{ "rounds", PROGRAM_THREAD_rounds, ALWAYS, false },
};

static const struct column module_columns[] = {
	{ "in", PROGRAM_MODULE_in, ALWAYS, false },
	{ "out", PROGRAM_MODULE_out, ALWAYS, false },
	{ "calls", PROGRAM_MODULE_calls, ALWAYS, false },
	{ "errors", PROGRAM_MODULE_errors, IF_ANY, false },
};

static const struct column queue_columns[] = {
	{ "depth", PROGRAM_QUEUE_depth, ALWAYS, false },
	{ "in", PROGRAM_QUEUE_in, ALWAYS, false },
	{ "dropped", PROGRAM_QUEUE_dropped, IF_ANY, false },
	{ "found full", PROGRAM_QUEUE_full, ALWAYS, false },
	{ "waited", PROGRAM_QUEUE_full_ns, IF_ANY, false },
};

static const struct column pool_columns[] = {
	{ "buffers", PROGRAM_POOL_buffers, ALWAYS, false },
	{ "at home", PROGRAM_POOL_home, ALWAYS, false },
	{ "found empty", PROGRAM_POOL_empty, ALWAYS, false },
};

static const struct column pipeline_columns[] = {
	{ "workers", PROGRAM_PIPELINE_workers, ALWAYS, false },
	{ "items", PROGRAM_PIPELINE_items, ALWAYS, false },
	{ "dropped", PROGRAM_PIPELINE_dropped, IF_ANY, false },
	{ "calls", PROGRAM_PIPELINE_calls, ALWAYS, false },
	{ "work", PROGRAM_PIPELINE_work_ns, ALWAYS, false },
};

static const struct column stage_columns[] = {
	{ "items", PROGRAM_STAGE_items, ALWAYS, false },
	{ "timed", PROGRAM_STAGE_timed, ALWAYS, false },
	{ "those took", PROGRAM_STAGE_timed_ns, ALWAYS, false },
};

static const struct column counter_columns[] = {
	{ "units", PROGRAM_COUNTER_units, ALWAYS, false },
};

static const struct column region_columns[] = {
	{ "times", PROGRAM_REGION_times, ALWAYS, false },
	{ "wall", PROGRAM_REGION_wall_ns, ALWAYS, false },
	{ "cpu", PROGRAM_REGION_cpu_ns, ALWAYS, false },
	{ "sys~", PROGRAM_REGION_sys_ns, IF_ANY, false },
	{ "faults", PROGRAM_REGION_minor_faults, IF_ANY, false },
	{ "switches", PROGRAM_REGION_vol_switches, IF_ANY, false },
};

static const struct {
	enum program_kind kind;
	const char *title;             /* for people */
	const char *head;              /* of the names */
	const char *of;                /* head of the names' column behind them; NULL = none */
	unsigned name_width, of_width; /* in a narrow table */
	bool rare;
	const struct column *columns;
	size_t n;
} tables[] = {
	{ PROGRAM_THREADS, "threads: where their time went", "thread", NULL, 14, 0, false,
		thread_times, LT_COUNT(thread_times) },
	{ PROGRAM_THREADS, "threads: their sleeps", "thread", "no credit from", 14, 14, true,
		thread_more, LT_COUNT(thread_more) },
	{ PROGRAM_MODULES, "modules: buffers in and out", "module", "thread", 14, 14, false,
		module_columns, LT_COUNT(module_columns) },
	{ PROGRAM_QUEUES, "queues: buffers through them", "queue", NULL, 24, 0, false,
		queue_columns, LT_COUNT(queue_columns) },
	{ PROGRAM_POOLS, "pools", "pool", NULL, 14, 0, true, pool_columns, LT_COUNT(pool_columns) },
	{ PROGRAM_PIPELINES, "pipelines", "pipeline", "thread", 14, 10, false, pipeline_columns,
		LT_COUNT(pipeline_columns) },
	{ PROGRAM_STAGES, "stages of pipelines", "stage", "pipeline", 14, 14, false, stage_columns,
		LT_COUNT(stage_columns) },
	{ PROGRAM_REGIONS, "regions marked by the program", "region", NULL, 14, 0, false,
		region_columns, LT_COUNT(region_columns) },
	{ PROGRAM_COUNTERS, "work counters", "counter", "unit", 14, 14, true, counter_columns,
		LT_COUNT(counter_columns) },
};

/* Columns of thread_times that are waits, from the first: their legend. */
static const char *const causes[] = {
	"no CPU: could run, but had none",
	"input: nothing to read",
	"credit: a queue behind was full",
	"pool: no free buffer",
	"timer: only a time or a descriptor to wait for",
	"turn: no token to move",
	"task: no task",
	"other: asleep in its own code, or woken late",
};

enum {
	FIRST_CAUSE = 2, /* index in thread_times */
	WAITS_MAX = 5,   /* in a narrow table */
};
_Static_assert(LT_COUNT(causes) == LT_COUNT(thread_times) - FIRST_CAUSE, "each cause is explained");

const char *program_cause_text(size_t i)
{
	return i < LT_COUNT(causes) ? causes[i] : NULL;
}

size_t program_tables(void)
{
	return LT_COUNT(tables);
}

bool program_table_is_rare(size_t table)
{
	return tables[table].rare;
}

static bool is_shown(const struct program_view *view, const struct program_part *p)
{
	return p->variant == view->variant && !strcmp(p->process, view->process);
}

static bool matters(const struct program_part *p, const struct column *c)
{
	const struct value *v = &p->v[c->value], *all = &p->v[0];
	if (v->state == VALUE_UNAVAILABLE)
		return true;
	return c->share ? v->num > 0.0005 * all->num : v->num != 0;
}

static bool has_column(
	const struct program_view *view, const struct program_parts *parts, const struct column *c)
{
	if (c->when == ALWAYS)
		return true;
	for (size_t i = 0; i < parts->n; i++)
		if (is_shown(view, &parts->list[i]) && matters(&parts->list[i], c))
			return true;
	return false;
}

static void note_reason(struct program_grid *g, const char *reason)
{
	for (size_t i = 0; reason && i < PROGRAM_REASONS; i++) {
		if (!g->reasons[i])
			g->reasons[i] = reason;
		if (!strcmp(g->reasons[i], reason))
			return;
	}
}

static void add_value(struct program_grid *g, const struct program_part *p, const struct column *c,
	const char *unit)
{
	const struct value *v = &p->v[c->value], *all = &p->v[0];
	if (v->state == VALUE_UNAVAILABLE || (c->share && all->state == VALUE_UNAVAILABLE)) {
		note_reason(g, v->state == VALUE_UNAVAILABLE ? v->reason : all->reason);
		grid_add(&g->grid, "n/a");
	} else if (!c->share) {
		/* Means of counts are rarely whole, and their fraction says nothing. */
		double num = !strcmp(unit, "count") && v->num >= 100 ? round(v->num) : v->num;
		grid_add(&g->grid, format_value(unit, num, NAN).s);
	} else if (all->num > 0) {
		grid_add(&g->grid, format_percent(v->num / all->num).s);
	} else {
		grid_add(&g->grid, "");
	}
}

static bool is_estimated(const struct program_part *p, enum program_kind kind)
{
	for (size_t i = 0; i < program_kinds[kind].n; i++)
		if (p->v[i].state == VALUE_ESTIMATED)
			return true;
	return false;
}

/* "t0", "helper x 7", "main^" */
static void add_name(struct program_grid *g, const struct program_view *view, size_t table,
	const struct program_part *p)
{
	LT_AUTO_BUF struct lt_buf cell = { 0 };
	bool estimated = is_estimated(p, tables[table].kind);
	bool several = isfinite(p->count) && p->count != 1;
	g->estimated = g->estimated || estimated;
	page_text(&cell, p->name, view->narrow ? tables[table].name_width - 4 * several : 0);
	lt_buf_adds(&cell, estimated ? "^" : "");
	if (several)
		lt_buf_addf(&cell, " ×%s", format_value("count", p->count, NAN).s);
	grid_add(&g->grid, cell.data ? cell.data : "");
	if (cell.failed)
		g->grid.failed = true;
}

static void add_of(
	struct program_grid *g, const struct program_view *view, size_t table, const char *of)
{
	LT_AUTO_BUF struct lt_buf cell = { 0 };
	page_text(&cell, of ? of : "", view->narrow ? tables[table].of_width : 0);
	grid_add(&g->grid, cell.data ? cell.data : "");
	if (cell.failed)
		g->grid.failed = true;
}

/* The largest share of a wait in any row: what decides which are left out. */
static double weight(
	const struct program_view *view, const struct program_parts *parts, const struct column *c)
{
	double most = 0;
	for (size_t i = 0; i < parts->n; i++) {
		const struct program_part *p = &parts->list[i];
		const struct value *v = &p->v[c->value], *all = &p->v[0];
		if (is_shown(view, p) && v->state != VALUE_UNAVAILABLE && all->num > 0)
			most = fmax(most, v->num / all->num);
	}
	return most;
}

/* Of the waits the heaviest only. */
static unsigned leave_out_minor(struct program_grid *g, const struct program_view *view,
	const struct program_parts *parts, unsigned shown)
{
	while (__builtin_popcount(shown >> FIRST_CAUSE) > WAITS_MAX) {
		size_t least = 0;
		double lightest = INFINITY;
		for (size_t i = FIRST_CAUSE; i < LT_COUNT(thread_times); i++) {
			double w = weight(view, parts, &thread_times[i]);
			if (!(shown >> i & 1) || w > lightest)
				continue;
			least = i;
			lightest = w;
		}
		shown &= ~(1u << least);
		g->cut++;
	}
	return shown;
}

/* Bits of the columns that are shown. */
static unsigned choose_columns(struct program_grid *g, size_t table,
	const struct program_view *view, const struct program_parts *parts)
{
	unsigned shown = 0;
	for (size_t i = 0; i < tables[table].n; i++)
		if (has_column(view, parts, &tables[table].columns[i]))
			shown |= 1u << i;
	if (tables[table].columns != thread_times)
		return shown;
	if (view->narrow)
		shown = leave_out_minor(g, view, parts, shown);
	g->causes = shown >> FIRST_CAUSE;
	return shown;
}

static void add_head(struct program_grid *g, size_t table, unsigned shown)
{
	char *align = g->align;
	grid_add(&g->grid, tables[table].head);
	*align++ = 'l';
	for (size_t i = 0; i < tables[table].n; i++) {
		if (!(shown >> i & 1))
			continue;
		grid_add(&g->grid, tables[table].columns[i].head);
		*align++ = 'r';
	}
	if (tables[table].of) {
		grid_add(&g->grid, tables[table].of);
		*align++ = 'l';
	}
	*align = '\0';
	g->grid.align = g->align;
}

bool program_grid_fill(size_t table, const struct program_view *view, struct program_grid *ret)
{
	enum program_kind kind = tables[table].kind;
	const struct program_parts *parts = &view->rec->program->kinds[kind];
	*ret = (struct program_grid){ .title = tables[table].title };
	unsigned shown = 0;
	size_t rows = 0;
	for (size_t i = 0; i < parts->n; i++) {
		const struct program_part *p = &parts->list[i];
		if (!is_shown(view, p))
			continue;
		if (rows++ == 0) {
			shown = choose_columns(ret, table, view, parts);
			add_head(ret, table, shown);
		}
		if (view->rows && rows > view->rows) {
			ret->hidden++;
			continue;
		}
		add_name(ret, view, table, p);
		for (size_t k = 0; k < tables[table].n; k++) {
			const struct column *c = &tables[table].columns[k];
			if (shown >> k & 1)
				add_value(ret, p, c, program_kinds[kind].values[c->value].unit);
		}
		if (tables[table].of)
			add_of(ret, view, table, p->of);
	}
	return rows > 0;
}

void program_grid_done(struct program_grid *g)
{
	grid_done(&g->grid);
}

const struct program_part *program_next_process(
	const struct record *rec, unsigned variant, const struct program_part *before)
{
	const struct program_parts *all =
		rec->program ? &rec->program->kinds[PROGRAM_PROCESSES] : NULL;
	for (size_t i = before ? (size_t)(before - all->list) + 1 : 0; all && i < all->n; i++)
		if (all->list[i].variant == variant)
			return &all->list[i];
	return NULL;
}

void program_process_title(const struct record *rec, unsigned variant,
	const struct program_part *process, struct lt_buf *out)
{
	bool several = isfinite(process->count) && process->count != 1;
	size_t n = 0;
	const struct program_part *p = NULL;
	while ((p = program_next_process(rec, variant, p)))
		n++;
	if (rec->n_variants > 1)
		page_text(out, rec->variants[variant].name, 24);
	if (n > 1 || several) {
		lt_buf_adds(out, out->len ? ", " : "");
		page_text(out, process->name, 48);
	}
	if (several)
		lt_buf_addf(out, ", %s processes", format_count(process->count).s);
}
