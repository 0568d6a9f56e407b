/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of text: harmless, and no wider than asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "report/grid.h"
#include "report/page.h"

static void shown(const char *text, size_t max, const char *want, size_t columns)
{
	LT_AUTO_BUF struct lt_buf out = { 0 };
	assert_int_equal(page_text(&out, text, max), columns);
	assert_string_equal(out.data ? out.data : "", want);
}

static void what_a_terminal_obeys_is_shown(void **state)
{
	(void)state;
	shown("plain", 0, "plain", 5);
	shown("\x1b[31m", 0, "\\x1b[31m", 8);
	shown("a\nb\tc\x7f", 0, "a\\x0ab\\x09c\\x7f", 15);
	shown("\xc2\x85", 0, "\\x85", 4);
	/* A turn of direction, as bytes: spelt as text it would turn this file too. */
	static const unsigned char turn[] = { 0xe2, 0x80, 0xae, 0 };
	shown((const char *)turn, 0, "\\u202e", 6);
	shown("\xff\xc3", 0, "\\xff\\xc3", 8);
	shown("\xed\xa0\x80", 0, "\\xed\\xa0\\x80", 12);
	shown("\xc0\xaf", 0, "\\xc0\\xaf", 8);
	shown("1" PAGE_TIE "s", 0, "1 s", 3);
}

static void widths_count_characters(void **state)
{
	(void)state;
	shown("µµµµ", 4, "µµµµ", 4);
	shown("µµµµµ", 4, "µ...", 4);
	shown("abcdefgh", 6, "abc...", 6);
	shown("abc\x1bxyz", 8, "abc...", 8);
}

static void paragraphs_stay_within_the_width(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf out = { 0 };
	page_wrap(&out, "* ", "  ", 12, "one two three" PAGE_TIE "four  five");
	assert_string_equal(out.data, "* one two\n  three four\n  five\n");
	lt_buf_reset(&out);
	page_wrap(&out, "\n- ", "  ", 8, "0123456789abcdef");
	assert_string_equal(out.data, "\n- 012345\n  6789ab\n  cdef\n");
	lt_buf_reset(&out);
	page_wrap(&out, "- ", "  ", 8, "");
	assert_string_equal(out.data, "- \n");
}

static void columns_are_as_wide_as_they_need(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf out = { 0 };
	GRID_AUTO struct grid g = { .align = "lrl" };
	static const char *const cells[] = { "wall", "1", "x", "µ", "1,234", "" };
	for (size_t i = 0; i < LT_COUNT(cells); i++)
		grid_add(&g, cells[i]);
	grid_print(&g, 2, 1, &out);
	assert_string_equal(out.data, "  wall     1 x\n  µ    1,234\n");
}

static void the_last_column_gives_way_to_the_width_of_a_line(void **state)
{
	(void)state;
	static const char *const cells[] = { "1 ms", "waiting",
		"a_function_of_long_name (file.c:1)", "2 ms", "elsewhere", "short" };
	static const struct {
		size_t width;
		const char *text;
	} cases[] = {
		{ 0, "1 ms  waiting    a_function_of_long_name (...\n2 ms  elsewhere  short\n" },
		{ 34, "1 ms  waiting    a_function_of_...\n2 ms  elsewhere  short\n" },
		{ 10, "1 ms  waiting    a_fun...\n2 ms  elsewhere  short\n" },
	};
	for (size_t k = 0; k < LT_COUNT(cases); k++) {
		LT_AUTO_BUF struct lt_buf out = { 0 };
		GRID_AUTO struct grid g = { .align = "lll", .width = cases[k].width };
		for (size_t i = 0; i < LT_COUNT(cells); i++)
			grid_add(&g, cells[i]);
		grid_print(&g, 0, 2, &out);
		assert_string_equal(out.data, cases[k].text);
	}
}

static void markdown_takes_texts_literally(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf out = { 0 };
	GRID_AUTO struct grid g = { .align = "lr" };
	grid_add(&g, "a|b");
	grid_add(&g, "<img>");
	grid_add(&g, "`x`\n");
	grid_add(&g, "1");
	grid_markdown(&g, &out);
	assert_string_equal(
		out.data, "| a\\|b | \\<img\\> |\n| --- | ---: |\n| \\`x\\`\\\\x0a | 1 |\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_terminal_obeys_is_shown),
		cmocka_unit_test(widths_count_characters),
		cmocka_unit_test(paragraphs_stay_within_the_width),
		cmocka_unit_test(columns_are_as_wide_as_they_need),
		cmocka_unit_test(the_last_column_gives_way_to_the_width_of_a_line),
		cmocka_unit_test(markdown_takes_texts_literally),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
