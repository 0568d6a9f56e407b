/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Light Up puzzles from hostile text: what is read can be printed and read again to the same
 * board, what is refused is refused with a place; and small boards are searched, where the
 * count must be that of an independent count along the rows. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "load/akari_search.h"
#include "../load/akari_rows.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	SEARCH_SIDE_MAX = 8,
	SEARCH_COUNT_MAX = 20000,
};

static void print_and_read(const struct akari_board *board)
{
	struct lt_buf text = { 0 };
	struct akari_board again = { 0 };

	akari_board_print(board, NULL, &text);
	assert(!text.failed);
	assert(akari_board_parse(text.data, text.len, "again", &again, NULL) == 0);
	assert(again.width == board->width && again.height == board->height);
	assert(!memcmp(again.cells, board->cells, (size_t)board->width * board->height));
	akari_board_done(&again);
	lt_buf_done(&text);
}

static void search(const struct akari_board *board)
{
	struct rows_grid grid = { board->cells, board->width, board->height };
	struct akari_ask ask = { .threads = 1 };
	struct akari_answer answer;
	uint64_t expected = rows_count(&grid);

	if (expected > SEARCH_COUNT_MAX)
		return;
	assert(akari_solve(board, &ask, &answer, NULL) == 0);
	assert(answer.solutions == expected);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct akari_board board = { 0 };
	struct lt_err err = { 0 };
	unsigned line, column;

	if (akari_board_parse((const char *)data, size, "input", &board, &err) < 0) {
		assert(sscanf(err.text, "input:%u:%u: ", &line, &column) == 2);
		assert(line >= 1 && column >= 1 && line + column <= size + 2);
		return 0;
	}
	print_and_read(&board);
	if (board.width <= SEARCH_SIDE_MAX && board.height <= SEARCH_SIDE_MAX)
		search(&board);
	akari_board_done(&board);
	return 0;
}
