/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saved records come back whole; what is no record is refused in one line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "helpers/sample_record.h"
#include "helpers/sweep_record.h"
#include "record/record_json.h"

static void save(const struct record *rec, struct lt_buf *out)
{
	struct lt_err err = { 0 };
	if (record_save_json(rec, out, &err) < 0)
		fail_msg("%s", err.text);
}

static struct record *load(const char *bytes, size_t len)
{
	struct lt_err err = { 0 };
	struct record *rec = NULL;
	if (record_load_json(bytes, len, "t.json", &rec, &err) < 0)
		fail_msg("%s", err.text);
	return rec;
}

static void saved_and_loaded_twice_is_the_same(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = sample_record();
	LT_AUTO_BUF struct lt_buf first = { 0 }, second = { 0 };
	save(rec, &first);
	LT_AUTO_RECORD struct record *again = load(first.data, first.len);
	save(again, &second);
	assert_string_equal(first.data, second.data);
}

static void every_member_survives(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = sample_record();
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	save(rec, &buf);
	LT_AUTO_RECORD struct record *got = load(buf.data, buf.len);
	assert_int_equal(got->plan.seed, UINT64_MAX - 1);
	assert_true(got->machine.load_before == 0.25);
	assert_true(got->machine.load_after == -1);
	assert_null(got->machine.virt);
	assert_string_equal(got->machine.meters[1].reason, "no powercap zone");
	assert_int_equal(got->n_trials, 8);
	for (size_t i = 0; i < 8; i++)
		for (size_t m = 0; m < rec->n_metrics; m++) {
			const struct value *x = &rec->trials[i].readings[m];
			const struct value *y = &got->trials[i].readings[m];
			assert_int_equal(x->state, y->state);
			assert_true(x->num == y->num);
		}
	assert_string_equal(got->trials[0].readings[3].reason, "two clocks");
	assert_string_equal(got->trials[0].readings[4].hint, "load the module intel_rapl");
	assert_string_equal(got->trials[7].outcome.talk, rec->trials[7].outcome.talk);
	assert_int_equal(got->trials[7].outcome.notes, NOTE_CORE | NOTE_LEFT_CHILDREN);
	assert_true(got->trials[3].work == 0);
	assert_true(got->summaries[0].bounded);
	assert_false(got->summaries[3].bounded);
	assert_int_equal(got->summaries[4].center.state, VALUE_UNAVAILABLE);
	assert_true(isnan(got->summaries[4].mean));
	assert_true(isnan(got->comparisons[0].p_holm));
	assert_true(isnan(got->comparisons[2].lag1));
	assert_int_equal(got->comparisons[0].verdict, VERDICT_LOWER);
	assert_int_equal(got->comparisons[2].ratio.state, VALUE_UNAVAILABLE);
	assert_int_equal(got->findings[0].variant, 1);
	assert_true(isnan(got->findings[0].num[2]));
	assert_true(got->own.peak_bytes == 3 << 20);
}

static void a_sweep_survives(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = sweep_record();
	LT_AUTO_BUF struct lt_buf first = { 0 }, second = { 0 };
	save(rec, &first);
	LT_AUTO_RECORD struct record *got = load(first.data, first.len);
	save(got, &second);
	assert_string_equal(first.data, second.data);
	assert_int_equal(got->n_factors, 1);
	assert_int_equal(got->factors[0].how, FACTOR_ENVIRONMENT);
	assert_string_equal(got->factors[0].levels[2], "4");
	assert_string_equal(got->variants[1].levels[0], "2");
	assert_string_equal(got->variants[3].remedy, "glibc-big-blocks");
	assert_int_equal(got->scaling->focus, 1);
	assert_int_equal(got->scaling->one_cpu.variant, -1);
	assert_true(got->scaling->serial.hi == 2.8);
	assert_true(got->curve[1].speedup.lo == rec->curve[1].speedup.lo);
	assert_int_equal(got->curve[1].rate.value.state, VALUE_UNAVAILABLE);
	assert_true(got->ledger->lines[0].core_ns == 3.9e9);
	assert_int_equal(got->ledger->lines[1].part, LEDGER_IDLE);
	assert_null(got->ledger->lines[1].group);
	assert_int_equal(got->ledger->n_used, 3);
	assert_int_equal(got->findings[0].n_where, 2);
	assert_true(got->findings[0].where[0].offset == 8);
	assert_true(isnan(got->findings[0].where[1].offset));
	assert_true(got->findings[0].facts[0].num.num == 0.98);
	assert_true(got->remedies[0].best);
	assert_true(isnan(got->remedies[1].p));
}

/* Without its sweep the same file has members that nobody knows. */
static void parts_of_a_sweep_need_a_sweep(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = sweep_record();
	struct lt_err err = { 0 };
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	rec->scaling = NULL;
	assert_int_equal(record_save_json(rec, &buf, &err), -EINVAL);
	rec->n_factors = rec->n_curve = rec->n_remedies = 0;
	rec->ledger = NULL;
	assert_int_equal(record_save_json(rec, &buf, &err), 0);
	assert_null(strstr(buf.data, "curve"));
	assert_null(strstr(buf.data, "confidence"));
}

static void a_loaded_record_can_grow(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = sample_record();
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	save(rec, &buf);
	LT_AUTO_RECORD struct record *got = load(buf.data, buf.len);
	size_t n = got->n_findings;
	for (int i = 0; i < 20; i++)
		record_add_finding(got)->id = "drift";
	assert_int_equal(got->n_findings, n + 20);
	assert_string_equal(got->findings[0].id, "left-children");
}

static void an_empty_record_survives(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = record_new();
	LT_AUTO_BUF struct lt_buf first = { 0 }, second = { 0 };
	save(rec, &first);
	LT_AUTO_RECORD struct record *again = load(first.data, first.len);
	save(again, &second);
	assert_string_equal(first.data, second.data);
}

static void missing_is_written_without_a_number(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = sample_record();
	rec->trials[0].readings[0].num = NAN;
	rec->summaries[0].center.num = INFINITY;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	save(rec, &buf);
	assert_null(strstr(buf.data, "nan"));
	assert_null(strstr(buf.data, "inf,"));
	assert_non_null(strstr(buf.data,
		"\"wall\": {\"state\": \"unavailable\", \"reason\": \"not a finite number\""));
	assert_non_null(strstr(buf.data,
		"\"energy\": {\"state\": \"unavailable\", \"reason\": \"no powercap zone\""));
}

static void a_record_that_breaks_its_word_is_not_saved(void **state)
{
	(void)state;
	struct lt_err err = { 0 };
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	LT_AUTO_RECORD struct record *rec = sample_record();
	rec->comparisons[1].b = 3;
	assert_int_equal(record_save_json(rec, &buf, &err), -EINVAL);
	assert_string_equal(err.id, "LT-RECORD-CHECK");
	assert_int_equal(buf.len, 0);
}

/* The sample with one piece of its JSON replaced must be refused, naming the member. */
static void refused(const char *from, const char *to, const char *want)
{
	LT_AUTO_RECORD struct record *rec = sample_record();
	LT_AUTO_BUF struct lt_buf buf = { 0 }, bad = { 0 };
	save(rec, &buf);
	char *at = strstr(buf.data, from);
	if (!at)
		fail_msg("the sample holds no %s", from);
	lt_buf_add(&bad, buf.data, (size_t)(at - buf.data));
	lt_buf_adds(&bad, to);
	lt_buf_adds(&bad, at + strlen(from));
	struct record *ret = NULL;
	struct lt_err err = { 0 };
	int r = record_load_json(bad.data, bad.len, "t.json", &ret, &err);
	assert_true(r < 0);
	assert_null(ret);
	assert_null(strchr(err.text, '\n'));
	if (!strstr(err.text, want))
		fail_msg("'%s' does not say '%s'", err.text, want);
}

static void hostile_members_are_named(void **state)
{
	(void)state;
	refused("\"format\": \"leat-record\"", "\"format\": \"x\"",
		"t.json is not a record of leat");
	refused("\"version\": 1", "\"version\": 2", "format 2");
	refused("\"version\": 1", "\"version\": 0", "t.json: .version is 0");
	refused("\"cpus_online\": 2", "\"cpus_online\": -2", ".machine.cpus_online is -2");
	refused("\"cpus_online\": 2", "\"cpus_online\": \"2\"", ".machine.cpus_online is a string");
	refused("\"cpus_online\": 2", "\"cpus\": 2", ".machine: no member 'cpus_online'");
	refused("\"cpus_online\": 2", "\"cpus_online\": 2, \"more\\nover\": 1",
		".machine.more?over is not a known member");
	refused("\"seed\": \"18446744073709551614\"", "\"seed\": \"-1\"", ".plan.seed is '-1'");
	refused("\"seed\": \"18446744073709551614\"", "\"seed\": \"18446744073709551616\"",
		".plan.seed is");
	refused("\"meters\": [", "\"meters\": [7, ", ".machine.meters[0] is not an object");
	refused("\"variant\": \"B\"", "\"variant\": \"C\"", ".trials[1].variant is 'C'");
	refused("\"kind\": \"exit\"", "\"kind\": \"left\"", ".trials[0].outcome.kind is 'left'");
	refused("\"notes\": []", "\"notes\": [\"core\", 5]", ".trials[0].outcome.notes holds");
	refused("\"readings\": {\"wall\": 1000000000, ", "\"readings\": {",
		".trials[0].readings holds 4 members");
	refused("\"readings\": {\"wall\": 1000000000", "\"readings\": {\"walk\": 1000000000",
		".trials[0].readings.wall is missing");
	refused("\"readings\": {\"wall\": 1000000000", "\"readings\": {\"wall\": NaN",
		"not valid JSON");
	refused("\"readings\": {\"wall\": 1000000000", "\"readings\": {\"wall\": 1e999",
		"not valid JSON");
	refused("\"readings\": {\"wall\": 1000000000",
		"\"readings\": {\"wall\": {\"state\": \"unavailable\", \"num\": 1, "
		"\"reason\": null, \"hint\": null}",
		".trials[0].readings.wall.num is there");
	refused("\"metric\": \"wall\", \"per_work\"", "\"metric\": \"gone\", \"per_work\"",
		".summaries[0].metric is 'gone'");
	refused("\"unit\": \"ns\", \"state\"", "\"unit\": \"ms\", \"state\"",
		".summaries[0].unit is 'ms'");
	refused("\"state\": \"measured\", \"reason\": null, \"hint\": null, \"n\": 3",
		"\"state\": \"unavailable\", \"reason\": null, \"hint\": null, \"n\": 3",
		".summaries[0].center is not null");
	refused("\"factors\": {}", "\"factors\": {\"x\": 1}",
		".summaries[0].factors holds 1 members, but there are 0");
	refused("\"verdict\": \"faster\"", "\"verdict\": \"best\"",
		".comparisons[0].verdict is 'best'");
	refused("\"num\": [1, 2, null]", "\"num\": [1, 2]", ".findings[0].num holds 2");
	refused("{\"name\": \"B\", \"command\": null",
		"{\"name\": \"A\", \"command\": null, \"aa\": false}, "
		"{\"name\": \"B\", \"command\": null",
		"t.json: two variants are named 'A'");
	refused("\"partial\": false", "\"partial\": false, \"partial\": false", "duplicate");
	refused("\"ledgers\": {}", "\"ledgers\": []", ".ledgers is an array");
}

static void a_cut_file_is_refused(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = sample_record();
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	save(rec, &buf);
	for (size_t len = 0; len + 2 < buf.len; len += 7) {
		struct record *ret = NULL;
		struct lt_err err = { 0 };
		assert_true(record_load_json(buf.data, len, "t.json", &ret, &err) < 0);
		assert_null(ret);
		assert_non_null(strstr(err.text, "t.json"));
	}
}

static void deep_nesting_is_refused(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	for (int i = 0; i < 100000; i++)
		lt_buf_adds(&buf, "[");
	struct record *ret = NULL;
	struct lt_err err = { 0 };
	assert_int_equal(record_load_json(buf.data, buf.len, "t.json", &ret, &err), -EINVAL);
	assert_string_equal(err.id, "LT-JSON");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(saved_and_loaded_twice_is_the_same),
		cmocka_unit_test(every_member_survives),
		cmocka_unit_test(a_sweep_survives),
		cmocka_unit_test(parts_of_a_sweep_need_a_sweep),
		cmocka_unit_test(a_loaded_record_can_grow),
		cmocka_unit_test(an_empty_record_survives),
		cmocka_unit_test(missing_is_written_without_a_number),
		cmocka_unit_test(a_record_that_breaks_its_word_is_not_saved),
		cmocka_unit_test(hostile_members_are_named),
		cmocka_unit_test(a_cut_file_is_refused),
		cmocka_unit_test(deep_nesting_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
