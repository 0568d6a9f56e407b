/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stage or module that holds up the others is named, and none where none does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "helpers/near.h"
#include "ledger/bottleneck.h"
#include "record/program.h"

static struct variant variants[] = { { .name = "threads=2" } };

static struct record *new_record(void)
{
	struct record *rec = record_new();
	assert_non_null(rec);
	rec->variants = variants;
	rec->n_variants = 1;
	return rec;
}

static struct program_part *part(
	struct record *rec, enum program_kind kind, const char *name, const char *of)
{
	struct program_part *p = record_add_part(rec, kind);
	assert_non_null(p);
	p->process = "prog";
	p->name = name;
	p->of = of;
	p->count = 1;
	for (unsigned i = 0; i < PROGRAM_VALUES; i++)
		p->v[i] = value_of(0);
	return p;
}

/* Of one second. */
static void thread(struct record *rec, const char *name, double cpu, double no_cpu)
{
	struct program_part *p = part(rec, PROGRAM_THREADS, name, NULL);
	p->v[PROGRAM_THREAD_wall_ns].num = 1e9;
	p->v[PROGRAM_THREAD_cpu_ns].num = cpu * 1e9;
	p->v[PROGRAM_THREAD_no_cpu_ns].num = no_cpu * 1e9;
}

static void stage(struct record *rec, const char *name, bool serial, double ns)
{
	struct program_part *p = part(rec, PROGRAM_STAGES, name, "pipe");
	p->v[PROGRAM_STAGE_items].num = 1000;
	p->v[PROGRAM_STAGE_timed].num = 10;
	p->v[PROGRAM_STAGE_timed_ns].num = 10 * ns;
	p->v[PROGRAM_STAGE_serial].num = serial;
}

static struct record *pipeline(double parse, double write)
{
	struct record *rec = new_record();
	thread(rec, "main", 0.9, 0);
	part(rec, PROGRAM_PIPELINES, "pipe", "main")->v[PROGRAM_PIPELINE_workers].num = 4;
	stage(rec, "read", true, 1e5);
	stage(rec, "parse", false, parse);
	stage(rec, "write", true, write);
	return rec;
}

static const struct finding *judge(struct record *rec)
{
	struct lt_err err = { 0 };
	assert_int_equal(ledger_bottleneck(rec, 0, &err), 0);
	assert_true(rec->n_findings <= 1);
	return rec->n_findings ? &rec->findings[0] : NULL;
}

static void the_serial_stage_in_use_most_is_named(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = pipeline(2e6, 0.9e6);
	const struct finding *f = judge(rec);
	assert_non_null(f);
	assert_string_equal(f->id, "bottleneck-stage");
	assert_string_equal(f->name, "stage 'write' of 'pipe'");
	assert_near(f->num[0], 0.9, 1e-9);
}

static void a_parallel_stage_has_all_workers(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = pipeline(3.6e6, 0.3e6);
	const struct finding *f = judge(rec);
	assert_string_equal(f->id, "bottleneck-stages");
	assert_string_equal(f->name, "stage 'parse' of 'pipe'");
	assert_near(f->num[0], 0.9, 1e-9);
}

static void stages_with_time_to_spare_are_no_bottleneck(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = pipeline(1e6, 0.3e6);
	assert_null(judge(rec));
}

static struct record *chain(double a, double b, double c)
{
	struct record *rec = new_record();
	thread(rec, "ta", a, 0);
	thread(rec, "tb", b - 0.1, 0.1);
	thread(rec, "tc", c, 0);
	thread(rec, "alien", 1, 0); /* has no module */
	part(rec, PROGRAM_MODULES, "source", "ta");
	part(rec, PROGRAM_MODULES, "filter", "tb");
	part(rec, PROGRAM_MODULES, "filter2", "tb");
	part(rec, PROGRAM_MODULES, "sink", "tc");
	part(rec, PROGRAM_QUEUES, "source.out>filter.in", NULL)->v[PROGRAM_QUEUE_full].num = 3;
	part(rec, PROGRAM_QUEUES, "filter.out>filter2.in", NULL)->v[PROGRAM_QUEUE_full].num = 900;
	part(rec, PROGRAM_QUEUES, "filter2.out>sink.in", NULL);
	return rec;
}

static void the_module_behind_the_full_queue_is_named(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = chain(0.3, 0.95, 0.2);
	const struct finding *f = judge(rec);
	assert_non_null(f);
	assert_string_equal(f->id, "bottleneck-module");
	assert_string_equal(f->name, "module 'filter2', one of 2 of thread 'tb'");
	assert_string_equal(f->where[0].thread, "tb");
	assert_near(f->num[0], 0.95, 1e-9);
}

static void a_thread_with_one_module_needs_no_queue(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = chain(0.99, 0.2, 0.2);
	assert_string_equal(judge(rec)->name, "module 'source'");
}

static void threads_that_are_all_busy_are_no_bottleneck(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *even = chain(0.9, 0.95, 0.9);
	assert_null(judge(even));
	LT_AUTO_RECORD struct record *idle = chain(0.5, 0.2, 0.2);
	assert_null(judge(idle));
	LT_AUTO_RECORD struct record *nothing = new_record();
	assert_null(judge(nothing));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_serial_stage_in_use_most_is_named),
		cmocka_unit_test(a_parallel_stage_has_all_workers),
		cmocka_unit_test(stages_with_time_to_spare_are_no_bottleneck),
		cmocka_unit_test(the_module_behind_the_full_queue_is_named),
		cmocka_unit_test(a_thread_with_one_module_needs_no_queue),
		cmocka_unit_test(threads_that_are_all_busy_are_no_bottleneck),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
