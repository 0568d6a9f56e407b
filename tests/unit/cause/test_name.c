/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Causes named into a record: ids, shares, places with their threads and lines. */
#include "cause/name.h"
#include "unit/cause/scene.h"

static struct record *record_of(struct scene *s)
{
	struct record *rec = record_new();
	assert_non_null(rec);
	rec->machine.cpus_online = 2;
	s->scaling.baseline = 0;
	s->scaling.focus = 1;
	rec->scaling = lt_arena_alloc(&rec->arena, sizeof(*rec->scaling));
	*rec->scaling = s->scaling;
	rec->ledger = lt_arena_alloc(&rec->arena, sizeof(*rec->ledger));
	*rec->ledger = s->ledger;
	const struct curve_point *points[] = { &s->base, &s->focus };
	for (unsigned i = 0; i < LT_COUNT(points); i++) {
		struct curve_point *p = record_add_curve(rec);
		*p = *points[i];
		p->variant = i;
	}
	return rec;
}

static void a_finding_has_all_that_was_found(void **state)
{
	struct scene s;
	struct lt_err err = { 0 };
	(void)state;
	scene_open(&s, 2.46, 2.45, 0, 1.49, 2.46, 0);
	scene_cores(&s, 0, 0.5, 0.99);
	scene_sample(&s, EVIDENCE_OP_USER, "work", NULL, 1.96);
	scene_sample(&s, EVIDENCE_OP_USER, "merge", NULL, 0.5)->alone_ns = 0.49e9;
	scene_wait(&s, 0, EVIDENCE_OP_BARRIER, "pthread_barrier_wait", 100, 0.49);
	LT_AUTO_RECORD struct record *rec = record_of(&s);
	assert_int_equal(cause_name(rec, &s.ev, &err), 1);
	const struct finding *f = &rec->findings[0];
	assert_string_equal(f->id, "serial-section");
	assert_int_equal(f->variant, 1);
	assert_true(f->share > 0.8 && f->share <= 1);
	assert_string_equal(f->confirm, cause_find("serial-section")->confirm);
	assert_int_equal(f->n_where, 2);
	assert_string_equal(f->where[0].role, "runs-alone");
	assert_string_equal(f->where[0].function, "merge");
	assert_string_equal(f->where[0].file, "case.c");
	assert_int_equal(f->where[0].line, 11);
	assert_string_equal(f->where[0].thread, "worker");
	assert_string_equal(f->where[1].function, "waiter"); /* not the barrier in libc */
	assert_true(f->n_facts >= 4);
}

static void a_sweep_without_a_second_point_has_no_causes(void **state)
{
	struct lt_err err = { 0 };
	(void)state;
	LT_AUTO_RECORD struct record *rec = record_new();
	assert_int_equal(cause_name(rec, NULL, &err), 0); /* no sweep at all */
	rec->scaling = lt_arena_alloc(&rec->arena, sizeof(*rec->scaling));
	*rec->scaling = (struct scaling){ .baseline = -1, .focus = -1 };
	assert_int_equal(cause_name(rec, NULL, &err), 0);
	assert_int_equal(rec->n_findings, 0);
}

/* A helper serves both parts, and both began in one function: neither is named. */
static void the_function_that_runs_alone_is_told_from_its_helpers(void **state)
{
	struct scene s;
	struct lt_err err = { 0 };
	(void)state;
	scene_open(&s, 2.46, 2.45, 0, 1.49, 2.46, 0);
	scene_cores(&s, 0, 0.5, 0.99);
	struct evidence_frame chains[2][3] = {
		{ { .object = "case", .function = "helper", .line = 3 },
			{ .object = "case", .function = "parallel", .line = 7 },
			{ .object = "case", .function = "run", .line = 20 } },
		{ { .object = "case", .function = "helper", .line = 3 },
			{ .object = "case", .function = "merge", .line = 9 },
			{ .object = "case", .function = "run", .line = 22 } },
	};
	for (int i = 0; i < 2; i++) {
		struct evidence_sample *p =
			scene_sample(&s, EVIDENCE_OP_USER, "x", NULL, i ? 0.5 : 1.96);
		p->alone_ns = i ? 0.48e9 : 0.02e9;
		s.sites[p->site] = (struct evidence_site){ chains[i], 3, 0 };
	}
	scene_wait(&s, 0, EVIDENCE_OP_BARRIER, "pthread_barrier_wait", 100, 0.49);
	LT_AUTO_RECORD struct record *rec = record_of(&s);
	assert_int_equal(cause_name(rec, &s.ev, &err), 1);
	assert_string_equal(rec->findings[0].where[0].function, "merge");
	assert_int_equal(rec->findings[0].where[0].line, 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_finding_has_all_that_was_found),
		cmocka_unit_test(a_sweep_without_a_second_point_has_no_causes),
		cmocka_unit_test(the_function_that_runs_alone_is_told_from_its_helpers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
