/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From trials to comparisons: who is compared with whom, in which pairs, by which test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "helpers/built_record.h"
#include "helpers/near.h"
#include "run/analysis.h"

static const struct metric metrics[] = {
	{ .name = "wall", .unit = "ns", .better = METRIC_LOWER, .kind = METRIC_COUNTER },
	{ .name = "faults", .unit = "count", .better = METRIC_LOWER, .kind = METRIC_COUNTER },
	{ .name = "user", .unit = "ns", .better = METRIC_LOWER, .sampled = true },
	{ .name = "switches", .unit = "count", .better = METRIC_LOWER, .kind = METRIC_COUNTER },
	{ .name = NULL },
};

static void compare(struct record *rec, const struct run_opts *opts)
{
	struct lt_err err = { 0 };
	if (analysis_comparisons(rec, opts, &err) < 0)
		fail_msg("%s", err.text);
}

/* n pairs; B's wall is `ratio` times A's, with noise of 1 %. */
static struct record *pairs(size_t n, double ratio)
{
	struct record *rec = built_record(metrics, 2);
	uint64_t noise = 3;
	for (unsigned i = 0; i < n; i++) {
		double a = 1e6 * (1 + 0.01 * built_noise(&noise));
		built_pair(rec, i, a, a * ratio * (1 + 0.01 * built_noise(&noise)));
	}
	return rec;
}

static void a_fixed_number_is_judged_by_signed_rank(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = pairs(20, 1.05);
	struct run_opts opts = { .design = RUN_FIXED };
	compare(rec, &opts);
	const struct comparison *c = record_comparison(rec, 1, 0);
	assert_string_equal(c->method, "signed-rank");
	assert_int_equal(c->n, 20);
	assert_true(c->primary && c->interleaved);
	assert_int_equal(c->verdict, VERDICT_HIGHER);
	assert_true(c->lo < 1.05 && 1.05 < c->hi);
	assert_near(c->diff.num, 50000, 10000);
	assert_true(c->p_holm <= c->p && c->p_holm >= c->p); /* alone: nothing to adjust */
}

static void a_sequence_below_ten_pairs_is_judged_by_signed_rank(void **state)
{
	(void)state;
	struct run_opts opts = { .design = RUN_SEQUENCE, .n_max = 200 };
	LT_AUTO_RECORD struct record *few = pairs(9, 1.5);
	LT_AUTO_RECORD struct record *enough = pairs(10, 1.5);
	compare(few, &opts);
	compare(enough, &opts);
	assert_string_equal(record_comparison(few, 1, 0)->method, "signed-rank");
	assert_string_equal(record_comparison(enough, 1, 0)->method, "confidence-sequence");
	struct stats_comparison now;
	assert_int_equal(analysis_now(few, &opts, 0, 1, &now, NULL), 0);
	assert_false(stats_compare_should_stop(&now));
	assert_int_equal(analysis_now(enough, &opts, 0, 1, &now, NULL), 0);
	assert_true(stats_compare_should_stop(&now));
}

static void only_blocks_with_both_values_make_pairs(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = pairs(12, 1.05);
	rec->trials[0].kept = false;                            /* block 0: A failed */
	rec->trials[3].readings[0] = value_missing("lost", ""); /* block 1: B gave no value */
	built_trial(rec, 0, 12)->readings[0] = value_of(9e9);   /* block 12: stopped after A */
	struct run_opts opts = { .design = RUN_FIXED };
	compare(rec, &opts);
	const struct comparison *c = record_comparison(rec, 1, 0);
	assert_int_equal(c->n, 10);
	assert_int_equal(c->m, 10);
	assert_true(c->ratio.num < 1.1);
}

static void pairs_do_not_cross_blocks(void **state)
{
	(void)state;
	/* Blocks grow ever slower; within each the two are the same. */
	LT_AUTO_RECORD struct record *rec = built_record(metrics, 2);
	for (unsigned i = 0; i < 12; i++)
		built_pair(rec, i, 1e6 * (i + 1), 1e6 * (i + 1));
	struct run_opts opts = { .design = RUN_FIXED };
	compare(rec, &opts);
	const struct comparison *c = record_comparison(rec, 1, 0);
	assert_true(c->ratio.num >= 1 && c->ratio.num <= 1);
	assert_int_equal(c->verdict, VERDICT_SAME);
}

static void too_few_pairs_are_told(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = pairs(5, 2);
	struct run_opts opts = { .design = RUN_FIXED };
	compare(rec, &opts);
	const struct comparison *c = record_comparison(rec, 1, 0);
	assert_int_equal(c->verdict, VERDICT_TOO_FEW);
	assert_true(isnan(c->lo) && isnan(c->hi));
	assert_non_null(strstr(c->what, "too few"));
}

static void without_values_nothing_is_claimed(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = pairs(12, 1.05);
	struct run_opts opts = { .design = RUN_FIXED };
	compare(rec, &opts);
	const struct comparison *c = record_comparison(rec, 1, 1); /* faults: never read */
	assert_int_equal(c->n, 0);
	assert_int_equal(c->ratio.state, VALUE_UNAVAILABLE);
	assert_int_equal(c->diff.state, VALUE_UNAVAILABLE);
	assert_int_equal(c->verdict, VERDICT_TOO_FEW);
	assert_true(isnan(c->p) && isnan(c->p_holm));
	assert_string_equal(c->method, "none");
}

static void sampled_metrics_are_not_judged(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = pairs(12, 1.05);
	struct run_opts opts = { .design = RUN_FIXED };
	compare(rec, &opts);
	assert_int_equal(rec->n_comparisons, 3);
	assert_null(record_comparison(rec, 1, 2));
}

/* Secondary metrics with differences of different strength. */
static void set_secondary(struct record *rec, unsigned metric, double ratio)
{
	uint64_t noise = 11 + metric;
	for (size_t i = 0; i < rec->n_trials; i++) {
		struct trial *t = &rec->trials[i];
		t->readings[metric] =
			value_of(1e4 * (t->variant ? ratio : 1) * (1 + 0.01 * built_noise(&noise)));
	}
}

static void secondary_metrics_share_their_error(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = pairs(12, 1.05);
	set_secondary(rec, 1, 1.10);
	set_secondary(rec, 3, 1.0);
	struct run_opts opts = { .design = RUN_FIXED };
	compare(rec, &opts);
	const struct comparison *primary = record_comparison(rec, 1, 0);
	const struct comparison *faults = record_comparison(rec, 1, 1);
	const struct comparison *switches = record_comparison(rec, 1, 3);
	assert_true(primary->p_holm <= primary->p);
	assert_near(faults->p_holm, 2 * faults->p, 1e-12); /* the smaller of two */
	assert_int_equal(faults->verdict, VERDICT_HIGHER);
	assert_near(switches->p_holm, fmax(switches->p, faults->p_holm), 1e-12);
}

static void a_difference_that_does_not_survive_the_family_is_undecided(void **state)
{
	(void)state;
	/* Six pairs, all of one sign: p = 1/32 alone, 1/16 in a family of two. */
	LT_AUTO_RECORD struct record *rec = built_record(metrics, 2);
	for (unsigned i = 0; i < 6; i++)
		built_pair(rec, i, 1e6 + i, 1.1e6 + 7 * i);
	struct run_opts opts = { .design = RUN_FIXED };
	for (size_t i = 0; i < rec->n_trials; i++)
		rec->trials[i].readings[1] = rec->trials[i].readings[0];
	compare(rec, &opts);
	assert_int_equal(record_comparison(rec, 1, 0)->verdict, VERDICT_HIGHER);
	assert_int_equal(record_comparison(rec, 1, 1)->verdict, VERDICT_HIGHER); /* one alone */
	rec->n_comparisons = 0;
	for (size_t i = 0; i < rec->n_trials; i++)
		rec->trials[i].readings[3] = rec->trials[i].readings[0];
	compare(rec, &opts);
	assert_int_equal(record_comparison(rec, 1, 0)->verdict, VERDICT_HIGHER);
	assert_int_equal(record_comparison(rec, 1, 1)->verdict, VERDICT_UNDECIDED);
	assert_near(record_comparison(rec, 1, 1)->p, 2.0 / 64, 1e-12);
	assert_near(record_comparison(rec, 1, 1)->p_holm, 2.0 / 32, 1e-12);
}

static void evidence_is_apart_from_the_family_and_from_time(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = pairs(12, 1.05);
	set_secondary(rec, 1, 1.10);
	for (unsigned k = 0; k < 8; k++) { /* four runs a side under an instrument */
		struct trial *t = built_trial(rec, k % 2, 12 + k / 2);
		t->evidence = true;
		t->readings[3] = value_of(k % 2 ? 1200 + k : 1000 + k);
	}
	struct run_opts opts = { .design = RUN_FIXED };
	compare(rec, &opts);
	const struct comparison *counted = record_comparison(rec, 1, 3);
	assert_string_equal(counted->method, "rank-sum");
	assert_int_equal(counted->n, 4);
	assert_int_equal(counted->m, 4);
	assert_int_equal(counted->verdict, VERDICT_HIGHER);
	assert_true(counted->p_holm <= counted->p);
	const struct comparison *faults = record_comparison(rec, 1, 1);
	assert_near(faults->p_holm, faults->p, 1e-12); /* a family of one */
	assert_int_equal(record_comparison(rec, 1, 0)->n, 12);
}

static void every_later_variant_meets_the_first(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = built_record(metrics, 3);
	uint64_t noise = 5;
	for (unsigned i = 0; i < 20; i++)
		for (unsigned v = 0; v < 3; v++)
			built_trial(rec, (v + i) % 3, i)->readings[0] = value_of(
				1e6 * (1 + 0.1 * ((v + i) % 3)) * (1 + 0.01 * built_noise(&noise)));
	struct run_opts opts = { .design = RUN_FIXED };
	compare(rec, &opts);
	for (unsigned v = 1; v < 3; v++) {
		const struct comparison *c = record_comparison(rec, v, 0);
		assert_int_equal(c->a, 0);
		assert_near(c->ratio.num, 1 + 0.1 * v, 0.02);
		assert_near(c->level, 0.975, 1e-12); /* alpha shared by two */
	}
}

static void the_aa_check_has_a_base_of_its_own(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = built_record(metrics, 4);
	rec->variants[2].aa = rec->variants[3].aa = true;
	uint64_t noise = 9;
	for (unsigned i = 0; i < 20; i++) {
		built_trial(rec, 2, i)->readings[0] = value_of(5e6 + 1e4 * built_noise(&noise));
		built_trial(rec, 3, i)->readings[0] = value_of(5e6 + 1e4 * built_noise(&noise));
	}
	for (unsigned i = 20; i < 40; i++)
		built_pair(
			rec, i, 1e6 + 1e4 * built_noise(&noise), 1e6 + 1e4 * built_noise(&noise));
	struct run_opts opts = { .design = RUN_SEQUENCE, .n_max = 200 };
	compare(rec, &opts);
	const struct comparison *aa = record_comparison(rec, 3, 0);
	assert_int_equal(aa->a, 2);
	assert_true(aa->aa);
	assert_string_equal(aa->method, "signed-rank"); /* its number was fixed */
	assert_near(aa->level, 0.95, 1e-12);
	assert_null(record_comparison(rec, 2, 0));
	assert_near(record_comparison(rec, 1, 0)->level, 0.95, 1e-12);
	assert_false(record_comparison(rec, 1, 0)->aa);
}

static void a_plan_tells_how_many_pairs_it_takes(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = pairs(40, 1.0);
	struct run_opts opts = { .design = RUN_FIXED, .plan_effect = 0.01 };
	compare(rec, &opts);
	const struct comparison *c = record_comparison(rec, 1, 0);
	/* SD of the log ratio is near 1 %: ((1.96 + 1.2816) 1 / 1)^2 / 0.955 = 11. */
	assert_true(c->plan_runs > 5 && c->plan_runs < 25);
	assert_true(c->plan_effect >= 0.01 && c->plan_effect <= 0.01);
}

static void a_first_of_zero_has_no_ratio(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = built_record(metrics, 2);
	for (unsigned i = 0; i < 12; i++)
		built_pair(rec, i, 0, 5 + i % 3);
	struct run_opts opts = { .design = RUN_FIXED };
	compare(rec, &opts);
	const struct comparison *c = record_comparison(rec, 1, 0);
	assert_int_equal(c->ratio.state, VALUE_UNAVAILABLE);
	assert_string_equal(c->ratio.reason, "the first is zero");
	assert_int_equal(c->diff.state, VALUE_MEASURED);
	assert_true(c->diff_lo > 0);
	assert_int_equal(c->verdict, VERDICT_HIGHER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fixed_number_is_judged_by_signed_rank),
		cmocka_unit_test(a_sequence_below_ten_pairs_is_judged_by_signed_rank),
		cmocka_unit_test(only_blocks_with_both_values_make_pairs),
		cmocka_unit_test(pairs_do_not_cross_blocks),
		cmocka_unit_test(too_few_pairs_are_told),
		cmocka_unit_test(without_values_nothing_is_claimed),
		cmocka_unit_test(sampled_metrics_are_not_judged),
		cmocka_unit_test(secondary_metrics_share_their_error),
		cmocka_unit_test(a_difference_that_does_not_survive_the_family_is_undecided),
		cmocka_unit_test(evidence_is_apart_from_the_family_and_from_time),
		cmocka_unit_test(every_later_variant_meets_the_first),
		cmocka_unit_test(the_aa_check_has_a_base_of_its_own),
		cmocka_unit_test(a_plan_tells_how_many_pairs_it_takes),
		cmocka_unit_test(a_first_of_zero_has_no_ratio),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
