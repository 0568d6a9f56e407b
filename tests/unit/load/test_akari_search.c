/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Light Up solver against two others: all 2^cells choices on small boards, and counting
 * along the rows on larger ones; and against itself with other numbers of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "alloc.h"
#include "load/akari_rows.h"
#include "load/akari_search.h"

/* A small generator of its own: the boards are the same on every machine. */
static uint32_t random_state;

static uint32_t random_below(uint32_t n)
{
	random_state = random_state * 1664525U + 1013904223U;
	return (uint32_t)((uint64_t)(random_state >> 8) * n >> 24);
}

/* Walls in `walls` of 100 cells; of these, `clues` of 100 have a number, mostly small. */
static void random_board(struct akari_board *b, uint32_t walls, uint32_t clues)
{
	static const signed char numbers[] = { 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 4 };

	for (unsigned i = 0; i < b->width * b->height; i++) {
		b->cells[i] = AKARI_FLOOR;
		if (random_below(100) >= walls)
			continue;
		b->cells[i] = AKARI_WALL;
		if (random_below(100) < clues)
			b->cells[i] = numbers[random_below(sizeof(numbers))];
	}
}

static int cell_at(const struct akari_board *b, int x, int y)
{
	if (x < 0 || y < 0 || x >= (int)b->width || y >= (int)b->height)
		return AKARI_WALL;
	return b->cells[y * (int)b->width + x];
}

static const int steps[4][2] = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } };

/* The rules as the magazine prints them. */
static bool obeys_rules(const struct akari_board *b, const unsigned char *lamps)
{
	for (int y = 0; y < (int)b->height; y++) {
		for (int x = 0; x < (int)b->width; x++) {
			int cell = cell_at(b, x, y), beside = 0, seen = 0;
			for (int s = 0; s < 4; s++) {
				int u = x + steps[s][0], v = y + steps[s][1];
				if (cell_at(b, u, v) == AKARI_FLOOR)
					beside += lamps[v * (int)b->width + u];
				for (; cell_at(b, u, v) == AKARI_FLOOR;
					u += steps[s][0], v += steps[s][1])
					seen += lamps[v * (int)b->width + u];
			}
			bool lamp = lamps[y * (int)b->width + x];
			if (cell != AKARI_FLOOR && lamp)
				return false;
			if (cell >= 0 && beside != cell)
				return false;
			if (cell == AKARI_FLOOR && (lamp ? seen > 0 : seen == 0))
				return false;
		}
	}
	return true;
}

static uint64_t brute_force(const struct akari_board *b)
{
	unsigned char lamps[32] = { 0 };
	unsigned floor[32], n = 0;
	uint64_t count = 0;

	for (unsigned i = 0; i < b->width * b->height; i++)
		if (b->cells[i] == AKARI_FLOOR)
			floor[n++] = i;
	for (uint32_t choice = 0; choice < 1U << n; choice++) {
		for (unsigned i = 0; i < n; i++)
			lamps[floor[i]] = choice >> i & 1;
		count += obeys_rules(b, lamps);
	}
	return count;
}

static struct akari_answer solve(const struct akari_board *b, struct akari_ask ask)
{
	struct akari_answer a;
	struct lt_err err = { 0 };

	assert_int_equal(akari_solve(b, &ask, &a, &err), 0);
	return a;
}

static uint64_t count_of(const struct akari_board *b, unsigned threads)
{
	return solve(b, (struct akari_ask){ .threads = threads }).solutions;
}

static uint64_t count_rows(const struct akari_board *b)
{
	struct rows_grid g = { b->cells, b->width, b->height };

	return rows_count(&g);
}

static void all_choices_on_small_boards_give_the_same_count(void **state)
{
	signed char cells[16];
	unsigned with_solutions = 0;

	(void)state;
	random_state = 1;
	for (int i = 0; i < 600; i++) {
		struct akari_board b = { .width = 1 + random_below(4), .cells = cells };
		b.height = 1 + random_below(b.width < 4 ? 5 : 4);
		if (b.width * b.height > 16)
			b.height = 4;
		random_board(&b, 5 + random_below(40), random_below(100));
		uint64_t expected = brute_force(&b);
		assert_int_equal(count_of(&b, 1), expected);
		assert_int_equal(count_rows(&b), expected);
		with_solutions += expected > 0;
	}
	assert_true(with_solutions > 100 && with_solutions < 600);
}

static void counting_by_rows_gives_the_same_count(void **state)
{
	signed char cells[100];
	unsigned with_solutions = 0, many = 0;
	uint64_t branches = 0, dead_ends = 0;

	(void)state;
	random_state = 2;
	for (int i = 0; i < 150; i++) {
		struct akari_board b = { .width = 5 + random_below(5), .cells = cells };
		b.height = 5 + random_below(5);
		random_board(&b, 18 + random_below(15), random_below(60));
		uint64_t expected = count_rows(&b);
		if (expected > 300000)
			continue; /* the solver visits each one */
		struct akari_answer a = solve(&b, (struct akari_ask){ .threads = 1 });
		assert_int_equal(a.solutions, expected);
		branches += a.branches;
		dead_ends += a.dead_ends;
		with_solutions += expected > 0;
		many += expected > 1000;
	}
	/* What propagation is for: nearly every branch leads somewhere. */
	assert_true(dead_ends * 10 < branches);
	assert_true(with_solutions > 40 && many > 10);
}

/* n lamps on an empty n x n board: one in each row and each column. */
static void empty_squares_have_n_factorial_solutions(void **state)
{
	signed char cells[64];
	uint64_t factorial = 1;

	(void)state;
	memset(cells, AKARI_FLOOR, sizeof(cells));
	for (unsigned n = 1; n <= 8; n++) {
		struct akari_board b = { n, n, cells };
		factorial *= n;
		assert_int_equal(count_of(&b, 2), factorial);
	}
}

static void answer_does_not_depend_on_threads(void **state)
{
	signed char cells[81];
	struct akari_board b = { 9, 9, cells };

	(void)state;
	random_state = 7;
	for (int i = 0; i < 8; i++) {
		random_board(&b, 22, 30);
		if (count_rows(&b) > 300000)
			continue;
		struct akari_answer one =
			solve(&b, (struct akari_ask){ .threads = 1, .show = true });
		for (unsigned threads = 2; threads <= 5; threads++) {
			struct akari_answer more =
				solve(&b, (struct akari_ask){ .threads = threads, .show = true });
			assert_int_equal(more.solutions, one.solutions);
			assert_int_equal(more.sum, one.sum);
			assert_int_equal(more.branches, one.branches);
			assert_int_equal(more.dead_ends, one.dead_ends);
			assert_int_equal(!more.lamps, !one.lamps);
			if (one.lamps)
				assert_memory_equal(more.lamps, one.lamps, sizeof(cells));
			free(more.lamps);
		}
		free(one.lamps);
	}
}

static void shown_solution_obeys_the_rules(void **state)
{
	signed char cells[64];
	struct akari_board b = { 8, 8, cells };
	unsigned shown = 0;

	(void)state;
	random_state = 3;
	for (int i = 0; i < 60; i++) {
		random_board(&b, 25, 40);
		bool first = i % 2;
		struct akari_answer a =
			solve(&b, (struct akari_ask){ .threads = 2, .show = true, .first = first });
		assert_int_equal(!a.lamps, !a.solutions);
		if (a.lamps)
			assert_true(obeys_rules(&b, a.lamps));
		if (first && a.solutions)
			assert_true(a.solutions <= 2); /* one for each thread at most */
		shown += a.lamps != NULL;
		free(a.lamps);
	}
	assert_true(shown > 5);
}

static void board_without_floor_has_one_solution_or_none(void **state)
{
	signed char cells[4] = { AKARI_WALL, 0, AKARI_WALL, 0 };
	struct akari_board b = { 2, 2, cells };

	(void)state;
	assert_int_equal(count_of(&b, 1), 1);
	cells[0] = 1;
	assert_int_equal(count_of(&b, 1), 0);
}

static void raised_cancel_ends_the_search(void **state)
{
	signed char cells[144];
	struct akari_board b = { 12, 12, cells };
	struct akari_ask ask = { .threads = 2 };
	struct akari_answer a;
	struct lt_err err = { 0 };

	(void)state;
	memset(cells, AKARI_FLOOR, sizeof(cells)); /* 12! solutions: nobody waits for that */
	assert_int_equal(leat_cancel_new(&ask.cancel, NULL), 0);
	leat_cancel_now(ask.cancel);
	assert_int_equal(akari_solve(&b, &ask, &a, &err), -ECANCELED);
	assert_true(err.text[0]);
	leat_cancel_free(ask.cancel);
}

/* Each allocation fails once, of reading and of solving. */
static void failed_allocation_is_reported(void **state)
{
	static const char text[] = "4x3:a1j";
	int failures = 0;
	bool reached = true;

	(void)state;
	if (!ALLOC_WATCHED)
		skip();
	for (long n = 0; reached; n++) {
		struct akari_board b = { 0 };
		struct akari_ask ask = { .threads = 2, .show = true };
		struct akari_answer a = { 0 };
		struct lt_err err = { 0 };
		atomic_store(&alloc_left, n);
		int r = akari_board_parse(text, strlen(text), "p", &b, &err);
		if (r == 0)
			r = akari_solve(&b, &ask, &a, &err);
		reached = atomic_exchange(&alloc_left, -1) < 0;
		if (r == 0)
			assert_int_equal(a.solutions, count_rows(&b));
		else
			assert_true(r == -ENOMEM || r == -EAGAIN);
		failures += r != 0;
		free(a.lamps);
		akari_board_done(&b);
	}
	assert_true(failures >= 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_choices_on_small_boards_give_the_same_count),
		cmocka_unit_test(counting_by_rows_gives_the_same_count),
		cmocka_unit_test(empty_squares_have_n_factorial_solutions),
		cmocka_unit_test(answer_does_not_depend_on_threads),
		cmocka_unit_test(shown_solution_obeys_the_rules),
		cmocka_unit_test(board_without_floor_has_one_solution_or_none),
		cmocka_unit_test(raised_cancel_ends_the_search),
		cmocka_unit_test(failed_allocation_is_reported),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
