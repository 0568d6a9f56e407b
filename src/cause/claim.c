/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each cause claims pieces of the observation, in the order of the table, and gets the part
 * of the loss that goes with them. */
#include "cause/book.h"

#include <math.h>

/* Contention slows down more than the instruction it shows at: when it explains this much of
 * the extra user time, the rest is put down to it too. */
static const double shadow = 1.0 / 3;

static size_t n_causes(void)
{
	size_t n = 0;
	while (cause_table[n])
		n++;
	return n;
}

static void claim_items(struct cause_book *book, size_t c)
{
	struct cause_account *a = &book->accounts[c];
	for (size_t i = 0; i < book->n_items; i++) {
		struct cause_item *item = &book->items[i];
		double ns = item->left_ns > 0 ? cause_table[c]->claim(book, item) : 0;
		ns = fmin(fmax(ns, 0), item->left_ns);
		if (!(ns > 0))
			continue;
		item->left_ns -= ns;
		a->claimed_ns[i] = ns;
		a->seen_ns[item->kind] += ns;
		a->part_ns[LEDGER_IDLE] += item->core_ns * ns / item->ns;
		if (item->kind == CAUSE_WAIT)
			a->waits += item->wait->count * ns / item->ns;
	}
}

/* CPU time of one kind: no cause gets more than was seen, nor all together more than is
 * lost. What was seen is brought to the scale of the timed runs. */
static void share_out(struct cause_book *book, size_t n, enum cause_item_kind kind,
	enum ledger_part part, double spent_ns)
{
	double seen = book->seen_ns[kind], claimed = 0;
	double scale = seen > 0 && spent_ns > 0 ? spent_ns / seen : 1;
	for (size_t c = 0; c < n; c++)
		claimed += book->accounts[c].seen_ns[kind] * scale;
	if (claimed > book->part_ns[part])
		scale *= book->part_ns[part] / claimed;
	for (size_t c = 0; c < n; c++)
		book->accounts[c].part_ns[part] = book->accounts[c].seen_ns[kind] * scale;
}

static void cast_shadows(struct cause_book *book, size_t n)
{
	double all = 0, contention = 0, lost = book->part_ns[LEDGER_USER];
	for (size_t c = 0; c < n; c++) {
		double own = book->accounts[c].part_ns[LEDGER_USER];
		all += own;
		contention += cause_table[c]->contention ? own : 0;
	}
	if (!(lost > all) || !(contention >= shadow * lost))
		return;
	for (size_t c = 0; c < n; c++)
		if (cause_table[c]->contention)
			book->accounts[c].part_ns[LEDGER_USER] *= 1 + (lost - all) / contention;
}

int cause_book_claim(struct cause_book *book, struct lt_arena *arena, struct lt_err *err)
{
	size_t n = n_causes();
	struct cause_account *accounts = lt_arena_alloc(arena, n * sizeof(*accounts));
	if (!accounts)
		return lt_fail_mem(err);
	book->accounts = accounts;
	for (size_t c = 0; c < n; c++) {
		accounts[c].claimed_ns =
			lt_arena_alloc(arena, (book->n_items + 1) * sizeof(double));
		if (!accounts[c].claimed_ns)
			return lt_fail_mem(err);
		if (cause_table[c]->claim)
			claim_items(book, c);
	}
	const struct curve_point *f = book->in->focus;
	share_out(book, n, CAUSE_USER, LEDGER_USER, f ? f->user_ns.num : 0);
	share_out(book, n, CAUSE_KERNEL, LEDGER_SYSTEM, f ? f->system_ns.num : 0);
	cast_shadows(book, n);
	return 0;
}
