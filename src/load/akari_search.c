/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The search for all solutions of a Light Up puzzle. Each thread walks its own position forward
 * and back; when other threads could use work it leaves one side of a branch to a task, which
 * carries a copy of the position. Nothing is allocated once the search has begun. */
#include "load/akari_search.h"

#include <leat/task.h>
#include <leat/work.h>

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "load/akari_net.h"

enum {
	BREATH = 256, /* branches between two looks whether to stop */
};

struct search {
	const struct akari_net *net;
	bool first, show;
	struct leat_work *work; /* tells a measuring tool how far the search is; or NULL */
	size_t errand_size;
};

enum {
	NO_CELL = UINT32_MAX
};

/* A task: search below a position with one more cell dark, or, with NO_CELL, as it is. */
struct errand {
	const struct search *search;
	uint32_t dark;
	alignas(struct akari_pos) unsigned char pos[];
};

/* A thread's result cell: what it found. Behind it lie its trail, the solution it keeps and an
 * errand, whose position is the one the thread walks on: so it can be sent as it stands. */
struct hand {
	uint64_t solutions, sum, branches, dead_ends;
	uint64_t published; /* of the solutions, those in the work counter */
	bool has_kept;
};

/* A task at work, on its stack. */
struct walker {
	struct akari_walk walk;
	const struct search *search;
	struct leat_task *task;
	struct hand *hand;
	struct errand *errand;
	uint8_t *kept;
	bool stop;
};

static size_t rounded(size_t size)
{
	return (size + 15) & ~(size_t)15;
}

static size_t trail_offset(void)
{
	return rounded(sizeof(struct hand));
}

static size_t kept_offset(const struct akari_net *net)
{
	return trail_offset() + rounded(net->n_cells * sizeof(uint32_t));
}

static size_t errand_offset(const struct akari_net *net)
{
	return kept_offset(net) + rounded(net->n_cells);
}

/* Sums over all solutions must not depend on their order, nor cancel out in pairs. */
static uint64_t scramble(uint64_t x)
{
	x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ULL;
	return x ^ (x >> 32);
}

static void take_solution(struct walker *x)
{
	struct hand *h = x->hand;
	unsigned n = x->search->net->n_cells;

	h->solutions++;
	h->sum += scramble(x->walk.pos->key);
	if (x->search->show && (!h->has_kept || memcmp(x->walk.cell, x->kept, n) > 0)) {
		memcpy(x->kept, x->walk.cell, n);
		h->has_kept = true;
	}
	if (x->search->first) {
		leat_task_enough(x->task);
		x->stop = true;
	}
}

static void publish(struct walker *x)
{
	leat_work_add(x->search->work, x->hand->solutions - x->hand->published);
	x->hand->published = x->hand->solutions;
}

static int run_errand(struct leat_task *task, const void *arg);

/* All solutions below the walker's position, which it leaves changed. */
static void search_below(struct walker *x, uint32_t first_unlit)
{
	struct akari_walk *w = &x->walk;

	while (w->pos->n_unlit) {
		if (++x->hand->branches % BREATH == 0) {
			publish(x);
			x->stop = leat_task_stopped(x->task);
		}
		if (x->stop)
			return;
		uint32_t c = akari_walk_choose(w, &first_unlit), mark = w->n_trail;
		if (leat_task_wanted(x->task)) {
			x->errand->dark = c;
			leat_task_spawn(x->task, run_errand, x->errand, x->search->errand_size);
			if (akari_walk_lamp(w, c))
				continue;
			x->hand->dead_ends++;
			return;
		}
		if (akari_walk_lamp(w, c))
			search_below(x, first_unlit);
		else
			x->hand->dead_ends++;
		if (x->stop)
			return;
		akari_walk_undo(w, mark);
		if (!akari_walk_dark(w, c)) {
			x->hand->dead_ends++;
			return;
		}
	}
	take_solution(x);
}

static int run_errand(struct leat_task *task, const void *arg)
{
	const struct errand *given = arg;
	const struct search *s = given->search;
	struct hand *h = leat_task_cell(task);
	char *memory = (char *)h;
	struct walker x = { .search = s, .task = task, .hand = h };

	x.kept = (uint8_t *)memory + kept_offset(s->net);
	x.errand = (struct errand *)(void *)(memory + errand_offset(s->net));
	memcpy((void *)x.errand, given, s->errand_size);
	akari_walk_init(&x.walk, s->net, (struct akari_pos *)(void *)x.errand->pos,
		(uint32_t *)(void *)(memory + trail_offset()));
	if (given->dark == NO_CELL || akari_walk_dark(&x.walk, given->dark))
		search_below(&x, 0);
	else
		h->dead_ends++;
	publish(&x);
	return 0;
}

/* --- the whole --- */

static void add_hand(struct akari_answer *a, const struct hand *h)
{
	a->solutions += h->solutions;
	a->sum += h->sum;
	a->branches += h->branches;
	a->dead_ends += h->dead_ends;
}

/* The kept solution that comes first in the order of the board, whoever found it. */
static int keep_first(struct leat_tasks *pool, const struct akari_net *net, struct akari_answer *a,
	size_t n_board)
{
	const uint8_t *best = NULL;

	for (unsigned i = 0; i < a->threads; i++) {
		const char *memory = leat_tasks_cell(pool, i);
		const uint8_t *kept = (const uint8_t *)memory + kept_offset(net);
		if (((const struct hand *)(const void *)memory)->has_kept &&
			(!best || memcmp(kept, best, net->n_cells) > 0))
			best = kept;
	}
	if (!best)
		return 0;
	a->lamps = calloc(n_board, 1);
	if (!a->lamps)
		return -ENOMEM;
	for (unsigned c = 0; c < net->n_cells; c++)
		a->lamps[net->place[c]] = best[c] == AKARI_LAMP;
	return 0;
}

static void pool_freep(struct leat_tasks **pool)
{
	leat_tasks_free(*pool);
}

/* Runs the tree below `root`, an errand. */
static int run_tree(const struct search *s, const struct errand *root, const struct akari_ask *ask,
	size_t n_board, struct akari_answer *a, struct lt_err *err)
{
	struct leat_err lib_err = { 0 };
	struct leat_tasks_opts opts = {
		.threads = ask->threads,
		.slots = 64,
		.arg_size = s->errand_size,
		.cell_size = errand_offset(s->net) + s->errand_size,
		.cancel = ask->cancel,
	};
	LT_AUTO(pool_freep) struct leat_tasks *pool = NULL;
	struct leat_tasks_stats stats;

	int e = leat_tasks_new(&opts, &pool, &lib_err);
	if (e < 0)
		return lt_fail(err, e, "LT-AKARI-POOL", "%s", lib_err.text);
	int64_t begin_ns = lt_now_ns();
	e = leat_tasks_run(pool, run_errand, root, s->errand_size, &lib_err);
	a->elapsed_ns = lt_now_ns() - begin_ns;
	if (e < 0)
		return lt_fail(err, e, "LT-AKARI-SEARCH", "%s", lib_err.text);
	a->threads = leat_tasks_threads(pool);
	for (unsigned i = 0; i < a->threads; i++) {
		add_hand(a, leat_tasks_cell(pool, i));
		leat_tasks_stats(pool, i, &stats);
		a->tasks += stats.tasks;
		a->stolen += stats.stolen;
	}
	if (keep_first(pool, s->net, a, n_board) < 0)
		return lt_fail_mem(err);
	return 0;
}

int akari_solve(const struct akari_board *board, const struct akari_ask *ask,
	struct akari_answer *ret_answer, struct lt_err *err)
{
	LT_AUTO(akari_net_done) struct akari_net net = { 0 };
	struct akari_answer answer = { .threads = 1 }; /* enough to see that there is no solution */
	struct akari_walk walk;

	int e = akari_net_init(&net, board, err);
	if (e < 0)
		return e;
	struct search s = { .net = &net, .first = ask->first, .show = ask->show };
	leat_work_get("akari", "solution", &s.work, NULL); /* on failure there is no counter */
	s.errand_size = rounded(sizeof(struct errand) + akari_pos_size(&net));
	LT_AUTO_FREE struct errand *root = calloc(1, s.errand_size);
	LT_AUTO_FREE uint32_t *trail = calloc((size_t)net.n_cells + 1, sizeof(*trail));
	if (!root || !trail)
		return lt_fail_mem(err);
	root->search = &s;
	root->dark = NO_CELL;
	akari_walk_init(&walk, &net, (struct akari_pos *)(void *)root->pos, trail);
	akari_walk_reset(&walk);
	if (akari_walk_begin(&walk)) {
		e = run_tree(&s, root, ask, (size_t)board->width * board->height, &answer, err);
		if (e < 0)
			return e;
	}
	*ret_answer = answer;
	return 0;
}
