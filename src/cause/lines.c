/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cache lines that several threads use: who is in whose way. */
#include "cause/book.h"

#include <math.h>

#include "base/str.h"

/* A line is in dispute when at least so much of its use is by a second thread, and so much
 * of it writes. */
static const double dispute_share = 0.05;

/* At least so much of a line's use must be of the same bytes to call it shared. */
static const double same_bytes_share = 0.25;

/* A thread that reads bytes, changes them and stores them is mostly caught at the read, which is
 * where it waits for the line: so many stores beside the reads make them one. */
static const double update_share = 0.01, update_samples = 3;

/* research: extra user time is the greater part of the loss, hardly any of it at lines in
 * dispute. */
static const double mostly_user = 0.5, few_disputed = 0.2;

static bool same_bytes_as(const struct evidence_access *a, const struct evidence_access *b)
{
	return a->offset < b->offset + b->size && b->offset < a->offset + a->size;
}

/* Does the thread store, too, what it reads here? */
static bool is_update(const struct evidence_line *line, const struct evidence_access *read)
{
	double reads = 0, writes = 0;
	for (size_t i = 0; i < line->n_accesses; i++) {
		const struct evidence_access *a = &line->accesses[i];
		if (a->thread == read->thread && same_bytes_as(a, read))
			*(a->write ? &writes : &reads) += a->n;
	}
	return writes >= update_samples && writes >= update_share * reads;
}

/* How much of a line's use is of bytes that one thread writes and another one uses. */
static double same_bytes(const struct evidence_line *line)
{
	double same = 0, all = 0;
	for (size_t i = 0; i < line->n_accesses; i++) {
		const struct evidence_access *a = &line->accesses[i];
		bool met = false;
		for (size_t j = 0; j < line->n_accesses && !met; j++) {
			const struct evidence_access *b = &line->accesses[j];
			met = a->thread != b->thread && (a->write || b->write) &&
				same_bytes_as(a, b);
		}
		all += a->n;
		same += met ? a->n : 0;
	}
	return all > 0 ? same / all : 0;
}

bool cause_line_disputed(const struct evidence_line *line)
{
	double all = 0, writes = 0, most = 0;
	if (line->threads < 2 || line->writers < 1)
		return false;
	for (size_t i = 0; i < line->n_accesses; i++) {
		const struct evidence_access *a = &line->accesses[i];
		double own = 0;
		for (size_t j = 0; j < line->n_accesses; j++)
			own += line->accesses[j].thread == a->thread ? line->accesses[j].n : 0;
		most = fmax(most, own);
		all += a->n;
		writes += a->write || is_update(line, a) ? a->n : 0;
	}
	return all > 0 && writes >= dispute_share * all && all - most >= dispute_share * all;
}

bool cause_line_shared(const struct evidence_line *line)
{
	return same_bytes(line) >= same_bytes_share;
}

static double disputed_ns(const struct cause_book *book)
{
	double sum = 0;
	for (size_t i = 0; i < book->n_items; i++) {
		const struct cause_item *item = &book->items[i];
		if (item->kind != CAUSE_USER)
			continue;
		bool library = item->entry != CAUSE_ENTRY_NONE && book->contended[item->entry];
		sum += library
			? item->ns
			: fmax(item->private_ns + item->shared_ns, cause_spun_ns(item->sample));
	}
	return sum;
}

bool cause_undisputed_user(const struct cause_book *book)
{
	return book->part_ns[LEDGER_USER] >= mostly_user * book->lost_ns &&
		disputed_ns(book) < few_disputed * book->seen_ns[CAUSE_USER];
}

bool cause_same_place(const struct evidence *ev, int a, int b)
{
	if (a == b)
		return true;
	if (a < 0 || b < 0)
		return false;
	const struct evidence_site *s = &ev->sites[a], *t = &ev->sites[b];
	if (s->call >= s->n_frames || t->call >= t->n_frames)
		return false;
	const struct evidence_frame *f = &s->frames[s->call], *g = &t->frames[t->call];
	return f->line == g->line && lt_same_text(f->function, g->function) &&
		lt_same_text(f->object, g->object) && (f->line || f->offset == g->offset);
}

static void add_access(struct cause_book *book, const struct evidence_access *acc, bool same)
{
	const struct evidence *ev = book->in->evidence;
	double left = acc->n * ev->sample_ns;
	for (size_t i = 0; i < book->n_items && left > 0; i++) {
		struct cause_item *item = &book->items[i];
		if (item->kind != CAUSE_USER || item->sample->group != acc->group ||
			!cause_same_place(ev, item->sample->site, acc->site))
			continue;
		double room = item->ns - item->private_ns - item->shared_ns;
		double ns = fmin(left, fmax(room, 0));
		*(same ? &item->shared_ns : &item->private_ns) += ns;
		left -= ns;
	}
}

void cause_book_lines(struct cause_book *book)
{
	const struct evidence *ev = book->in->evidence;
	for (size_t l = 0; l < ev->n_lines; l++) {
		const struct evidence_line *line = &ev->lines[l];
		for (size_t a = 0; cause_line_disputed(line) && a < line->n_accesses; a++)
			add_access(book, &line->accesses[a], cause_line_shared(line));
	}
}
