/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saved records compared: what they share, side by side, marked as not interleaved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "helpers/built_record.h"
#include "helpers/near.h"
#include "run/merge.h"

static const struct metric monday[] = {
	{ .name = "wall", .unit = "ns", .better = METRIC_LOWER, .kind = METRIC_COUNTER },
	{ .name = "faults", .unit = "count", .better = METRIC_LOWER },
	{ .name = "energy", .unit = "uJ", .better = METRIC_LOWER },
	{ .name = NULL },
};

static const struct metric tuesday[] = {
	{ .name = "energy", .unit = "uJ", .better = METRIC_LOWER },
	{ .name = "wall", .unit = "ns", .better = METRIC_LOWER, .kind = METRIC_COUNTER },
	{ .name = NULL },
};

static struct record *saved(const struct metric *metrics, unsigned n, double wall)
{
	struct record *rec = built_record(metrics, 1);
	uint64_t noise = 6;
	int m = record_metric(rec, "wall");
	for (unsigned i = 0; i < n; i++) {
		struct trial *t = built_trial(rec, 0, i);
		for (size_t k = 0; k < rec->n_metrics; k++)
			t->readings[k] = value_missing("no counter", "buy one");
		if (m >= 0)
			t->readings[m] = value_of(wall * (1 + 0.01 * built_noise(&noise)));
	}
	rec->plan.primary = "wall";
	rec->variants[0].command = "sort big.txt";
	return rec;
}

static const char *const names[] = { "monday.json", "tuesday.json" };

static void shared_metrics_are_compared_by_rank_sum(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *a = saved(monday, 20, 1e8);
	LT_AUTO_RECORD struct record *b = saved(tuesday, 15, 1.1e8);
	struct record *both[] = { a, b };
	struct run_opts opts = { 0 };
	LT_AUTO_RECORD struct record *rec = NULL;
	assert_int_equal(merge_records(both, names, 2, &opts, &rec, NULL), 0);
	/* Nothing in the new one hangs on the old ones. */
	record_free(a);
	record_free(b);
	a = b = NULL;
	assert_int_equal(rec->n_metrics, 2);
	assert_int_equal(record_metric(rec, "faults"), -1);
	assert_string_equal(rec->variants[1].name, "tuesday.json");
	assert_string_equal(rec->variants[0].command, "sort big.txt");
	const struct comparison *c =
		record_comparison(rec, 1, (unsigned)record_metric(rec, "wall"));
	assert_string_equal(c->method, "rank-sum");
	assert_false(c->interleaved);
	assert_true(c->primary);
	assert_int_equal(c->n, 20);
	assert_int_equal(c->m, 15);
	assert_near(c->ratio.num, 1.1, 0.02);
	assert_int_equal(c->verdict, VERDICT_HIGHER);
	assert_non_null(strstr(c->what, "not interleaved"));
	assert_string_equal(
		rec->trials[20].readings[record_metric(rec, "energy")].reason, "no counter");
	assert_int_equal(record_check(rec, NULL), 0);
}

static void every_program_comes_with_the_runs_that_count(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *a = built_record(monday, 2);
	for (unsigned i = 0; i < 8; i++)
		built_pair(a, i, 100, 900);
	a->trials[0].kept = false;
	a->variants[1].command = NULL; /* a record need not say */
	LT_AUTO_RECORD struct record *b = saved(tuesday, 8, 100);
	struct record *both[] = { a, b };
	struct run_opts opts = { 0 };
	LT_AUTO_RECORD struct record *rec = NULL;
	assert_int_equal(merge_records(both, names, 2, &opts, &rec, NULL), 0);
	unsigned wall = (unsigned)record_metric(rec, "wall");
	assert_int_equal(record_summary(rec, 0, wall, false)->n, 7);
	assert_near(record_summary(rec, 0, wall, false)->max, 100, 0);
	assert_int_equal(rec->n_variants, 3);
	assert_string_equal(rec->variants[1].name, "monday.json: B");
	assert_near(record_comparison(rec, 1, wall)->ratio.num, 9, 1e-9);
	assert_near(record_comparison(rec, 2, wall)->ratio.num, 1, 0.02);
}

static void gates_hold_for_files_too(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *a = saved(monday, 20, 1e8);
	LT_AUTO_RECORD struct record *b = saved(monday, 20, 1.2e8);
	struct record *both[] = { a, b };
	const char *gate = "wall +5%";
	struct run_opts opts = { .gates = &gate, .n_gates = 1 };
	LT_AUTO_RECORD struct record *rec = NULL;
	assert_int_equal(merge_records(both, names, 2, &opts, &rec, NULL), 0);
	assert_true(rec->gates[0].violated);
}

static void what_cannot_be_merged_is_refused(void **state)
{
	(void)state;
	static const struct metric other[] = { { .name = "fog", .unit = "count" },
		{ .name = NULL } };
	LT_AUTO_RECORD struct record *a = saved(monday, 8, 1e8);
	LT_AUTO_RECORD struct record *none = saved(other, 8, 1e8);
	LT_AUTO_RECORD struct record *empty = saved(monday, 0, 1e8);
	LT_AUTO_RECORD struct record *bare = record_new();
	struct record *const cases[] = { none, empty, bare };
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		for (int turn = 0; turn < 2; turn++) {
			struct record *both[] = { turn ? cases[i] : a, turn ? a : cases[i] };
			struct run_opts opts = { 0 };
			struct record *rec = NULL;
			struct lt_err err = { 0 };
			assert_int_equal(
				merge_records(both, names, 2, &opts, &rec, &err), -ENODATA);
			assert_null(rec);
			assert_string_equal(err.id, "LT-MERGE");
		}
	}
}

static void the_primary_metric_can_be_chosen(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *a = saved(monday, 8, 1e8);
	LT_AUTO_RECORD struct record *b = saved(monday, 8, 1e8);
	struct record *both[] = { a, b };
	struct run_opts opts = { .primary = "faults" };
	LT_AUTO_RECORD struct record *rec = NULL;
	assert_int_equal(merge_records(both, names, 2, &opts, &rec, NULL), 0);
	assert_string_equal(rec->plan.primary, "faults");
	struct lt_err err = { 0 };
	struct record *no = NULL;
	opts.primary = "fog";
	assert_int_equal(merge_records(both, names, 2, &opts, &no, &err), -EINVAL);
	assert_string_equal(err.id, "LT-METRIC");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shared_metrics_are_compared_by_rank_sum),
		cmocka_unit_test(every_program_comes_with_the_runs_that_count),
		cmocka_unit_test(gates_hold_for_files_too),
		cmocka_unit_test(what_cannot_be_merged_is_refused),
		cmocka_unit_test(the_primary_metric_can_be_chosen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
