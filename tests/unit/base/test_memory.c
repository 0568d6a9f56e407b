/* SPDX-License-Identifier: MIT */
/* Whichever allocation fails: an error or success, never a crash, nothing left behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/cpuset.h"
#include "base/jsonw.h"
#include "base/words.h"
#include "helpers/failing_alloc.h"

static void splitting_survives_any_failed_allocation(void **state)
{
	(void)state;
	char line[20000];
	for (size_t i = 0; i < sizeof(line) - 1; i++)
		line[i] = i % 400 ? 'a' : ' ';
	line[sizeof(line) - 1] = '\0';
	long n = 0;
	for (;; n++) {
		struct lt_arena arena = { 0 };
		char **words = NULL;
		alloc_fail_after(n);
		int r = lt_words_split(line, &arena, &words, NULL);
		alloc_recover();
		lt_arena_done(&arena);
		if (!alloc_hit) {
			assert_int_equal(r, 0);
			break;
		}
		assert_int_equal(r, -ENOMEM);
	}
	assert_true(n >= 4);
}

static void joining_survives_any_failed_allocation(void **state)
{
	(void)state;
	static char word[] = "it's a longer word of several bytes";
	char *words[64];
	for (size_t i = 0; i < 63; i++)
		words[i] = word;
	words[63] = NULL;
	long n = 0;
	for (;; n++) {
		struct lt_arena arena = { 0 };
		alloc_fail_after(n);
		char *line = lt_words_join(words, &arena);
		alloc_recover();
		assert_true(alloc_hit == !line);
		lt_arena_done(&arena);
		if (!alloc_hit)
			break;
	}
	assert_true(n >= 4);
}

static void formatting_survives_any_failed_allocation(void **state)
{
	(void)state;
	struct lt_cpuset set = { 0 };
	for (unsigned cpu = 0; cpu < LT_CPUS_MAX; cpu += 2)
		lt_cpuset_add(&set, cpu);
	for (long n = 0;; n++) {
		struct lt_arena arena = { 0 };
		alloc_fail_after(n);
		char *list = lt_cpuset_format(&set, &arena);
		char *text = lt_arena_printf(&arena, "%d", 5);
		alloc_recover();
		if (list)
			assert_int_equal(strlen(list), 9684);
		assert_true(alloc_hit || (list && text));
		lt_arena_done(&arena);
		if (!alloc_hit)
			break;
	}
}

static void a_writer_remembers_a_failed_allocation(void **state)
{
	(void)state;
	for (long n = 0;; n++) {
		LT_AUTO_BUF struct lt_buf out = { 0 };
		struct lt_jsonw w = { .out = &out };
		alloc_fail_after(n);
		lt_jsonw_open(&w, NULL, '{', false);
		for (int i = 0; i < 100; i++)
			lt_jsonw_str(&w, "key", "some text of some length");
		lt_jsonw_num(&w, "n", 1.5);
		lt_jsonw_close(&w);
		lt_buf_addf(&out, "%d", 5);
		alloc_recover();
		assert_true(out.failed == alloc_hit);
		if (!alloc_hit)
			break;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(splitting_survives_any_failed_allocation),
		cmocka_unit_test(joining_survives_any_failed_allocation),
		cmocka_unit_test(formatting_survives_any_failed_allocation),
		cmocka_unit_test(a_writer_remembers_a_failed_allocation),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
