/* SPDX-License-Identifier: GPL-2.0-or-later */
/* N queens: counts all ways to put N queens on an N x N board so that none attacks another, by
 * a parallel tree of tasks. The counts are known, so that every run is checked. */
#include <leat/task.h>
#include <leat/work.h>

#include "base/clock.h"
#include "base/own.h"
#include "load/load.h"

enum {
	SIZE_MAX_KNOWN = 18,
	ROWS_ALONE = 9, /* with fewer rows left a subtree is too small to share */
};

static const uint64_t known[SIZE_MAX_KNOWN + 1] = { 1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680,
	14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624 };

/* A board with its upper rows filled: bit c says that column c, or the diagonal through it that
 * leans left or right, is attacked in the next row. */
struct board {
	uint32_t columns, left, right;
	uint32_t all;           /* the columns there are */
	uint32_t open;          /* of the next row, the squares still to be tried */
	uint32_t rows;          /* left */
	struct leat_work *work; /* tells a measuring tool how far the search is; or NULL */
};

static struct board with_queen(const struct board *b, uint32_t queen)
{
	struct board next = {
		.columns = b->columns | queen,
		.left = (b->left | queen) << 1,
		.right = (b->right | queen) >> 1,
		.all = b->all,
		.rows = b->rows - 1,
		.work = b->work,
	};

	next.open = next.all & ~(next.columns | next.left | next.right);
	return next;
}

static uint64_t count_alone(uint32_t columns, uint32_t left, uint32_t right, uint32_t all)
{
	uint64_t count = 0;

	if (columns == all)
		return 1;
	for (uint32_t open = all & ~(columns | left | right); open; open &= open - 1) {
		uint32_t queen = open & -open;
		count += count_alone(
			columns | queen, (left | queen) << 1, (right | queen) >> 1, all);
	}
	return count;
}

static int run_board(struct leat_task *task, const void *arg);

/* One square of the row after the other; when work is wanted, all but the next go to a task. */
static void count_below(struct leat_task *task, uint64_t *solutions, const struct board *b)
{
	struct board rest = *b;

	if (b->rows <= ROWS_ALONE) {
		uint64_t n = count_alone(b->columns, b->left, b->right, b->all);
		*solutions += n;
		leat_work_add(b->work, n);
		return;
	}
	while (rest.open) {
		struct board next = with_queen(b, rest.open & -rest.open);
		rest.open &= rest.open - 1;
		if (rest.open && leat_task_wanted(task)) {
			leat_task_spawn(task, run_board, &rest, sizeof(rest));
			rest.open = 0;
		}
		count_below(task, solutions, &next);
	}
}

static int run_board(struct leat_task *task, const void *arg)
{
	count_below(task, leat_task_cell(task), arg);
	return 0;
}

enum option {
	OPT_SIZE,
	OPT_THREADS,
};

static const struct load_option options[] = {
	[OPT_SIZE] = { "size", 'n', LOAD_COUNT, 14, 1, SIZE_MAX_KNOWN,
		"queens, and squares a side" },
	[OPT_THREADS] = { "threads", 't', LOAD_COUNT, 0, 0, 1024, "threads; 0: one for each CPU" },
};

static void pool_freep(struct leat_tasks **pool)
{
	leat_tasks_free(*pool);
}

static int check(uint64_t solutions, unsigned size, struct lt_err *err)
{
	if (solutions == known[size])
		return 0;
	return lt_fail(err, -EBADMSG, "LT-QUEENS-COUNT",
		"%llu solutions for %u queens; there are %llu", (unsigned long long)solutions, size,
		(unsigned long long)known[size]);
}

static int queens_run(const struct load_value *values, struct load_result *ret, struct lt_err *err)
{
	unsigned size = (unsigned)values[OPT_SIZE].count;
	uint32_t all = (1U << size) - 1;
	struct board empty = { .all = all, .open = all, .rows = size };
	struct leat_tasks_opts opts = {
		.threads = (unsigned)values[OPT_THREADS].count,
		.arg_size = sizeof(empty),
		.cell_size = sizeof(uint64_t),
	};
	LT_AUTO(pool_freep) struct leat_tasks *pool = NULL;
	struct leat_err lib_err = { 0 };
	uint64_t solutions = 0, tasks = 0, stolen = 0;

	leat_work_get("queens", "solution", &empty.work, NULL); /* on failure there is none */
	int e = leat_tasks_new(&opts, &pool, &lib_err);
	if (e < 0)
		return lt_fail(err, e, "LT-QUEENS-POOL", "%s", lib_err.text);
	int64_t begin_ns = lt_now_ns();
	e = leat_tasks_run(pool, run_board, &empty, sizeof(empty), &lib_err);
	int64_t elapsed_ns = lt_now_ns() - begin_ns;
	if (e < 0)
		return lt_fail(err, e, "LT-QUEENS-RUN", "%s", lib_err.text);
	for (unsigned i = 0; i < leat_tasks_threads(pool); i++) {
		struct leat_tasks_stats stats;
		leat_tasks_stats(pool, i, &stats);
		tasks += stats.tasks;
		stolen += stats.stolen;
		solutions += *(const uint64_t *)leat_tasks_cell(pool, i);
	}
	e = check(solutions, size, err);
	if (e < 0)
		return e;
	*ret = (struct load_result){
		.work = solutions,
		.elapsed_ns = elapsed_ns,
		.figures = {
			{ "threads", "count", leat_tasks_threads(pool) },
			{ "tasks", "count", (double)tasks },
			{ "stolen", "count", (double)stolen },
		},
		.n_figures = 3,
	};
	return 0;
}

const struct load load_queens = {
	.name = "queens",
	.brief = "all ways to place N queens, by a parallel tree of tasks",
	.work = "solutions",
	.timed = "the search, without making and ending the threads",
	.options = options,
	.n_options = LT_COUNT(options),
	.run = queens_run,
};
