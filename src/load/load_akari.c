/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Akari (Light Up): all solutions of a puzzle by a parallel tree of tasks; the answer does not
 * depend on the number of threads, and the sum over the solutions shows that. */
#include <inttypes.h>
#include <string.h>

#include "base/own.h"
#include "load/akari_search.h"
#include "load/load.h"

/* Without a FILE: small, and with more than one solution. */
static const char sample[] = "......#...\n"
			     ".1....#.#.\n"
			     "...#......\n"
			     "#......2..\n"
			     "....#.....\n"
			     ".....0....\n"
			     "..1......#\n"
			     "......#...\n"
			     ".#.#....1.\n"
			     "...#......\n";

enum option {
	OPT_THREADS,
	OPT_FIRST,
	OPT_SHOW,
	OPT_FILE, /* the operand comes after the options */
};

static const struct load_option options[] = {
	[OPT_THREADS] = { "threads", 't', LOAD_COUNT, 0, 0, 1024, "threads; 0: one for each CPU" },
	[OPT_FIRST] = { "first", 'f', LOAD_FLAG, 0, 0, 0, "stop at the first solution found" },
	[OPT_SHOW] = { "show", 's', LOAD_FLAG, 0, 0, 0, "print a solution, lamps as '*'" },
};

/* What is not a count: the sum and, if asked for, a solution. */
static char *text_of(const struct akari_board *board, const struct akari_answer *a, bool first)
{
	LT_AUTO_BUF struct lt_buf out = { 0 };

	if (!first)
		lt_buf_addf(&out, "sum over the solutions: %016" PRIx64 "\n", a->sum);
	if (a->lamps)
		akari_board_print(board, a->lamps, &out);
	return out.failed ? NULL : LT_TAKE(out.data);
}

static int akari_run(const struct load_value *values, struct load_result *ret, struct lt_err *err)
{
	LT_AUTO(akari_board_done) struct akari_board board = { 0 };
	const char *file = values[OPT_FILE].text;
	struct akari_ask ask = {
		.threads = (unsigned)values[OPT_THREADS].count,
		.first = values[OPT_FIRST].count,
		.show = values[OPT_SHOW].count,
	};
	struct akari_answer a;

	int e = file ? akari_board_load(file, &board, err)
		     : akari_board_parse(sample, sizeof(sample) - 1, "sample", &board, err);
	if (e < 0)
		return e;
	e = akari_solve(&board, &ask, &a, err);
	if (e < 0)
		return e;
	*ret = (struct load_result){
		.work = a.solutions,
		.elapsed_ns = a.elapsed_ns,
		.figures = {
			{ "threads", "count", a.threads },
			{ "branches", "count", (double)a.branches },
			{ "dead-ends", "count", (double)a.dead_ends },
			{ "tasks", "count", (double)a.tasks },
			{ "stolen", "count", (double)a.stolen },
		},
		.n_figures = 5,
		.text = text_of(&board, &a, ask.first),
	};
	free(a.lamps);
	return 0;
}

const struct load load_akari = {
	.name = "akari",
	.brief = "all solutions of a Light Up puzzle, by a parallel tree of tasks",
	.work = "solutions",
	.timed = "the search, without making and ending the threads",
	.operand = "FILE",
	.options = options,
	.n_options = LT_COUNT(options),
	.run = akari_run,
};
