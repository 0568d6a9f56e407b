/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Causes in words: each has a sentence with and without its numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/cause_sentences.h"
#include "report/page.h"

static struct finding_fact facts[] = {
	{ "waits", "count", { .state = VALUE_MEASURED, .num = 1 } },
	{ "mean-wait", "ns", { .state = VALUE_MEASURED, .num = 4.9e6 } },
	{ "alone-time", "ns", { .state = VALUE_MEASURED, .num = 0.49e9 } },
	{ "alone-share", "ratio", { .state = VALUE_MEASURED, .num = 0.33 } },
	{ "most-speedup", "ratio", { .state = VALUE_MEASURED, .num = 5.02 } },
};

static void says(const struct lt_buf *line, const char *want, bool does)
{
	LT_AUTO_BUF struct lt_buf shown = { 0 };
	page_text(&shown, line->data ? line->data : "", 0);
	if (!strstr(shown.data ? shown.data : "", want) == does)
		fail_msg("'%s' %s '%s'", shown.data, does ? "does not say" : "says", want);
}

static void every_cause_has_a_whole_sentence(void **state)
{
	(void)state;
	for (size_t i = 0; cause_sentence_id(i); i++) {
		struct finding f = { .id = cause_sentence_id(i) };
		for (f.n_facts = 0; f.n_facts <= LT_COUNT(facts); f.n_facts += LT_COUNT(facts)) {
			LT_AUTO_BUF struct lt_buf line = { 0 };
			f.facts = facts;
			assert_true(cause_sentence(&f, &line));
			if (line.len)
				assert_null(strpbrk(line.data, "{}[]?"));
		}
	}
}

static void numbers_come_with_their_units_and_nouns(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf line = { 0 };
	struct finding f = { .id = "serial-section", .facts = facts, .n_facts = LT_COUNT(facts) };
	assert_true(cause_sentence(&f, &line));
	says(&line, "490 ms, 33 % of the run", true);
	says(&line, "1 wait of 4.90 ms", true);
	says(&line, "cannot get faster than 5.02 x", true);
	says(&line, "spinning", false); /* nobody did */
}

static void an_unknown_cause_adds_nothing(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf line = { 0 };
	struct finding f = { .id = "moon-phase" };
	assert_false(cause_sentence(&f, &line));
	assert_int_equal(line.len, 0);
	assert_null(cause_advice(&f));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_cause_has_a_whole_sentence),
		cmocka_unit_test(numbers_come_with_their_units_and_nouns),
		cmocka_unit_test(an_unknown_cause_adds_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
