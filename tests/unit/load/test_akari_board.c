/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading Light Up puzzles: both notations, and complaints that say where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "load/akari_board.h"

/* The board as a text grid, or the error's text. */
static const char *read_back(const char *text, struct lt_err *err, struct lt_buf *out)
{
	struct akari_board board = { 0 };

	lt_buf_reset(out);
	*err = (struct lt_err){ 0 };
	if (akari_board_parse(text, strlen(text), "p", &board, err) < 0)
		return err->text;
	akari_board_print(&board, NULL, out);
	akari_board_done(&board);
	return out->data;
}

struct sample {
	const char *text, *expected;
};

static void check_all(const struct sample *samples, size_t n)
{
	struct lt_buf out = { 0 };
	struct lt_err err;

	for (size_t i = 0; i < n; i++)
		assert_string_equal(read_back(samples[i].text, &err, &out), samples[i].expected);
	lt_buf_done(&out);
}

static void grids_are_read(void **state)
{
	static const struct sample samples[] = {
		{ ".", ".\n" },
		{ ".#\n01\n", ".#\n01\n" },
		{ "_X4\n.B3", ".#4\n.#3\n" },
		{ "\n \n; a comment\n. 2 .\r\n# . #\r\n\n", ".2.\n#.#\n" },
		{ "..\n; between rows is no row\n", "..\n" },
	};

	(void)state;
	check_all(samples, LT_COUNT(samples));
}

static void game_ids_are_read(void **state)
{
	static const struct sample samples[] = {
		{ "2x2:d\n", "..\n..\n" }, { "3x2:a1bB0", ".1.\n.#0\n" },
		{ "7x7b20s4d0:zw",
			".......\n.......\n.......\n.......\n.......\n.......\n.......\n" },
		{ "2:B2b", "#2\n..\n" }, /* one number: a square */
		{ "; from a file\n  3x1b20s4d2:aBa  \n\n", ".#.\n" },
		{ "2x2b20sr:d", "..\n..\n" }, /* parameters of old versions */
	};

	(void)state;
	check_all(samples, LT_COUNT(samples));
}

static void complaints_say_where(void **state)
{
	static const struct sample samples[] = {
		{ "", "p:1:1: no puzzle in it" },
		{ "; nothing\n\n", "p:3:1: no puzzle in it" },
		{ "..\n.5", "p:2:2: '5' is not a cell" },
		{ ". - .", "p:1:3: '-' is not a cell" },
		{ "..\n.*\n", "p:2:2: '*' is not a cell" },
		{ "..\n.\x01", "p:2:2: 0x01 is not a cell" },
		{ "...\n..\n", "p:2:3: a row of 2 cells, those above have 3" },
		{ "..\n\n..\n", "p:3:3: a row after a gap; the grid ended in line 1" },
		{ "7x7", "p:1:4: the game ID has no ':' and no cells" },
		{ "7x7#123", "p:1:4: a random seed, not a puzzle" },
		{ "7x7q:a", "p:1:4: 'q' in the parameters of a game ID" },
		{ "x7:a", "p:1:1: a game ID needs the width here" },
		{ "7x:a", "p:1:3: a game ID needs the height here" },
		{ "0x2:a", "p:1:1: the width must be 1 to 200" },
		{ "2x4294967298:a", "p:1:3: the height must be 1 to 200" },
		{ "2x2:c", "p:1:6: the cells end after 3 of 4" },
		{ "2x2:BBc", "p:1:7: the cells go beyond the board, which has 4" },
		{ "2x2:dB", "p:1:6: the cells go beyond the board, which has 4" },
		{ "2x2:a5b", "p:1:6: '5' in the cells of a game ID" },
		{ "2x2:aXb", "p:1:6: 'X' in the cells of a game ID" },
		{ "2x2:d\n2x2:d", "p:2:1: more text after the game ID" },
	};

	(void)state;
	check_all(samples, LT_COUNT(samples));
}

static void hints_tell_what_to_do(void **state)
{
	struct lt_buf out = { 0 };
	struct lt_err err;

	(void)state;
	read_back("..*", &err, &out);
	assert_non_null(strstr(err.hint, "without its solution"));
	read_back("7x7#1", &err, &out);
	assert_non_null(strstr(err.hint, "':' in place of '#'"));
	assert_int_equal(err.code, -EINVAL);
	assert_string_equal(err.id, "LT-AKARI-SYNTAX");
	lt_buf_done(&out);
}

static void boards_have_a_largest_size(void **state)
{
	struct lt_buf out = { 0 }, text = { 0 };
	struct lt_err err;

	(void)state;
	for (int i = 0; i < AKARI_SIDE_MAX; i++)
		lt_buf_adds(&text, ".");
	assert_int_equal(strlen(read_back(text.data, &err, &out)), AKARI_SIDE_MAX + 1);
	lt_buf_adds(&text, ".");
	assert_string_equal(
		read_back(text.data, &err, &out), "p:1:201: more than 200 cells in a row");
	lt_buf_reset(&text);
	for (int i = 0; i <= AKARI_SIDE_MAX; i++)
		lt_buf_adds(&text, "#\n");
	assert_string_equal(read_back(text.data, &err, &out), "p:201:1: more than 200 rows");
	lt_buf_done(&text);
	lt_buf_done(&out);
}

static void missing_file_is_named(void **state)
{
	struct akari_board board;
	struct lt_err err = { 0 };

	(void)state;
	assert_int_equal(akari_board_load("/nonexistent/puzzle", &board, &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nonexistent/puzzle"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grids_are_read),
		cmocka_unit_test(game_ids_are_read),
		cmocka_unit_test(complaints_say_where),
		cmocka_unit_test(hints_tell_what_to_do),
		cmocka_unit_test(boards_have_a_largest_size),
		cmocka_unit_test(missing_file_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
