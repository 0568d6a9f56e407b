/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loads that are trees of tasks, as `leat bench` runs them: queens against a plain search,
 * akari on its puzzle files, against what they say of themselves and a count along the rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/akari_board.h"
#include "load/akari_rows.h"
#include "load/load.h"

struct set {
	const char *option; /* NULL ends a list */
	unsigned value;
};

static int run_load(const char *name, const char *operand, const struct set *sets,
	struct load_result *res, struct lt_err *err)
{
	const struct load *load = load_find(name);
	struct load_value values[8] = { 0 };

	assert_non_null(load);
	load_defaults(load, values);
	values[load->n_options].text = operand;
	for (; sets->option; sets++) {
		size_t i = 0;
		while (i < load->n_options && strcmp(load->options[i].name, sets->option) != 0)
			i++;
		assert_true(i < load->n_options);
		values[i].count = sets->value;
	}
	memset(res, 0xff, sizeof(*res));
	return load->run(values, res, err);
}

/* Queens column by column, every square looked at: slow and plain. */
static uint64_t plain_queens(int n, int row, int *column)
{
	uint64_t count = 0;

	if (row == n)
		return 1;
	for (column[row] = 0; column[row] < n; column[row]++) {
		bool safe = true;
		for (int r = 0; r < row; r++)
			safe &= column[r] != column[row] && abs(column[r] - column[row]) != row - r;
		if (safe)
			count += plain_queens(n, row + 1, column);
	}
	return count;
}

static void queens_agree_with_a_plain_search(void **state)
{
	(void)state;
	for (unsigned n = 1; n <= 9; n++) {
		int column[9];
		uint64_t expected = plain_queens((int)n, 0, column);
		for (unsigned threads = 1; threads <= 3; threads++) {
			struct set sets[] = { { "size", n }, { "threads", threads }, { NULL, 0 } };
			struct load_result res;
			struct lt_err err = { 0 };
			assert_int_equal(run_load("queens", NULL, sets, &res, &err), 0);
			assert_int_equal(res.work, expected);
		}
	}
}

/* Large enough to be shared out; the load itself compares with the known count. */
static void queens_are_shared_out(void **state)
{
	static const struct set sets[] = { { "size", 12 }, { "threads", 2 }, { NULL, 0 } };
	struct load_result res;
	struct lt_err err = { 0 };

	(void)state;
	assert_int_equal(run_load("queens", NULL, sets, &res, &err), 0);
	assert_int_equal(res.work, 14200);
	assert_string_equal(res.figures[1].name, "tasks");
	assert_true(res.figures[1].num > 1);
}

static const char *puzzle(const char *name, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, PUZZLES "/%s", name);
	return path;
}

static void puzzle_files_hold_what_they_say(void **state)
{
	static const struct {
		const char *name;
		uint64_t solutions;
	} puzzles[] = {
		{ "first.akari", 1 },
		{ "first-id.akari", 1 },
		{ "lattice.akari", 2808730 },
		{ "meadow.akari", 173883029 },
	};
	char path[PATH_MAX];

	(void)state;
	for (size_t i = 0; i < LT_COUNT(puzzles); i++) {
		struct akari_board b;
		struct lt_err err = { 0 };
		assert_int_equal(akari_board_load(puzzle(puzzles[i].name, path), &b, &err), 0);
		struct rows_grid grid = { b.cells, b.width, b.height };
		assert_int_equal(rows_count(&grid), puzzles[i].solutions);
		akari_board_done(&b);
	}
}

static void grid_and_game_id_give_the_same_text(void **state)
{
	static const struct set sets[] = { { "show", 1 }, { NULL, 0 } };
	char path[PATH_MAX];
	struct load_result grid, id;
	struct lt_err err = { 0 };

	(void)state;
	assert_int_equal(run_load("akari", puzzle("first.akari", path), sets, &grid, &err), 0);
	assert_int_equal(run_load("akari", puzzle("first-id.akari", path), sets, &id, &err), 0);
	assert_int_equal(grid.work, 1);
	assert_non_null(strstr(grid.text, "*"));
	assert_string_equal(grid.text, id.text);
	free(grid.text);
	free(id.text);
}

static void first_stops_early(void **state)
{
	static const struct set sets[] = { { "first", 1 }, { "threads", 2 }, { "show", 1 },
		{ NULL, 0 } };
	char path[PATH_MAX];
	struct load_result res;
	struct lt_err err = { 0 };

	(void)state;
	assert_int_equal(run_load("akari", puzzle("meadow.akari", path), sets, &res, &err), 0);
	assert_true(res.work >= 1 && res.work <= 2);
	assert_non_null(strstr(res.text, "*"));
	free(res.text);
}

static void unreadable_puzzles_are_named(void **state)
{
	static const struct set sets[] = { { NULL, 0 } };
	struct load_result res;
	struct lt_err err = { 0 };

	(void)state;
	assert_int_equal(run_load("akari", "/nonexistent.akari", sets, &res, &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nonexistent.akari"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(queens_agree_with_a_plain_search),
		cmocka_unit_test(queens_are_shared_out),
		cmocka_unit_test(puzzle_files_hold_what_they_say),
		cmocka_unit_test(grid_and_game_id_give_the_same_text),
		cmocka_unit_test(first_stops_early),
		cmocka_unit_test(unreadable_puzzles_are_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
