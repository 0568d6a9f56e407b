/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A record made by hand that uses every member once, for tests of what reads records. */
#ifndef TESTS_SAMPLE_RECORD_H
#define TESTS_SAMPLE_RECORD_H

#include <math.h>

#include "base/own.h"
#include "record/program.h"
#include "record/record.h"

static const struct metric sample_metrics[] = {
	{ "wall", "ns", METRIC_LOWER, METRIC_COUNTER, false, "wall time from exec to exit",
		"program", "CLOCK_MONOTONIC" },
	{ "user", "ns", METRIC_LOWER, METRIC_COUNTER, true, "CPU time in the program's code",
		"tree", "wait4" },
	{ "peak-memory", "bytes", METRIC_LOWER, METRIC_PEAK, false, NULL, NULL, NULL },
	{ "cores", "ratio", METRIC_NEITHER, METRIC_GAUGE, false, "CPU time per wall time", "tree",
		"cpu / wall" },
	{ "energy", "uJ", METRIC_LOWER, METRIC_COUNTER, false, "energy of the package", "machine",
		"powercap" },
};

static const struct variant sample_variants[] = {
	{ .name = "A", .command = "sort --parallel=1 \"big\\file\".txt" },
	{ .name = "B" },
	{ .name = "A-again", .command = "sort --parallel=1 \"big\\file\".txt", .aa = true },
};

static const struct record_meter sample_meters[] = {
	{ "wall", VALUE_MEASURED, NULL, NULL },
	{ "energy_rapl", VALUE_UNAVAILABLE, "no powercap zone", "load the module intel_rapl" },
};

/* One part of each kind, in values as they come: known, estimated, missing. */
static LT_UNUSED bool sample_program(struct record *rec)
{
	static const char *const of[PROGRAM_KINDS] = { [PROGRAM_THREADS] = "sort.out>merge.in",
		[PROGRAM_MODULES] = "main",
		[PROGRAM_COUNTERS] = "line" };
	for (unsigned kind = 0; kind < PROGRAM_KINDS; kind++) {
		struct program_part *p = record_add_part(rec, kind);
		if (!p)
			return false;
		p->variant = kind % 2;
		p->process = "sort";
		p->name = kind ? program_kinds[kind].word : "sort";
		p->of = of[kind];
		p->count = kind == PROGRAM_MODULES ? 1.5 : 1;
		p->chosen = kind == PROGRAM_COUNTERS;
		for (size_t i = 0; i < program_kinds[kind].n; i++)
			p->v[i] = i == 1 ? value_missing("no schedstat", NULL)
					 : value_of(1e9 / (double)(i + 1));
		p->v[0] = (struct value){ VALUE_ESTIMATED, 1e9, "died", NULL };
	}
	return true;
}

/* NULL when memory has run out. */
static LT_UNUSED struct record *sample_record(void)
{
	LT_AUTO_RECORD struct record *rec = record_new();
	if (!rec)
		return NULL;
	struct machine *m = &rec->machine;
	m->cpu = "Some CPU @ 2.0 GHz";
	m->arch = "x86_64";
	m->kernel = "6.1.0";
	m->cpus_online = 2;
	m->cpus_allowed = "0-1";
	m->load_before = 0.25;
	m->meters = (struct record_meter *)sample_meters;
	m->n_meters = LT_COUNT(sample_meters);

	struct plan *p = &rec->plan;
	p->verb = "compare";
	p->design = "sequence";
	p->primary = "wall";
	p->seed = UINT64_MAX - 1;
	p->n_max = 200;
	p->warmup = 1;
	p->budget_ns = 60e9;
	p->same = 0.01;
	p->stdin_mode = "empty";
	p->stdout_mode = "null";
	p->work_from = "work counter 'lines' of the program";
	p->work_unit = "line";
	p->region = "sorting";
	p->stopped = "decided";
	p->wall_ns = 12.5e9;
	p->date = "2024-05-06T07:08:09Z";

	rec->variants = (struct variant *)sample_variants;
	rec->n_variants = LT_COUNT(sample_variants);
	rec->metrics = (struct metric *)sample_metrics;
	rec->n_metrics = LT_COUNT(sample_metrics);

	for (unsigned i = 0; i < 8; i++) {
		struct trial *t = record_add_trial(rec);
		if (!t)
			return NULL;
		t->variant = i % 2;
		t->block = i / 2;
		t->order = i;
		t->warmup = i < 2;
		t->kept = i >= 2 && i != 7;
		t->at_ns = 1000000000LL * i;
		t->work = i == 3 ? 0 : 1000;
		t->readings[0] = value_of(1e9 + 1e6 / 3 * i);
		t->readings[1] = value_of(4e6 * i);
		t->readings[2] = value_of(1048576 + 4096.0 * i);
		t->readings[3] =
			(struct value){ VALUE_ESTIMATED, 1.5 + 0.1 * i, "two clocks", NULL };
		t->readings[4] = value_missing("no powercap zone", "load the module intel_rapl");
	}
	struct outcome *o = &rec->trials[7].outcome;
	o->kind = OUTCOME_SIGNAL;
	o->code = 11;
	o->notes = NOTE_CORE | NOTE_LEFT_CHILDREN;
	o->left = 2;
	o->left_name = "sleep";
	o->out_bytes = 0x1p60;
	o->talk = "caf\xc3\xa9 \x1b[31mred\t";

	for (unsigned i = 0; i < 10; i++) {
		struct summary *s = record_add_summary(rec);
		if (!s)
			return NULL;
		s->variant = i / 5;
		s->metric = i % 5;
		if (s->metric == 4) {
			s->center = value_missing("no powercap zone", "load the module intel_rapl");
			continue;
		}
		static const double centers[] = { 1.234e9, 2.1e7, 1081344, 1.9 };
		double c = centers[s->metric] * (s->variant ? 0.912 : 1);
		s->n = s->variant ? 2 : 3;
		s->center = value_of(c);
		s->bounded = s->metric < 3;
		s->lo = 0.996 * c;
		s->hi = 1.004 * c;
		s->level = 0.95;
		s->mean = c * 1.001;
		s->sd = c * 0.01;
		s->min = c * 0.98;
		s->median = c;
		s->max = c * 1.03;
		s->what = "Hodges-Lehmann centre, signed-rank";
	}
	struct summary *work = record_add_summary(rec);
	if (!work)
		return NULL;
	*work = rec->summaries[0];
	work->per_work = true;
	work->center.num /= 1000;
	work->lo /= 1000;
	work->hi /= 1000;

	for (unsigned i = 0; i < 4; i++) {
		struct comparison *c = record_add_comparison(rec);
		if (!c)
			return NULL;
		c->a = 0;
		c->b = i == 3 ? 2 : 1;
		c->aa = i == 3;
		c->metric = i == 3 ? 0 : i;
		c->primary = c->metric == 0;
		c->interleaved = true;
		c->n = c->m = 36;
		c->ratio = value_of(0.912);
		c->lo = 0.905;
		c->hi = 0.919;
		c->level = 0.95;
		c->diff = value_of(-108e6);
		c->diff_lo = -117e6;
		c->diff_hi = -98.2e6;
		c->p = 0.0001;
		c->p_holm = i ? 0.0002 : NAN;
		c->verdict = i == 0 ? VERDICT_LOWER : i == 1 ? VERDICT_UNDECIDED : VERDICT_SAME;
		c->provable = 0.0131;
		c->lag1 = i == 2 ? NAN : 0.125;
		c->plan_effect = i == 1 ? 0.005 : 0;
		c->plan_runs = i == 1 ? 1203 : 0;
		c->method = "confidence-sequence";
		c->what = "95 % confidence sequence";
	}
	rec->comparisons[2].ratio = value_missing("the first is zero", NULL);

	struct gate *g = record_add_gate(rec);
	struct finding *f = record_add_finding(rec);
	if (!g || !f)
		return NULL;
	*g = (struct gate){
		.text = "wall +5%", .metric = 0, .b = 1, .limit = 0.05, .decided = true
	};
	f->id = "left-children";
	f->severity = SEVERITY_WARNING;
	f->variant = 1;
	f->num[0] = 1;
	f->num[1] = 2;
	f->num[2] = NAN;
	f->name = "sleep";
	if (!sample_program(rec))
		return NULL;
	rec->own = (struct own_cost){ 12.25e6, 3 << 20, 4, 10e9 };
	return LT_TAKE(rec);
}

#endif
