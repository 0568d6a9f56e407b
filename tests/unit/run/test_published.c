/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judging a published claim: the case everybody can recompute, and what cannot be judged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "helpers/near.h"
#include "run/published.h"

static struct record *judge(
	const char *a, const char *b, enum stats_spread spread, const struct run_opts *opts)
{
	const char *const texts[2] = { a, b };
	struct record *rec = NULL;
	struct lt_err err = { 0 };
	if (published_judge(texts, spread, opts, &rec, &err) < 0)
		fail_msg("%s", err.text);
	return rec;
}

static void two_hundred_runs_of_cycles_prove_nothing(void **state)
{
	(void)state;
	struct run_opts opts = { .n = 200 };
	LT_AUTO_RECORD struct record *rec =
		judge("2085813986 ±0.16%", "2078109565 ±0.14%", STATS_SPREAD_SE, &opts);
	const struct comparison *c = record_comparison(rec, 1, 0);
	assert_non_null(c);
	assert_true(c->p >= 0.08 && c->p <= 0.084);
	assert_int_equal(c->verdict, VERDICT_UNDECIDED);
	assert_near(c->provable, 0.0069, 0.00005);
	assert_near(c->ratio.num, 2078109565.0 / 2085813986.0, 1e-9);
	assert_near(c->diff.num, 2078109565.0 - 2085813986.0, 1e-3);
	assert_true(c->lo < 1 && c->hi > 1);
	assert_int_equal(c->n, 200);
	assert_true(c->primary);
	assert_false(c->interleaved);
	/* Runs to show what was seen: (3.2415 / 1.7371)^2 200. */
	assert_near(c->plan_runs, 697, 10);
	assert_int_equal(record_check(rec, NULL), 0);
}

static void a_plan_scales_the_runs(void **state)
{
	(void)state;
	struct run_opts opts = { .n = 200, .plan_effect = 0.0069 };
	LT_AUTO_RECORD struct record *rec =
		judge("2085813986 ±0.16%", "2078109565 ±0.14%", STATS_SPREAD_SE, &opts);
	assert_near(record_comparison(rec, 1, 0)->plan_runs, 200, 5);
}

static void what_the_spread_is_matters(void **state)
{
	(void)state;
	struct run_opts opts = { .n = 25 };
	LT_AUTO_RECORD struct record *se = judge("100 ± 1", "104 ± 1", STATS_SPREAD_SE, &opts);
	LT_AUTO_RECORD struct record *sd = judge("100 ± 1", "104 ± 1", STATS_SPREAD_SD, &opts);
	LT_AUTO_RECORD struct record *ci = judge("100 ± 1", "104 ± 1", STATS_SPREAD_CI95, &opts);
	double p_se = record_comparison(se, 1, 0)->p, p_sd = record_comparison(sd, 1, 0)->p;
	double p_ci = record_comparison(ci, 1, 0)->p;
	assert_true(p_sd < p_ci && p_ci < p_se);
	assert_int_equal(record_comparison(sd, 1, 0)->verdict, VERDICT_HIGHER);
	assert_non_null(strstr(se->summaries[0].what, "standard error"));
	assert_non_null(strstr(sd->summaries[0].what, "standard deviation"));
	assert_non_null(strstr(ci->summaries[1].what, "95 %"));
	assert_true(isnan(se->summaries[0].level));
	assert_near(ci->summaries[0].level, 0.95, 0);
	assert_near(se->summaries[1].lo, 103, 1e-9);
}

static void what_cannot_be_judged_is_refused(void **state)
{
	(void)state;
	static const struct {
		const char *a, *b;
		enum stats_spread spread;
		unsigned n;
	} cases[] = {
		{ "100", "104 ± 1", STATS_SPREAD_SE, 20 },
		{ "100 ± 1", "fast", STATS_SPREAD_SE, 20 },
		{ "", "", STATS_SPREAD_SE, 20 },
		{ "-5 ± 1", "5 ± 1", STATS_SPREAD_SE, 20 },
		{ "100 ± 1", "104 ± 1", STATS_SPREAD_SD, 0 },
		{ "100 ± 1", "104 ± 1", STATS_SPREAD_SD, 1 },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		const char *const texts[2] = { cases[i].a, cases[i].b };
		struct run_opts opts = { .n = cases[i].n };
		struct record *rec = NULL;
		struct lt_err err = { 0 };
		assert_int_equal(
			published_judge(texts, cases[i].spread, &opts, &rec, &err), -EINVAL);
		assert_null(rec);
		assert_string_equal(err.id, "LT-REPORTED");
		assert_true(err.hint[0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_hundred_runs_of_cycles_prove_nothing),
		cmocka_unit_test(a_plan_scales_the_runs),
		cmocka_unit_test(what_the_spread_is_matters),
		cmocka_unit_test(what_cannot_be_judged_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
