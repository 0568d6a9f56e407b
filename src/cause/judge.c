/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From an observation to named causes. */
#include <math.h>
#include <stdlib.h>

#include "cause/book.h"

/* The answer first, by what it costs; what is said beside it last. */
static double weight(const struct cause_finding *f)
{
	return f->aside ? -1 : isnan(f->core_ns) ? INFINITY : fmax(f->core_ns, f->gain_ns);
}

static void insert(struct cause_named *ret, size_t n, const struct cause_named *named)
{
	for (; n > 0 && weight(&ret[n - 1].finding) < weight(&named->finding); n--)
		ret[n] = ret[n - 1];
	ret[n] = *named;
}

/* Is there a loss that this cause may explain? */
static bool is_asked(const struct cause_input *in, const struct cause *cause)
{
	const struct scaling *s = in->scaling;
	return !s->busy && s->verdict != SCALE_SCALES &&
		(s->verdict != SCALE_UNDECIDED || cause->direct);
}

/* No surer than that there is something to explain. */
static void hedge(const struct cause_input *in, struct cause_finding *f)
{
	bool open = in->scaling->verdict == SCALE_UNDECIDED && !in->scaling->busy;
	if (open && f->confidence == CONFIDENCE_HIGH)
		f->confidence = CONFIDENCE_MEDIUM;
}

int cause_judge(
	const struct cause_input *in, struct cause_named *ret, size_t room, struct lt_err *err)
{
	LT_AUTO(lt_arena_done) struct lt_arena arena = { 0 };
	struct cause_book book;
	int r = cause_book_open(in, &arena, &book, err);
	if (r >= 0)
		r = cause_book_claim(&book, &arena, err);
	if (r < 0)
		return r;
	size_t n = 0;
	for (size_t c = 0; cause_table[c] && n < room; c++) {
		const struct cause_account *mine = &book.accounts[c];
		struct cause_named named = { .cause = cause_table[c] };
		for (int p = 0; p < CAUSE_PARTS; p++)
			named.finding.core_ns += mine->part_ns[p];
		book.asked = is_asked(in, cause_table[c]);
		if (!cause_table[c]->judge(&book, mine, &named.finding))
			continue;
		hedge(in, &named.finding);
		const struct cause_finding *f = &named.finding;
		if (!f->aside || f->core_ns > 0)
			book.named_ns += isnan(f->core_ns) ? book.lost_ns : f->core_ns;
		insert(ret, n++, &named);
	}
	return (int)n;
}
