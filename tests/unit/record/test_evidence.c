/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evidence in a record: it comes back as it was saved, and what makes no sense is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "helpers/sweep_record.h"
#include "record/evidence.h"
#include "record/record_json.h"

static struct evidence_frame frames[] = {
	{ "libc.so.6", "__lll_lock_wait", NULL, 0, 0x8ad04 },
	{ "prog", "worker", "/src/prog.c", 23, UINT64_MAX },
};
static struct evidence_site sites[] = { { frames, 2, 1 }, { frames, 1, 1 } };
static struct evidence_group groups[] = {
	{ .name = "main", .process = "prog", .main = true, .threads = 1 },
	{ .name = "worker", .process = "prog", .start = "worker", .threads = 8 },
};
static struct evidence_wait waits[] = { { .group = 1,
	.op = EVIDENCE_OP_LOCK,
	.syscall = "futex",
	.detail = "mutex",
	.key = UINT64_C(0x7ffff7fc1080),
	.process = 4711,
	.threads = 8,
	.count = 231.5,
	.total_ns = 1.5e9,
	.max_ns = 4e6,
	.uninterruptible = true,
	.site = 0 } };
static struct evidence_sample samples[] = {
	{ 1, EVIDENCE_OP_USER, NULL, 23, 23e6, 1e6, 2e6, 3e6, 4e6, 5e6, 6e6, 0 },
	{ 0, EVIDENCE_OP_KERNEL, "munmap", 1, 1e6, 0, 0, 0, 0, 0, 0, -1 },
};
static struct evidence_access accesses[] = { { 1, 4712, 8, 4, true, true, 20, 1 } };
static struct evidence_line lines[] = { { .address = UINT64_C(0x555555558040),
	.process = 4711,
	.n = 21,
	.share = 0.9,
	.locked = 20,
	.threads = 2,
	.writers = 1,
	.overlap = true,
	.object = "prog",
	.symbol = "counters",
	.symbol_off = UINT64_MAX - 7,
	.allocated = 1,
	.first_touch = true,
	.accesses = accesses,
	.n_accesses = 1 } };
static struct evidence_fault faults[] = { { 1, 509, 0 } };
static struct evidence_core cores[] = { { 1e6 }, { 2e6 }, { 3e6 } };

static struct evidence sample_evidence(void)
{
	for (size_t i = 0; i < LT_COUNT(groups); i++) {
		groups[i].run_ns = value_of(1e9);
		groups[i].queue_ns = groups[i].blocked_ns = groups[i].voluntary =
			value_missing("why not", "what helps");
		groups[i].involuntary = value_of(7);
	}
	struct evidence e = { .variant = 2,
		.threads = 8,
		.cpus = 4,
		.elapsed_ns = 1.25e9,
		.user_ns = value_of(3),
		.sys_ns = value_of(4),
		.voluntary = value_of(5),
		.involuntary = value_of(6),
		.minor_faults = value_of(7),
		.major_faults = value_of(8),
		.peak_bytes = value_of(9),
		.foreign_ns = value_missing("who knows", NULL),
		.outcome = { .kind = OUTCOME_SIGNAL, .code = 11, .talk = "ouch" },
		.sample_ns = 1e6,
		.own_cpu_ns = 2e6,
		.processes = 3,
		.peak_threads = 9,
		.sites = sites,
		.n_sites = LT_COUNT(sites),
		.groups = groups,
		.n_groups = LT_COUNT(groups),
		.waits = waits,
		.n_waits = LT_COUNT(waits),
		.samples = samples,
		.n_samples = LT_COUNT(samples),
		.lines = lines,
		.n_lines = LT_COUNT(lines),
		.faults = faults,
		.n_faults = LT_COUNT(faults),
		.cores = cores,
		.n_cores = LT_COUNT(cores) };
	for (int i = 0; i < EVIDENCE_FACTS; i++)
		e.sources[i] = (struct evidence_source){ .reason = "closed", .hint = "open it" };
	e.sources[EVIDENCE_WAITS] =
		(struct evidence_source){ EVIDENCE_PROBE, "probe", NULL, NULL, 17 };
	return e;
}

static struct record *record_with(const struct evidence *e)
{
	struct record *rec = sweep_record();
	struct evidence *to = rec ? record_add_evidence(rec) : NULL;
	assert_non_null(to);
	*to = *e;
	return rec;
}

static void evidence_survives(void **state)
{
	(void)state;
	struct evidence e = sample_evidence();
	LT_AUTO_RECORD struct record *rec = record_with(&e);
	LT_AUTO_BUF struct lt_buf first = { 0 }, second = { 0 };
	struct record *loaded = NULL;
	struct lt_err err = { 0 };
	if (record_save_json(rec, &first, &err) < 0 ||
		record_load_json(first.data, first.len, "t.json", &loaded, &err) < 0)
		fail_msg("%s", err.text);
	LT_AUTO_RECORD struct record *again = loaded;
	assert_int_equal(record_save_json(again, &second, &err), 0);
	assert_string_equal(first.data, second.data);
	assert_int_equal(again->n_evidence, 1);
	const struct evidence *got = &again->evidence[0];
	assert_int_equal(got->variant, 2);
	assert_true(got->elapsed_ns == 1.25e9 && got->own_cpu_ns == 2e6);
	assert_int_equal(got->outcome.code, 11);
	assert_int_equal(got->sources[EVIDENCE_WAITS].tier, EVIDENCE_PROBE);
	assert_true(got->sources[EVIDENCE_WAITS].lost == 17);
	assert_int_equal(got->sources[EVIDENCE_SITES].tier, EVIDENCE_NONE);
	assert_string_equal(got->sources[EVIDENCE_SITES].hint, "open it");
	assert_int_equal(got->n_sites, 2);
	assert_int_equal(got->sites[0].call, 1);
	assert_string_equal(got->sites[0].frames[1].file, "/src/prog.c");
	assert_true(got->sites[0].frames[1].offset == UINT64_MAX);
	assert_null(got->sites[0].frames[0].file);
	assert_int_equal(got->groups[1].queue_ns.state, VALUE_UNAVAILABLE);
	assert_int_equal(got->waits[0].op, EVIDENCE_OP_LOCK);
	assert_true(got->waits[0].key == waits[0].key && got->waits[0].uninterruptible);
	assert_true(got->samples[0].entry_ns == 5e6);
	assert_true(got->samples[0].fresh_ns == 6e6);
	assert_int_equal(got->samples[1].site, -1);
	assert_true(got->lines[0].symbol_off == UINT64_MAX - 7);
	assert_int_equal(got->lines[0].accesses[0].offset, 8);
	assert_true(got->cores[2].ns == 3e6);
}

static void refused(const struct evidence *e, const char *word)
{
	LT_AUTO_RECORD struct record *rec = record_with(e);
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	struct lt_err err = { 0 };
	assert_true(record_save_json(rec, &buf, &err) < 0);
	assert_string_equal(err.id, "LT-RECORD-CHECK");
	if (!strstr(err.text, word))
		fail_msg("'%s' does not speak of %s", err.text, word);
}

static void what_points_nowhere_is_refused(void **state)
{
	(void)state;
	struct evidence e = sample_evidence();
	e.variant = 99;
	refused(&e, "variant");
	e = sample_evidence();
	waits[0].site = 2;
	refused(&e, "site");
	waits[0].site = 0;
	samples[0].group = 2;
	refused(&e, "group");
	samples[0].group = 1;
	accesses[0].site = -2;
	refused(&e, "accesses");
	accesses[0].site = 1;
	sites[0].call = 3;
	refused(&e, "sites");
	sites[0].call = 1;
	groups[1].name = NULL;
	refused(&e, "groups");
	groups[1].name = "worker";
}

static void every_operation_has_a_word_of_its_own(void **state)
{
	(void)state;
	for (int i = 0; i < EVIDENCE_OPS; i++)
		for (int k = 0; k < i; k++)
			assert_string_not_equal(evidence_op_word((enum evidence_op)i),
				evidence_op_word((enum evidence_op)k));
	assert_string_equal(evidence_op_word(EVIDENCE_OPS), "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(evidence_survives),
		cmocka_unit_test(what_points_nowhere_is_refused),
		cmocka_unit_test(every_operation_has_a_word_of_its_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
