/* SPDX-License-Identifier: MIT */
/* Lists of CPUs in the kernel's form, there and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/cpuset.h"

static void lists_hold_numbers_and_ranges(void **state)
{
	(void)state;
	struct lt_cpuset set;
	struct lt_arena arena = { 0 };
	static const struct {
		const char *list, *same;
		unsigned count;
	} cases[] = { { "0", "0", 1 }, { "0-3,5", "0-3,5", 5 }, { "5,0,1\n", "0-1,5", 3 },
		{ "3,3,2-4", "2-4", 3 }, { "63-64", "63-64", 2 }, { "0-4095", "0-4095", 4096 },
		{ "4095", "4095", 1 } };
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		assert_int_equal(lt_cpuset_parse(&set, cases[i].list, NULL), 0);
		assert_int_equal(lt_cpuset_count(&set), cases[i].count);
		assert_string_equal(lt_cpuset_format(&set, &arena), cases[i].same);
	}
	lt_arena_done(&arena);
}

static void what_is_no_list_is_refused(void **state)
{
	(void)state;
	static const char *const bad[] = { "", ",", "0,", ",0", "0,,1", "-1", "1-", "3-1", "a",
		"0x1", "0 1", " 0", "0-1-2", "4096", "0-4096", "99999999999999999999", "0\n\n",
		"1.5" };
	for (size_t i = 0; i < LT_COUNT(bad); i++) {
		struct lt_cpuset set = { 0 };
		struct lt_err err = { 0 };
		if (lt_cpuset_parse(&set, bad[i], &err) != -EINVAL)
			fail_msg("'%s' was taken", bad[i]);
		assert_string_equal(err.id, "LT-CPUS");
		assert_int_equal(lt_cpuset_count(&set), 0);
	}
}

static void formatted_sets_parse_into_the_same(void **state)
{
	(void)state;
	uint64_t x = 7;
	for (int i = 0; i < 1000; i++) {
		struct lt_arena arena = { 0 };
		struct lt_cpuset set = { 0 }, again;
		for (int k = 0; k < 1 + i % 60; k++) {
			x = x * 6364136223846793005u + 1442695040888963407u;
			unsigned cpu = (unsigned)(x >> 33) % (i % 2 ? LT_CPUS_MAX : 130);
			for (unsigned run = 0; run <= (x >> 60) && cpu + run < LT_CPUS_MAX; run++)
				lt_cpuset_add(&set, cpu + run);
		}
		char *list = lt_cpuset_format(&set, &arena);
		assert_non_null(list);
		assert_int_equal(lt_cpuset_parse(&again, list, NULL), 0);
		assert_memory_equal(&set, &again, sizeof(set));
		lt_arena_done(&arena);
	}
}

static void an_empty_set_is_an_empty_text(void **state)
{
	(void)state;
	struct lt_arena arena = { 0 };
	struct lt_cpuset set = { 0 };
	assert_string_equal(lt_cpuset_format(&set, &arena), "");
	assert_false(lt_cpuset_has(&set, LT_CPUS_MAX));
	assert_false(lt_cpuset_has(&set, (unsigned)-1));
	lt_arena_done(&arena);
}

static void we_may_run_somewhere(void **state)
{
	(void)state;
	struct lt_cpuset set = { 0 };
	assert_int_equal(lt_cpuset_allowed(&set, NULL), 0);
	assert_true(lt_cpuset_count(&set) >= 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_hold_numbers_and_ranges),
		cmocka_unit_test(what_is_no_list_is_refused),
		cmocka_unit_test(formatted_sets_parse_into_the_same),
		cmocka_unit_test(an_empty_set_is_an_empty_text),
		cmocka_unit_test(we_may_run_somewhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
