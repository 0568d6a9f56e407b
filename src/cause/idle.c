/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which waits idle cores are put down to. While nothing of the program runs, only the outside
 * can go on: input, a timer, a disk; threads that wait for a lock then wait for one that
 * waits for those. While something runs, the cores that do not are missed by the threads
 * that would otherwise compute. */
#include "cause/book.h"

#include <math.h>

/* Waits for the outside explain the time in which nothing ran when they make up so much of
 * it, and, if they are made by threads that do little else, are not rare beside the waits
 * of the others. */
static const double covers = 0.5, not_rare = 0.1;

/* Of the busiest thread's CPU time. */
static const double sleeper_share = 0.5;

/* Whether the item may explain the pool asked for; the pools are filled one after the other. */
typedef bool pool_fn(const struct cause_book *book, const struct cause_item *item);

static bool waits(const struct cause_item *item)
{
	return item->kind == CAUSE_WAIT && item->wait->op != EVIDENCE_OP_JOIN &&
		item->wait->op != EVIDENCE_OP_CHILD && item->entry != CAUSE_ENTRY_JOIN;
}

/* Ready to run, but others had the CPU. */
static bool is_queued(const struct cause_book *book, const struct cause_item *item)
{
	return item->kind == CAUSE_WAIT && item->wait->op == EVIDENCE_OP_RUNQUEUE &&
		cause_is_busy(book, item->wait->group);
}

/* Who sleeps by its own choice keeps cores idle if it is one of those that compute; one that
 * does less makes work for the others, and they wait for it. */
static bool outside_busy(const struct cause_book *book, const struct cause_item *item)
{
	return cause_is_external(item) && cause_is_busy(book, item->wait->group) &&
		!(item->wait->op == EVIDENCE_OP_SLEEP &&
			cause_busyness(book, item->wait->group) < sleeper_share);
}

/* Who hands out what comes in. */
static bool outside_input(const struct cause_book *book, const struct cause_item *item)
{
	(void)book;
	return cause_is_external(item) && item->wait->op != EVIDENCE_OP_SLEEP &&
		item->entry != CAUSE_ENTRY_TIMED;
}

static bool outside_any(const struct cause_book *book, const struct cause_item *item)
{
	(void)book;
	return cause_is_external(item);
}

static bool busy_or_queued(const struct cause_book *book, const struct cause_item *item)
{
	return outside_busy(book, item) || is_queued(book, item);
}

static bool input_or_queued(const struct cause_book *book, const struct cause_item *item)
{
	return outside_input(book, item) || is_queued(book, item);
}

static bool any_or_queued(const struct cause_book *book, const struct cause_item *item)
{
	return outside_any(book, item) || is_queued(book, item);
}

static bool inside_busy(const struct cause_book *book, const struct cause_item *item)
{
	return waits(item) && !cause_is_external(item) && cause_is_busy(book, item->wait->group);
}

static bool busy_any(const struct cause_book *book, const struct cause_item *item)
{
	return waits(item) && cause_is_busy(book, item->wait->group) &&
		(!cause_is_external(item) || outside_busy(book, item));
}

static bool inside_idle(const struct cause_book *book, const struct cause_item *item)
{
	return waits(item) && !cause_is_external(item) && !cause_is_busy(book, item->wait->group);
}

static double sum_ns(const struct cause_book *book, pool_fn *belongs)
{
	double sum = 0;
	for (size_t i = 0; i < book->n_items; i++)
		sum += belongs(book, &book->items[i]) ? book->items[i].ns : 0;
	return sum;
}

static double sum_count(const struct cause_book *book, pool_fn *belongs)
{
	double sum = 0;
	for (size_t i = 0; i < book->n_items; i++)
		sum += belongs(book, &book->items[i]) ? book->items[i].wait->count : 0;
	return sum;
}

/* Gives each that belongs its part of core_ns, by time, but together no more than `most`
 * where that is less. Returns what is left. */
static double pour(struct cause_book *book, pool_fn *belongs, double core_ns, double most)
{
	double sum = sum_ns(book, belongs), given = fmin(core_ns, most);
	if (!(sum > 0) || !(given > 0))
		return core_ns;
	for (size_t i = 0; i < book->n_items; i++)
		if (belongs(book, &book->items[i]))
			book->items[i].core_ns += given * book->items[i].ns / sum;
	return core_ns - given;
}

/* Core time in which nothing of the program ran; nobody_ns is the same on the clock. */
static void pour_nobody(struct cause_book *book, double core_ns, double nobody_ns)
{
	static const struct {
		pool_fn *outside, *with_queued;
	} pools[] = {
		{ outside_busy, busy_or_queued },
		{ outside_input, input_or_queued },
		{ outside_any, any_or_queued },
	};
	double queued = sum_ns(book, is_queued), inside = sum_count(book, inside_busy);
	for (size_t i = 0; i < LT_COUNT(pools); i++) {
		bool rare = i > 0 && sum_count(book, pools[i].outside) < not_rare * inside;
		double most = fmax(nobody_ns - queued, 0.1 * nobody_ns);
		if (!rare && sum_ns(book, pools[i].outside) >= covers * most) {
			pour(book, pools[i].with_queued, core_ns, core_ns);
			return;
		}
	}
	pour(book, inside_busy, core_ns, core_ns);
}

void cause_book_idle(struct cause_book *book)
{
	const struct evidence *ev = book->in->evidence;
	double cores = book->in->ledger ? book->in->ledger->cores : ev->cpus;
	double nobody = 0, some = 0;
	for (size_t i = 0; i < ev->n_cores && (double)i < cores; i++)
		*(i ? &some : &nobody) += (cores - (double)i) * ev->cores[i].ns;
	if (ev->n_cores == 0) /* not known apart: as if someone always ran */
		some = book->part_ns[LEDGER_IDLE];
	if (!(nobody + some > 0))
		return;
	double scale = book->part_ns[LEDGER_IDLE] / (nobody + some);
	double nobody_ns = ev->n_cores ? ev->cores[0].ns : 0;
	pour_nobody(book, nobody * scale, nobody_ns);
	for (size_t i = 0; i < book->n_items; i++)
		book->items[i].nobody_ns = book->items[i].core_ns;
	/* Of the rest, those who compute miss a core first, then those who wait for work, then
	 * nobody: there was nothing else to do. */
	double left = some * scale;
	left = pour(book, busy_any, left, sum_ns(book, busy_any) * scale);
	left = pour(book, inside_idle, left, sum_ns(book, inside_idle) * scale);
	for (size_t i = 0; i < book->n_items; i++)
		if (book->items[i].kind == CAUSE_ALONE)
			book->items[i].core_ns = book->items[i].ns = left;
}
