/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Outputs compared as a whole, and by their words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "run/digest.h"

static struct digest a, b;

static void digest_of(const char *text, struct digest *ret)
{
	digest_begin(ret);
	digest_add(ret, text, strlen(text));
	assert_true(ret->bytes == (double)strlen(text));
	assert_true(digest_hash(ret) && digest_text(ret));
}

static void outputs_are_compared_as_a_whole_and_by_words(void **state)
{
	(void)state;
	static const struct {
		const char *a, *b;
		int same, same_text;
	} cases[] = {
		{ "one\ntwo\n", "one\ntwo\n", 1, 1 },
		{ "one\ntwo\n", "two\none\n", 0, 1 },
		{ "one\ntwo\n", "one\n", 0, 0 },
		{ "took 1.25 s\n", "took  12 ms\n", 0, 1 },
		{ "took 1.25s (fast)\n", "took 1e-05us (fast)\n", 0, 1 },
		{ "faults: 944 count\n", "faults: 1.6384e+06 count\n", 0, 1 },
		{ "cost 2e9 J each\n", "cost 17 J each\n", 0, 1 },
		{ "3 eggs fried\n", "4 eggs boiled\n", 0, 0 },
		{ "3eggs fried\n", "12eggs fried\n", 0, 1 },
		{ "rate: 3 MB/s, good\n", "rate: 4.5 GB/s, good\n", 0, 1 },
		{ "rate: 3 MB/s, good\n", "rate: 4.5 GB/s, bad\n", 0, 0 },
		{ "time: 5 s, ok\n", "time: 8e-06 s, ok\n", 0, 1 },
		{ "1.5e+05 faults\n", "113 faults\n", 0, 1 },
		{ "3 eggs, ok\n", "3e eggs, ok\n", 0, 0 },
		{ "change -3 %\n", "change 3 %\n", 0, 1 },
		{ "1 2 3\n", "4 5 6\n", 0, 1 },
		{ "1 2 3\n", "4 5\n", 0, 0 },
		{ "[1s] tps\n[2s] tps\n", "[1s] tps\n", 0, 1 }, /* a line a second */
		{ "at 0x7ffe12\n", "at 0x55d0ff\n", 0, 1 },
		{ "sorted\n", "not sorted\n", 0, 0 },
		{ "", "\n", 0, 0 },
		{ "end", "end\n", 0, 1 },
		{ "a.b\n", "ab\n", 0, 0 },
		{ "12 items done\n", "7 items failed\n", 0, 0 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		digest_of(cases[i].a, &a);
		digest_of(cases[i].b, &b);
		if ((digest_hash(&a) == digest_hash(&b)) != cases[i].same ||
			(digest_text(&a) == digest_text(&b)) != cases[i].same_text)
			fail_msg("'%s' and '%s'", cases[i].a, cases[i].b);
	}
}

static void pieces_make_no_difference(void **state)
{
	(void)state;
	static const char text[] = "took 1.25 s\n\nand 3 more\nend";
	digest_of(text, &a);
	digest_begin(&b);
	for (size_t i = 0; i < strlen(text); i++)
		digest_add(&b, text + i, 1);
	assert_true(digest_hash(&a) == digest_hash(&b));
	assert_true(digest_text(&a) == digest_text(&b));
}

static void more_lines_than_there_is_room_for_end_well(void **state)
{
	(void)state;
	char line[16];
	digest_begin(&a);
	for (unsigned i = 0; i < 3 * DIGEST_LINES; i++) {
		for (size_t k = 0; k < 8; k++)
			line[k] = (char)('a' + (i >> (2 * k)) % 4);
		line[8] = '\n';
		digest_add(&a, line, 9);
	}
	assert_int_equal(a.n_lines, DIGEST_LINES);
	assert_true(digest_text(&a) != 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outputs_are_compared_as_a_whole_and_by_words),
		cmocka_unit_test(pieces_make_no_difference),
		cmocka_unit_test(more_lines_than_there_is_room_for_end_well),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
