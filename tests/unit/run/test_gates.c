/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gates: read as written, violated only when proved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "helpers/built_record.h"
#include "helpers/near.h"
#include "run/analysis.h"

static const struct metric metrics[] = {
	{ .name = "wall", .unit = "ns", .better = METRIC_LOWER },
	{ .name = "peak-memory", .unit = "bytes", .better = METRIC_LOWER },
	{ .name = "user", .unit = "ns", .sampled = true },
	{ .name = NULL },
};

static void a_gate_is_a_metric_and_a_signed_share(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = built_record(metrics, 2);
	static const struct {
		const char *text;
		unsigned metric;
		double limit;
	} good[] = {
		{ "wall +5%", 0, 0.05 },
		{ "wall+5%", 0, 0.05 },
		{ "wall  + 5 %", 0, 0.05 },
		{ "wall -5%", 0, -0.05 },
		{ "wall\t-0.5%", 0, -0.005 },
		{ "peak-memory +10%", 1, 0.1 },
		{ "peak-memory -10%", 1, -0.1 },
		{ "peak-memory+10%", 1, 0.1 },
	};
	for (size_t i = 0; i < LT_COUNT(good); i++) {
		unsigned metric = 9;
		double limit = 0;
		struct lt_err err = { 0 };
		if (analysis_gate_parse(rec, good[i].text, &metric, &limit, &err) < 0)
			fail_msg("'%s': %s", good[i].text, err.text);
		assert_int_equal(metric, good[i].metric);
		assert_near(limit, good[i].limit, 1e-12);
	}
}

static void what_is_no_gate_is_refused(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = built_record(metrics, 2);
	static const struct {
		const char *text, *id;
	} bad[] = {
		{ "", "LT-GATE" },
		{ "wall", "LT-GATE" },
		{ "wall 5%", "LT-GATE" },
		{ "wall +5", "LT-GATE" }, /* 500 % ? */
		{ "wall +0.05", "LT-GATE" },
		{ "+5%", "LT-GATE" },
		{ "wall +", "LT-GATE" },
		{ "wall +%", "LT-GATE" },
		{ "wall +-5%", "LT-GATE" },
		{ "wall ++5%", "LT-GATE" },
		{ "wall +0%", "LT-GATE" },
		{ "wall +5% more", "LT-GATE" },
		{ "wall +5x", "LT-GATE" },
		{ "peak-memory-10%", "LT-GATE" }, /* dashes belong to names */
		{ "walk +5%", "LT-METRIC" },
		{ "user +5%", "LT-METRIC" },
		{ "wall +55555555555555555555555555555555555555555%", "LT-GATE" },
		{ "a-name-that-is-much-longer-than-any-name-of-a-metric-could-ever-be-here +5%",
			"LT-GATE" },
	};
	for (size_t i = 0; i < LT_COUNT(bad); i++) {
		unsigned metric = 9;
		double limit = 7;
		struct lt_err err = { 0 };
		if (analysis_gate_parse(rec, bad[i].text, &metric, &limit, &err) != -EINVAL)
			fail_msg("'%s' was taken", bad[i].text);
		assert_string_equal(err.id, bad[i].id);
		assert_int_equal(metric, 9);
	}
}

/* Judges one gate where B is `ratio` times A, give or take 0.1 %. */
static struct gate judge(double ratio, const char *text)
{
	LT_AUTO_RECORD struct record *rec = built_record(metrics, 2);
	uint64_t noise = 3;
	for (unsigned i = 0; i < 20; i++)
		built_pair(rec, i, 1e6, 1e6 * ratio * (1 + 0.001 * built_noise(&noise)));
	struct run_opts opts = { .design = RUN_FIXED, .gates = &text, .n_gates = 1 };
	assert_int_equal(analysis_comparisons(rec, &opts, NULL), 0);
	assert_int_equal(analysis_gates(rec, &opts, NULL), 0);
	assert_int_equal(rec->n_gates, 1);
	assert_string_equal(rec->gates[0].text, text);
	assert_int_equal(rec->gates[0].b, 1);
	return rec->gates[0];
}

static void only_what_is_proved_violates(void **state)
{
	(void)state;
	static const struct {
		double ratio;
		const char *text;
		bool violated, decided;
	} cases[] = {
		{ 1.10, "wall +5%", true, true },
		{ 1.02, "wall +5%", false, true },
		{ 1.05, "wall +5%", false, false }, /* on the limit: nobody knows */
		{ 0.50, "wall +5%", false, true },
		{ 0.90, "wall -5%", true, true },
		{ 0.98, "wall -5%", false, true },
		{ 2.00, "wall -5%", false, true },
		{ 0.95, "wall -5%", false, false },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct gate g = judge(cases[i].ratio, cases[i].text);
		if (g.violated != cases[i].violated || g.decided != cases[i].decided)
			fail_msg("%g against '%s': violated %d, decided %d", cases[i].ratio,
				cases[i].text, g.violated, g.decided);
	}
}

static void a_rise_from_nothing_is_beyond_any_limit(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		double b;
		bool violated;
	} cases[] = { { "wall +900%", 5, true }, { "wall -5%", 5, false },
		{ "wall +5%", 0, false } };
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		LT_AUTO_RECORD struct record *rec = built_record(metrics, 2);
		for (unsigned k = 0; k < 12; k++)
			built_pair(rec, k, 0, cases[i].b);
		struct run_opts opts = {
			.design = RUN_FIXED, .gates = &cases[i].text, .n_gates = 1
		};
		assert_int_equal(analysis_comparisons(rec, &opts, NULL), 0);
		assert_int_equal(analysis_gates(rec, &opts, NULL), 0);
		assert_true(rec->gates[0].violated == cases[i].violated);
	}
}

static void too_few_runs_decide_nothing(void **state)
{
	(void)state;
	const char *text = "wall +5%";
	LT_AUTO_RECORD struct record *rec = built_record(metrics, 2);
	for (unsigned k = 0; k < 3; k++)
		built_pair(rec, k, 1, 100);
	struct run_opts opts = { .design = RUN_FIXED, .gates = &text, .n_gates = 1 };
	assert_int_equal(analysis_comparisons(rec, &opts, NULL), 0);
	assert_int_equal(analysis_gates(rec, &opts, NULL), 0);
	assert_false(rec->gates[0].violated);
	assert_false(rec->gates[0].decided);
}

static void every_variant_passes_every_gate_but_the_aa_pair(void **state)
{
	(void)state;
	const char *const texts[] = { "wall +5%", "peak-memory +5%" };
	LT_AUTO_RECORD struct record *rec = built_record(metrics, 5);
	rec->variants[3].aa = rec->variants[4].aa = true;
	for (unsigned i = 0; i < 12; i++)
		for (unsigned v = 0; v < 5; v++)
			for (unsigned m = 0; m < 2; m++) {
				struct trial *t = m == 0 ? built_trial(rec, v, i)
							 : &rec->trials[rec->n_trials - 1];
				t->readings[m] = value_of(100 + v * 20);
			}
	struct run_opts opts = { .design = RUN_FIXED, .gates = texts, .n_gates = 2 };
	assert_int_equal(analysis_comparisons(rec, &opts, NULL), 0);
	assert_int_equal(analysis_gates(rec, &opts, NULL), 0);
	assert_int_equal(rec->n_gates, 4);
	for (size_t i = 0; i < rec->n_gates; i++) {
		assert_int_equal(rec->gates[i].b, 1 + i % 2);
		assert_true(rec->gates[i].violated);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_gate_is_a_metric_and_a_signed_share),
		cmocka_unit_test(what_is_no_gate_is_refused),
		cmocka_unit_test(only_what_is_proved_violates),
		cmocka_unit_test(a_rise_from_nothing_is_beyond_any_limit),
		cmocka_unit_test(too_few_runs_decide_nothing),
		cmocka_unit_test(every_variant_passes_every_gate_but_the_aa_pair),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
