/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every finding has its sentence; verdicts say the same in words as in numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "helpers/sample_record.h"
#include "report/page.h"
#include "report/sentences.h"

/* Ties become blanks, as a reader sees them. */
static void says(const struct lt_buf *line, const char *want)
{
	LT_AUTO_BUF struct lt_buf shown = { 0 };
	page_text(&shown, line->data ? line->data : "", 0);
	if (!strstr(shown.data ? shown.data : "", want))
		fail_msg("'%s' does not say '%s'", shown.data, want);
}

static void every_template_is_filled_whole(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = sample_record();
	size_t n = 0;
	for (; sentence_id(n); n++) {
		struct finding f = {
			.id = sentence_id(n), .variant = -1, .num = { 2, 3, 4 }, .name = "NAME"
		};
		for (int missing = 0; missing < 2; missing++) {
			LT_AUTO_BUF struct lt_buf line = { 0 };
			sentence_finding(rec, &f, &line);
			assert_true(line.len > 10);
			assert_null(strpbrk(line.data, "{}"));
			assert_null(strstr(line.data, "nan"));
			assert_true(strncmp(line.data, f.id, strlen(f.id)) != 0);
			f.num[0] = f.num[1] = f.num[2] = NAN;
			f.name = NULL;
		}
	}
	assert_true(n >= 24);
}

static void a_finding_counts_and_names(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = sample_record();
	LT_AUTO_BUF struct lt_buf line = { 0 };
	struct finding f = { .id = "left-children",
		.severity = SEVERITY_WARNING,
		.variant = 1,
		.num = { 1, 2, 0 },
		.name = "sleep" };
	sentence_finding(rec, &f, &line);
	says(&line, "B: 1 run left descendants running at exit, up to 2 (sleep)");
	lt_buf_reset(&line);
	f.num[0] = 3;
	sentence_finding(rec, &f, &line);
	says(&line, "3 runs left");
}

static void an_unknown_finding_is_not_lost(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = sample_record();
	LT_AUTO_BUF struct lt_buf line = { 0 };
	struct finding f = {
		.id = "new-thing", .variant = -1, .num = { 1.5, NAN, NAN }, .name = "it"
	};
	sentence_finding(rec, &f, &line);
	says(&line, "new-thing (it): 1.5");
}

static void outcomes_are_named_as_what_they_are(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = sample_record();
	rec->plan.timeout_ns = 5e9;
	static const struct {
		struct outcome o;
		const char *want;
		bool failure;
	} cases[] = {
		{ { .kind = OUTCOME_EXIT }, "exit code 0", false },
		{ { .kind = OUTCOME_EXIT, .code = 5, .talk = "no file" },
			"exit code 5; its last words: no file", true },
		{ { .kind = OUTCOME_SIGNAL, .code = 9 }, "signal 9 (SIGKILL)", true },
		{ { .kind = OUTCOME_SIGNAL, .code = 11, .notes = NOTE_CORE },
			"signal 11 (SIGSEGV), core dumped", true },
		{ { .kind = OUTCOME_SIGNAL, .code = 4711 }, "signal 4711", true },
		{ { .kind = OUTCOME_TIMEOUT, .notes = NOTE_ASLEEP },
			"timed out after 5.00 s, it was asleep", true },
		{ { .kind = OUTCOME_CANCELLED }, "cancelled", true },
		{ { .kind = OUTCOME_NOT_STARTED, .code = 2 }, "could not be started: No such file",
			true },
		{ { .kind = OUTCOME_WINDOW }, "still running", false },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		LT_AUTO_BUF struct lt_buf line = { 0 };
		sentence_outcome(rec, &cases[i].o, &line);
		says(&line, cases[i].want);
		assert_int_equal(sentence_is_failure(&cases[i].o), cases[i].failure);
	}
}

static void verdicts_are_answers(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = sample_record();
	struct comparison *c = &rec->comparisons[0];
	static const struct {
		enum verdict verdict;
		unsigned metric;
		const char *want;
	} cases[] = {
		{ VERDICT_LOWER, 0,
			"B is faster than A: 0.912 x the wall time (0.905 .. 0.919), 8.8 % less, "
			"-108 ms" },
		{ VERDICT_HIGHER, 0, "B is slower than A: " },
		{ VERDICT_LOWER, 2, "B has less peak-memory than A: " },
		{ VERDICT_SAME, 0, "B and A are the same within ±1 %: " },
		{ VERDICT_UNDECIDED, 0, "undecided, no difference between B and A is proved: " },
		{ VERDICT_TOO_FEW, 0, "too few pairs for a verdict on B and A: 36" },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		LT_AUTO_BUF struct lt_buf line = { 0 };
		c->verdict = cases[i].verdict;
		c->metric = cases[i].metric;
		sentence_verdict(rec, c, &line);
		says(&line, cases[i].want);
	}
}

static void what_was_not_interleaved_says_so(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = sample_record();
	LT_AUTO_BUF struct lt_buf line = { 0 };
	rec->comparisons[0].interleaved = false;
	sentence_basis(rec, &rec->comparisons[0], &line);
	says(&line, "not interleaved");
}

static void a_gate_tells_violated_from_unproved(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = sample_record();
	static const struct {
		bool violated, decided;
		const char *want;
	} cases[] = {
		{ false, true, "gate wall +5% for B: passed; 0.912 x (0.905 .. 0.919)" },
		{ true, true, "gate wall +5% for B: violated" },
		{ false, false, "gate wall +5% for B: not proved either way" },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		LT_AUTO_BUF struct lt_buf line = { 0 };
		rec->gates[0].violated = cases[i].violated;
		rec->gates[0].decided = cases[i].decided;
		sentence_gate(rec, &rec->gates[0], &line);
		says(&line, cases[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_template_is_filled_whole),
		cmocka_unit_test(a_finding_counts_and_names),
		cmocka_unit_test(an_unknown_finding_is_not_lost),
		cmocka_unit_test(outcomes_are_named_as_what_they_are),
		cmocka_unit_test(verdicts_are_answers),
		cmocka_unit_test(what_was_not_interleaved_says_so),
		cmocka_unit_test(a_gate_tells_violated_from_unproved),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
