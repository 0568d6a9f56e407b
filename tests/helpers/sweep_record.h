/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The record of a sweep made by hand, with every part that only sweeps have. */
#ifndef TESTS_SWEEP_RECORD_H
#define TESTS_SWEEP_RECORD_H

#include <math.h>

#include "base/own.h"
#include "record/record.h"

static const char *const sweep_threads[] = { "1", "2", "4" };

static const struct metric sweep_metrics[] = {
	{ "wall", "ns", METRIC_LOWER, METRIC_COUNTER, false, "wall time from exec to exit",
		"program", "CLOCK_MONOTONIC" },
};

/* A finding with everything; false without memory. */
static LT_UNUSED bool sweep_finding(struct record *rec)
{
	struct finding *f = record_add_finding(rec);
	if (!f)
		return false;
	f->id = "false-sharing";
	f->severity = SEVERITY_WARNING;
	f->variant = 1;
	f->share = 0.93;
	f->confidence = CONFIDENCE_HIGH;
	f->confirm = "put the two on cache lines of their own";
	struct finding_place *p = record_add_place(rec, f);
	if (!p)
		return false;
	*p = (struct finding_place){ .role = "writes",
		.thread = "worker",
		.function = "count_up",
		.object = "prog",
		.file = "prog.c",
		.line = 23,
		.data = "counters",
		.offset = 8 };
	if (!record_add_place(rec, f))
		return false;
	return record_add_fact(rec, f, "hot-line", "ratio", 0.98) != NULL;
}

static LT_UNUSED bool sweep_remedies(struct record *rec)
{
	struct remedy_result *r = record_add_remedy(rec);
	if (!r)
		return false;
	r->name = "glibc-big-blocks";
	r->change = "GLIBC_TUNABLES=glibc.malloc.mmap_max=0";
	r->variant = 3;
	r->verdict = REMEDY_HELPS;
	r->best = true;
	r->n = 8;
	r->ratio = (struct estimate){ value_of(12.5), 11.9, 13.1 };
	r->level = 0.95;
	r->p = 0.0078;
	r->p_holm = 0.0234;
	r->peak = value_of(3 << 20);
	r->peak_without = value_of(2 << 20);
	r = record_add_remedy(rec);
	if (!r)
		return false;
	r->name = "jemalloc";
	r->verdict = REMEDY_NOT_TRIED;
	r->reason = "libjemalloc.so.2 is not installed";
	r->hint = "apt install libjemalloc2";
	r->peak = r->peak_without = value_missing("not tried", NULL);
	return true;
}

static LT_UNUSED bool sweep_ledger(struct record *rec)
{
	struct time_ledger *l = rec->ledger = lt_arena_alloc(&rec->arena, sizeof(*l));
	struct ledger_line *lines = lt_arena_alloc(&rec->arena, 2 * sizeof(*lines));
	struct cores_used *used = lt_arena_alloc(&rec->arena, 3 * sizeof(*used));
	if (!l || !lines || !used)
		return false;
	lines[0] = (struct ledger_line){ LEDGER_USER, "worker", "compute", "count_up", "prog",
		"prog.c", 23, 3.9e9, "clock samples" };
	lines[1] = (struct ledger_line){ .part = LEDGER_IDLE, .op = "futex-wait", .core_ns = 1e8 };
	for (unsigned i = 0; i < 3; i++)
		used[i] = (struct cores_used){ i, 1e8 * (i + 1) };
	*l = (struct time_ledger){ .variant = 1,
		.threads = 2,
		.cores = 2,
		.wall_ns = 2.8e9,
		.useful_ns = 1.5e9,
		.lost_ns = 4.1e9,
		.user_ns = 3.9e9,
		.system_ns = 0,
		.idle_ns = 0.2e9,
		.unexplained_ns = 0.1e9,
		.lines = lines,
		.n_lines = 2,
		.used = used,
		.n_used = 3,
		.used_tier = "scheduler" };
	return true;
}

static LT_UNUSED bool sweep_curve(struct record *rec)
{
	static const double walls[] = { 1.5e9, 2.8e9, 2.9e9, 0.2e9 };
	for (unsigned i = 0; i < 4; i++) {
		struct curve_point *c = record_add_curve(rec);
		double wall = walls[i];
		if (!c)
			return false;
		*c = (struct curve_point){ .variant = i,
			.threads = i < 3 ? 1u << i : 2,
			.remedy = rec->variants[i].remedy,
			.over = i == 2,
			.n = 5,
			.work = 1,
			.wall_ns = { value_of(wall), 0.99 * wall, 1.01 * wall },
			.rate = estimate_missing("units of work are not stated", "--work N"),
			.speedup = { value_of(1.5e9 / wall), 1.48e9 / wall, 1.52e9 / wall },
			.efficiency = { value_of(1.5e9 / wall / (i ? 2 : 1)), NAN, NAN },
			.user_ns = value_of(wall * (i ? 2 : 1)),
			.system_ns = value_of(0),
			.cores = value_of(i ? 1.98 : 1),
			.peak_bytes = value_of(2 << 20) };
	}
	return true;
}

/* NULL when memory has run out. */
static LT_UNUSED struct record *sweep_record(void)
{
	LT_AUTO_RECORD struct record *rec = record_new();
	if (!rec)
		return NULL;
	rec->plan.verb = "scale";
	rec->plan.design = "sweep";
	rec->plan.primary = "wall";
	rec->metrics = (struct metric *)sweep_metrics;
	rec->n_metrics = 1;
	rec->variants = lt_arena_alloc(&rec->arena, 4 * sizeof(*rec->variants));
	rec->factors = lt_arena_alloc(&rec->arena, sizeof(*rec->factors));
	rec->scaling = lt_arena_alloc(&rec->arena, sizeof(*rec->scaling));
	if (!rec->variants || !rec->factors || !rec->scaling)
		return NULL;
	static const char *const names[] = { "threads=1", "threads=2", "threads=4",
		"threads=2, glibc-big-blocks" };
	for (unsigned i = 0; i < 4; i++)
		rec->variants[i] = (struct variant){ .name = names[i],
			.command = "./prog 2",
			.levels = (const char **)&sweep_threads[i < 3 ? i : 1],
			.remedy = i < 3 ? NULL : "glibc-big-blocks" };
	rec->n_variants = 4;
	rec->factors[0] = (struct factor){ "threads", FACTOR_ENVIRONMENT, "OMP_NUM_THREADS", true,
		(const char **)sweep_threads, 3 };
	rec->n_factors = 1;
	*rec->scaling = (struct scaling){ .command = "./prog {threads}",
		.cpus = 2,
		.allowed = 2,
		.quota = 1.5,
		.baseline = 0,
		.focus = 1,
		.mode = SCALE_STRONG,
		.mode_why = "CPU time stays the same",
		.verdict = SCALE_SLOWER,
		.check = { 3, 0, 2, 1.98, 1.4 },
		.law = SCALE_LAW_KARP_FLATT,
		.law_points = 2,
		.sigma = estimate_missing("takes four thread counts up to the CPUs", NULL),
		.kappa = estimate_missing("takes four thread counts up to the CPUs", NULL),
		.serial = { value_of(2.7), 2.6, 2.8 },
		.lambda = value_missing("no law fitted", NULL),
		.best_cpus = value_missing("no law fitted", NULL),
		.most = value_missing("no law fitted", NULL),
		.one_cpu = {
			-1, estimate_missing("not run", NULL), value_missing("not run", NULL) } };
	if (!sweep_curve(rec) || !sweep_ledger(rec) || !sweep_remedies(rec) || !sweep_finding(rec))
		return NULL;
	return LT_TAKE(rec);
}

#endif
