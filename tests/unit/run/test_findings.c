/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which facts are worth a sentence, and which are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "helpers/built_record.h"
#include "helpers/near.h"
#include "run/analysis.h"

static const struct metric metrics[] = {
	{ .name = "wall", .unit = "ns", .better = METRIC_LOWER },
	{ .name = "cpu", .unit = "ns", .better = METRIC_LOWER },
	{ .name = "wait", .unit = "ns", .better = METRIC_LOWER },
	{ .name = "steal", .unit = "ns", .better = METRIC_LOWER },
	{ .name = "write-chars", .unit = "bytes" },
	{ .name = NULL },
};

/* n runs of one program that keeps a CPU busy for 0.1 s. */
static struct record *runs(unsigned n)
{
	struct record *rec = built_record(metrics, 1);
	uint64_t noise = 1;
	for (unsigned i = 0; i < n; i++) {
		struct trial *t = built_trial(rec, 0, i);
		t->readings[0] = value_of(1e8 + 1e4 * built_noise(&noise));
		t->readings[1] = value_of(0.99e8);
		t->readings[2] = value_of(0);
		t->readings[3] = value_of(0);
		t->readings[4] = value_of(100);
	}
	return rec;
}

static void find(struct record *rec, const struct run_opts *opts)
{
	struct lt_err err = { 0 };
	if (analysis_summaries(rec, &err) < 0 ||
		(rec->n_variants > 1 && analysis_comparisons(rec, opts, &err) < 0) ||
		analysis_findings(rec, opts, &err) < 0)
		fail_msg("%s", err.text);
}

static const struct finding *finding(const struct record *rec, const char *id)
{
	for (size_t i = 0; i < rec->n_findings; i++)
		if (!strcmp(rec->findings[i].id, id))
			return &rec->findings[i];
	return NULL;
}

static void a_quiet_run_gives_no_finding(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = runs(30);
	struct run_opts opts = { .design = RUN_FIXED, .stdout_mode = RUN_STDOUT_PIPE };
	find(rec, &opts);
	for (size_t i = 0; i < rec->n_findings; i++)
		fail_msg("%s", rec->findings[i].id);
}

static void what_programs_did_is_counted(void **state)
{
	(void)state;
	static const struct {
		const char *id;
		enum severity severity;
		unsigned notes, left;
		bool kept;
	} cases[] = {
		{ "core-dump", SEVERITY_WARNING, NOTE_CORE, 0, false },
		{ "failed-runs", SEVERITY_ERROR, 0, 0, false },
		{ "daemon", SEVERITY_WARNING, NOTE_DAEMON | NOTE_LEFT_CHILDREN, 3, true },
		{ "left-children", SEVERITY_WARNING, NOTE_LEFT_CHILDREN, 3, true },
		{ "cpu-incomplete", SEVERITY_WARNING, NOTE_LEFT_CHILDREN, 3, true },
		{ "new-group", SEVERITY_INFO, NOTE_NEW_GROUP, 0, true },
		{ "closed-output", SEVERITY_INFO, NOTE_CLOSED_OUTPUT, 0, true },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		LT_AUTO_RECORD struct record *rec = runs(8);
		struct run_opts opts = { .design = RUN_FIXED, .stdout_mode = RUN_STDOUT_PIPE };
		for (int k = 2; k < 4; k++) {
			struct trial *t = &rec->trials[k];
			t->kept = cases[i].kept;
			t->outcome.code = !t->kept;
			t->outcome.notes = cases[i].notes;
			t->outcome.left = cases[i].left + (unsigned)k;
			t->outcome.left_name = k == 3 ? "last" : "first";
			if (!cases[i].left)
				t->outcome.left = 0;
		}
		find(rec, &opts);
		const struct finding *f = finding(rec, cases[i].id);
		if (!f)
			fail_msg("no %s", cases[i].id);
		assert_int_equal(f->severity, cases[i].severity);
		assert_int_equal(f->variant, 0);
		if (!strcmp(cases[i].id, "cpu-incomplete")) {
			assert_near(f->num[0], 6, 0);
			continue;
		}
		assert_near(f->num[0], 2, 0);
		if (cases[i].left) {
			assert_near(f->num[1], 6, 0);
			assert_string_equal(f->name, "last"); /* of the run that left most */
		}
	}
}

static void a_daemon_is_not_told_twice(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = runs(8);
	struct run_opts opts = { .design = RUN_FIXED, .stdout_mode = RUN_STDOUT_PIPE };
	rec->trials[0].outcome.notes = NOTE_DAEMON | NOTE_LEFT_CHILDREN;
	rec->trials[0].outcome.left = 1;
	find(rec, &opts);
	assert_non_null(finding(rec, "daemon"));
	assert_null(finding(rec, "left-children"));
}

static void what_was_cancelled_or_warmed_up_did_not_fail(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = runs(8);
	struct run_opts opts = { .design = RUN_FIXED, .stdout_mode = RUN_STDOUT_PIPE };
	rec->trials[0].kept = rec->trials[7].kept = false;
	rec->trials[0].warmup = true;
	rec->trials[7].outcome.kind = OUTCOME_CANCELLED;
	find(rec, &opts);
	assert_null(finding(rec, "failed-runs"));
}

static void a_flood_is_told_whoever_drains_it(void **state)
{
	(void)state;
	struct run_opts opts = { .design = RUN_FIXED, .stdout_mode = RUN_STDOUT_PIPE };
	LT_AUTO_RECORD struct record *drained = runs(8);
	drained->trials[3].outcome.out_bytes = 2e9;
	find(drained, &opts);
	assert_near(finding(drained, "output-flood")->num[0], 2e9, 0);
	LT_AUTO_RECORD struct record *written = runs(8);
	for (size_t i = 0; i < 8; i++)
		written->trials[i].readings[4] = value_of(3e9);
	find(written, &opts);
	assert_near(finding(written, "output-flood")->num[0], 3e9, 0);
}

static void work_that_was_not_found_is_told(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = runs(8);
	struct run_opts opts = {
		.design = RUN_FIXED, .stdout_mode = RUN_STDOUT_PIPE, .work_from = "n=([0-9]+)"
	};
	for (size_t i = 0; i < 5; i++)
		rec->trials[i].work = 10;
	rec->trials[6].evidence = true;
	find(rec, &opts);
	const struct finding *f = finding(rec, "work-missing");
	assert_non_null(f);
	assert_near(f->num[0], 2, 0);
	assert_string_equal(f->name, "n=([0-9]+)");
}

static void noise_is_told_by_its_source(void **state)
{
	(void)state;
	static const struct {
		const char *id;
		unsigned metric;
		double num, share;
	} cases[] = {
		{ "mostly-waiting", 1, 5e6, 0.05 }, { "waited-for-cpu", 2, 3e6, 0.03 },
		{ "steal", 3, 6e6, 0.03 }, /* of two CPUs */
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		LT_AUTO_RECORD struct record *rec = runs(8);
		struct run_opts opts = { .design = RUN_FIXED, .stdout_mode = RUN_STDOUT_PIPE };
		for (size_t k = 0; k < 8; k++)
			rec->trials[k].readings[cases[i].metric] = value_of(cases[i].num);
		find(rec, &opts);
		const struct finding *f = finding(rec, cases[i].id);
		if (!f)
			fail_msg("no %s", cases[i].id);
		assert_near(f->num[0], cases[i].share, 0.001);
		assert_int_equal(rec->n_findings, 1);
	}
}

static void what_is_missing_is_not_noise(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = runs(8);
	struct run_opts opts = { .design = RUN_FIXED, .stdout_mode = RUN_STDOUT_PIPE };
	for (size_t k = 0; k < 8; k++)
		for (unsigned m = 1; m < 5; m++)
			rec->trials[k].readings[m] = value_missing("not here", NULL);
	find(rec, &opts);
	for (size_t i = 0; i < rec->n_findings; i++)
		fail_msg("%s", rec->findings[i].id);
}

static void a_trend_is_told_of_one_program(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = runs(40);
	struct run_opts opts = { .design = RUN_FIXED, .stdout_mode = RUN_STDOUT_PIPE };
	for (size_t k = 20; k < 40; k++)
		rec->trials[k].readings[0].num *= 1.0;
	find(rec, &opts);
	assert_null(finding(rec, "drift"));
	LT_AUTO_RECORD struct record *slower = runs(200);
	uint64_t noise = 1;
	for (size_t k = 0; k < 200; k++)
		slower->trials[k].readings[0] =
			value_of((k < 100 ? 1e8 : 1.02e8) + 1e5 * built_noise(&noise));
	find(slower, &opts);
	const struct finding *f = finding(slower, "drift");
	if (f)
		assert_near(f->num[0], 0.02, 0.005);
}

static void an_interval_wider_than_asked_is_told(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = runs(10);
	struct run_opts opts = {
		.design = RUN_PRECISION, .precision = 1e-6, .stdout_mode = RUN_STDOUT_PIPE
	};
	find(rec, &opts);
	const struct finding *f = finding(rec, "not-precise");
	assert_non_null(f);
	assert_true(f->num[0] > 1e-6 && f->num[0] < 1e-3);
	LT_AUTO_RECORD struct record *fine = runs(10);
	opts.precision = 0.01;
	find(fine, &opts);
	assert_null(finding(fine, "not-precise"));
}

static void a_busy_machine_is_told(void **state)
{
	(void)state;
	struct run_opts opts = { .design = RUN_FIXED, .stdout_mode = RUN_STDOUT_PIPE };
	static const double loads[] = { -1, 0.9, 1.5 };
	for (size_t i = 0; i < LT_COUNT(loads); i++) {
		LT_AUTO_RECORD struct record *rec = runs(8);
		rec->machine.load_before = loads[i];
		find(rec, &opts);
		assert_true((finding(rec, "busy-machine") != NULL) == (loads[i] > 1));
	}
}

static void output_to_nowhere_is_told(void **state)
{
	(void)state;
	struct run_opts opts = { .design = RUN_FIXED, .stdout_mode = RUN_STDOUT_NULL };
	LT_AUTO_RECORD struct record *rec = runs(8);
	find(rec, &opts);
	assert_non_null(finding(rec, "stdout-null"));
	opts.pty = true;
	LT_AUTO_RECORD struct record *pty = runs(8);
	find(pty, &opts);
	assert_null(finding(pty, "stdout-null"));
}

/* An A/A check of `n` pairs whose sides differ by `ratio`, with noise `sd`. */
static struct record *aa(unsigned n, double ratio, double sd)
{
	struct record *rec = built_record(metrics, 4);
	rec->variants[2].aa = rec->variants[3].aa = true;
	uint64_t noise = 2;
	for (unsigned i = 0; i < n; i++) {
		built_trial(rec, 2, i)->readings[0] =
			value_of(1e8 * (1 + sd * built_noise(&noise)));
		built_trial(rec, 3, i)->readings[0] =
			value_of(ratio * 1e8 * (1 + sd * built_noise(&noise)));
	}
	return rec;
}

static void the_aa_check_says_fit_blunt_or_unfit(void **state)
{
	(void)state;
	static const struct {
		double ratio, sd;
		const char *id;
		enum severity severity;
	} cases[] = {
		{ 1.00, 0.001, "aa-fit", SEVERITY_INFO },
		{ 1.00, 0.1, "aa-blunt", SEVERITY_WARNING },
		{ 1.05, 0.001, "aa-unfit", SEVERITY_ERROR },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		LT_AUTO_RECORD struct record *rec = aa(20, cases[i].ratio, cases[i].sd);
		struct run_opts opts = {
			.design = RUN_SEQUENCE, .same = 0.01, .stdout_mode = RUN_STDOUT_PIPE
		};
		find(rec, &opts);
		const struct finding *f = finding(rec, cases[i].id);
		if (!f)
			fail_msg("no %s", cases[i].id);
		assert_int_equal(f->severity, cases[i].severity);
		assert_int_equal(f->variant, -1);
	}
}

/* Two programs, 30 pairs. */
static struct record *two(double ratio, double carry)
{
	struct record *rec = built_record(metrics, 2);
	uint64_t noise = 2;
	double drift = 0;
	for (unsigned i = 0; i < 30; i++) {
		drift = carry * drift + 0.0005 * built_noise(&noise);
		built_pair(rec, i, 1e8, 1e8 * ratio * (1 + drift));
	}
	return rec;
}

static void comparisons_are_told_with_their_doubts(void **state)
{
	(void)state;
	struct run_opts opts = { .design = RUN_FIXED, .stdout_mode = RUN_STDOUT_PIPE };
	LT_AUTO_RECORD struct record *small = two(1.005, 0);
	find(small, &opts);
	assert_near(finding(small, "layout-not-excluded")->num[0], 0.005, 0.0005);
	assert_null(finding(small, "autocorrelation"));
	LT_AUTO_RECORD struct record *large = two(1.05, 0.95);
	find(large, &opts);
	assert_null(finding(large, "layout-not-excluded"));
	assert_non_null(finding(large, "autocorrelation"));
	LT_AUTO_RECORD struct record *few = built_record(metrics, 2);
	for (unsigned i = 0; i < 3; i++)
		built_pair(few, i, 1e8, 2e8);
	find(few, &opts);
	assert_near(finding(few, "few-runs")->num[0], 3, 0);
	assert_int_equal(finding(few, "few-runs")->variant, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_quiet_run_gives_no_finding),
		cmocka_unit_test(what_programs_did_is_counted),
		cmocka_unit_test(a_daemon_is_not_told_twice),
		cmocka_unit_test(what_was_cancelled_or_warmed_up_did_not_fail),
		cmocka_unit_test(a_flood_is_told_whoever_drains_it),
		cmocka_unit_test(work_that_was_not_found_is_told),
		cmocka_unit_test(noise_is_told_by_its_source),
		cmocka_unit_test(what_is_missing_is_not_noise),
		cmocka_unit_test(a_trend_is_told_of_one_program),
		cmocka_unit_test(an_interval_wider_than_asked_is_told),
		cmocka_unit_test(a_busy_machine_is_told),
		cmocka_unit_test(output_to_nowhere_is_told),
		cmocka_unit_test(the_aa_check_says_fit_blunt_or_unfit),
		cmocka_unit_test(comparisons_are_told_with_their_doubts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
