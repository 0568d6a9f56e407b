/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From trials to curve, law and verdict, on sweeps made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "helpers/built_sweep.h"
#include "helpers/near.h"
#include "run/curve.h"

static const struct metric metrics[] = {
	{ .name = "wall", .unit = "ns" },
	{ .name = "cpu", .unit = "ns" },
	{ .name = "user", .unit = "ns" },
	{ .name = "sys", .unit = "ns" },
	{ .name = "cores", .unit = "ratio" },
	{ .name = "peak-rss", .unit = "bytes" },
};

static const char *const threads_of[] = { "1", "2", "4", "8", "16" };

/* One point: `n` runs around `wall` seconds, with this CPU time. */
static unsigned add_point(
	struct record *rec, unsigned level, double wall, double cpu, double work, unsigned n)
{
	unsigned v = (unsigned)rec->n_variants++;
	rec->variants[v] = (struct variant){ .name = lt_arena_printf(&rec->arena, "point %u", v),
		.levels = (const char **)&threads_of[level] };
	for (unsigned i = 0; i < n; i++) {
		struct trial *t = record_add_trial(rec);
		assert_non_null(t);
		double off = 1 + 0.01 * (i % 2 ? 1 : -1);
		t->variant = v;
		t->kept = true;
		t->work = work;
		t->readings[0] = value_of(wall * off * 1e9);
		t->readings[1] = value_of(cpu * off * 1e9);
		t->readings[2] = value_of(cpu * off * 0.9e9);
		t->readings[3] = value_of(cpu * off * 0.1e9);
		t->readings[4] = value_of(cpu / wall);
		t->readings[5] = value_of(1 << 20);
	}
	return v;
}

static struct record *sweep_of(double cpus)
{
	struct record *rec =
		built_sweep(metrics, LT_COUNT(metrics), threads_of, LT_COUNT(threads_of), 16);
	rec->scaling->cpus = cpus;
	return rec;
}

static void judge(struct record *rec)
{
	struct lt_err err = { 0 };
	assert_int_equal(curve_judge(rec, SCALE_UNKNOWN, &err), 0);
}

static void speed_up_and_efficiency_have_intervals(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = sweep_of(2);
	add_point(rec, 0, 2, 2, 0, 4);
	add_point(rec, 1, 1.25, 2.2, 0, 4);
	add_point(rec, 2, 1.2, 2.2, 0, 2);
	judge(rec);
	assert_int_equal(rec->n_curve, 3);
	const struct curve_point *p = &rec->curve[1];
	assert_near(p->speedup.value.num, 1.6, 1e-9);
	assert_true(p->speedup.lo < 1.6 && 1.6 < p->speedup.hi);
	assert_true(p->speedup.hi / p->speedup.lo < 1.08);
	assert_near(p->efficiency.value.num, 0.8, 1e-9);
	assert_false(p->over);
	assert_true(rec->curve[2].over);
	/* More threads than CPUs: worth no more than the CPUs. */
	assert_near(rec->curve[2].efficiency.value.num, 2 / 1.2 / 2, 1e-9);
	assert_int_equal(rec->scaling->verdict, SCALE_LIMITED);
}

static void one_run_a_point_has_no_interval(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = sweep_of(2);
	add_point(rec, 0, 2, 2, 0, 1);
	add_point(rec, 1, 1, 2, 0, 1);
	judge(rec);
	assert_true(value_known(rec->curve[1].speedup.value));
	assert_false(estimate_bounded(&rec->curve[1].speedup));
	assert_int_equal(rec->scaling->verdict, SCALE_SCALES);
}

static void a_point_without_runs_is_missing_not_zero(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = sweep_of(4);
	add_point(rec, 0, 2, 2, 0, 2);
	add_point(rec, 1, 1, 2, 0, 2);
	add_point(rec, 2, 1, 2, 0, 0);
	judge(rec);
	assert_int_equal(rec->curve[2].n, 0);
	assert_false(value_known(rec->curve[2].wall_ns.value));
	assert_non_null(rec->curve[2].speedup.value.reason);
}

static void verdicts_follow_the_speed_up(void **state)
{
	(void)state;
	static const struct {
		double wall;
		enum scale_verdict verdict;
	} cases[] = { { 1.01, SCALE_SCALES }, { 1.5, SCALE_LIMITED }, { 1.95, SCALE_FLAT },
		{ 3.8, SCALE_SLOWER } };
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		LT_AUTO_RECORD struct record *rec = sweep_of(2);
		add_point(rec, 0, 2, 2, 0, 3);
		add_point(rec, 1, cases[i].wall, 2, 0, 3);
		judge(rec);
		assert_int_equal(rec->scaling->verdict, cases[i].verdict);
		rec->scaling->busy = true;
		judge(rec);
		assert_int_equal(rec->scaling->verdict, SCALE_UNDECIDED);
	}
}

/* 0.87 of two cores: a loss where runs are alike, perhaps none where they are not. */
static void what_may_scale_is_not_called_a_loss(void **state)
{
	(void)state;
	static const struct {
		double wall, other_wall;
		enum scale_verdict verdict;
	} cases[] = { { 1.15, 1.15, SCALE_LIMITED }, { 1.05, 1.26, SCALE_UNDECIDED } };
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		LT_AUTO_RECORD struct record *rec = sweep_of(2);
		add_point(rec, 0, 2, 2, 0, 3);
		unsigned v = add_point(rec, 1, cases[i].wall, 2, 0, 2);
		add_point(rec, 1, cases[i].other_wall, 2, 0, 2);
		for (size_t k = 0; k < rec->n_trials; k++) /* the second is the first again */
			rec->trials[k].variant -= rec->trials[k].variant > v;
		rec->n_variants--;
		judge(rec);
		assert_int_equal(rec->scaling->verdict, cases[i].verdict);
	}
}

/* Twice the CPU time with two threads: contention, or twice the work? On one CPU threads
 * cannot be in each other's way. */
static void one_cpu_tells_weak_from_contended(void **state)
{
	(void)state;
	static const struct {
		double alone;
		enum scale_mode mode;
		double speedup;
	} cases[] = { { 2.1, SCALE_STRONG, 1 }, { 3.9, SCALE_WEAK, 2 }, { 3, SCALE_UNKNOWN, 1 } };
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		LT_AUTO_RECORD struct record *rec = sweep_of(2);
		add_point(rec, 0, 2, 2, 0, 3);
		add_point(rec, 1, 2, 4, 0, 3);
		unsigned one = add_point(rec, 1, cases[i].alone, cases[i].alone, 0, 2);
		rec->scaling->one_cpu.variant = (int)one;
		judge(rec);
		assert_int_equal(rec->scaling->mode, cases[i].mode);
		assert_int_equal(rec->n_curve, 2); /* it is no point of the curve */
		assert_near(rec->curve[1].speedup.value.num, cases[i].speedup, 1e-9);
		assert_near(rec->curve[1].work, cases[i].mode == SCALE_WEAK ? 2 : 1, 0);
		assert_near(rec->scaling->one_cpu.ratio.value.num, cases[i].alone / 2, 0.02);
	}
}

/* It ignores how many threads it is asked for; one of the two runs was slowed down from outside. */
static void noise_on_one_cpu_is_no_work_of_more_threads(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = sweep_of(2);
	add_point(rec, 0, 2, 2, 0, 3);
	add_point(rec, 1, 2.2, 2.2, 0, 3);
	rec->scaling->one_cpu.variant = (int)add_point(rec, 1, 3.6, 3.6, 0, 2);
	judge(rec);
	assert_int_equal(rec->scaling->mode, SCALE_STRONG);
	assert_int_equal(rec->scaling->verdict, SCALE_SLOWER);
}

static void stated_work_decides(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = sweep_of(2);
	add_point(rec, 0, 2, 2, 100, 3);
	add_point(rec, 1, 2.5, 5, 200, 3);
	judge(rec);
	assert_int_equal(rec->scaling->mode, SCALE_WEAK);
	assert_near(rec->curve[1].speedup.value.num, 200 / 2.5 / (100 / 2.0), 1e-9);
	assert_near(rec->curve[1].rate.value.num, 80, 0.5);
}

static void four_points_within_the_cpus_give_the_law(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = sweep_of(8);
	rec->scaling->focus = 3;
	for (unsigned i = 0; i < 5; i++) {
		double n = 1u << i, x = n / (1 + 0.05 * (n - 1) + 0.004 * n * (n - 1));
		/* The last has more threads than CPUs, and would spoil it. */
		add_point(rec, i, i == 4 ? 9 : 10 / x, 10, 0, 2);
	}
	judge(rec);
	const struct scaling *s = rec->scaling;
	assert_int_equal(s->law, SCALE_LAW_USL);
	assert_int_equal(s->law_points, 4);
	assert_near(s->sigma.value.num, 0.05, 1e-3);
	assert_near(s->kappa.value.num, 0.004, 1e-3);
	assert_near(s->best_cpus.num, 15.4, 0.5);
}

static void fewer_points_give_the_serial_share_or_a_reason(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = sweep_of(2);
	add_point(rec, 0, 10, 10, 0, 3);
	add_point(rec, 1, 6, 10, 0, 3);
	judge(rec);
	assert_int_equal(rec->scaling->law, SCALE_LAW_KARP_FLATT);
	assert_near(rec->scaling->serial.value.num, 0.2, 1e-9);
	assert_true(rec->scaling->serial.lo < 0.2 && rec->scaling->serial.hi > 0.2);
	assert_non_null(rec->scaling->sigma.value.reason);
	LT_AUTO_RECORD struct record *alone = sweep_of(1);
	add_point(alone, 0, 10, 10, 0, 3);
	add_point(alone, 1, 10, 10, 0, 3);
	judge(alone);
	assert_int_equal(alone->scaling->law, SCALE_LAW_NONE);
	assert_non_null(alone->scaling->law_why);
}

/* With a remedy speed-up is against one thread with the remedy; where that was not run, against
 * one without. */
static void remedies_have_curves_of_their_own(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = sweep_of(2);
	add_point(rec, 0, 2, 2, 0, 3);
	add_point(rec, 1, 2, 4, 0, 3);
	unsigned helped = add_point(rec, 1, 0.5, 1, 0, 3);
	rec->variants[helped].remedy = "r";
	judge(rec);
	assert_near(rec->curve[2].speedup.value.num, 4, 1e-9);
	unsigned base = add_point(rec, 0, 1, 1, 0, 3);
	rec->variants[base].remedy = "r";
	judge(rec);
	assert_near(rec->curve[2].speedup.value.num, 2, 1e-9);
	assert_near(rec->curve[1].speedup.value.num, 1, 1e-9);
	assert_string_equal(rec->curve[2].remedy, "r");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(speed_up_and_efficiency_have_intervals),
		cmocka_unit_test(one_run_a_point_has_no_interval),
		cmocka_unit_test(a_point_without_runs_is_missing_not_zero),
		cmocka_unit_test(verdicts_follow_the_speed_up),
		cmocka_unit_test(what_may_scale_is_not_called_a_loss),
		cmocka_unit_test(one_cpu_tells_weak_from_contended),
		cmocka_unit_test(noise_on_one_cpu_is_no_work_of_more_threads),
		cmocka_unit_test(stated_work_decides),
		cmocka_unit_test(four_points_within_the_cpus_give_the_law),
		cmocka_unit_test(fewer_points_give_the_serial_share_or_a_reason),
		cmocka_unit_test(remedies_have_curves_of_their_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
