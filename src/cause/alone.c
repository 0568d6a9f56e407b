/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which function it is that one thread runs while the others wait. A helper may serve that
 * part and the parallel one, and the function that both began in is in all chains: what is
 * looked for is the one that is on the chain whenever a thread is alone, and else seldom. */
#include <string.h>

#include "cause/tell.h"

/* An outer function, or another one, must stand for so much more. */
static const double clearly_more = 1.1;

static bool same_text(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* Is a function of the program: from the call site outwards, without libc's first ones. */
static bool is_candidate(const struct evidence_frame *f)
{
	return f->function && strcmp(f->function, "_start") != 0 &&
		(!f->object || strncmp(f->object, "libc.so", 7) != 0);
}

static bool is_on_chain(const struct evidence_site *s, const char *function)
{
	for (size_t i = s->call; i < s->n_frames; i++)
		if (same_text(s->frames[i].function, function))
			return true;
	return false;
}

/* Time alone in the function, times the share of its time that is. */
static double weight(const struct evidence *ev, const char *function)
{
	double alone = 0, all = 0;
	for (size_t i = 0; i < ev->n_samples; i++) {
		const struct evidence_sample *s = &ev->samples[i];
		if (s->site < 0 || !is_on_chain(&ev->sites[s->site], function))
			continue;
		alone += s->alone_ns;
		all += s->ns;
	}
	return all > 0 ? alone * alone / all : 0;
}

static bool has_function(const struct evidence *ev, const struct cause_finding *f, const char *role,
	const char *function)
{
	for (size_t i = 0; i < f->n_places; i++) {
		const struct cause_place *p = &f->places[i];
		if (p->role == role && p->frame >= 0 &&
			same_text(ev->sites[p->site].frames[p->frame].function, function))
			return true;
	}
	return false;
}

static void add_frame(
	struct cause_finding *f, const char *role, const struct evidence_sample *s, size_t frame)
{
	struct cause_place *p = cause_add_place(f, role, s->group, s->site);
	if (p)
		p->frame = (int)frame;
}

void cause_add_alone(const struct cause_book *book, const char *role, struct cause_finding *f)
{
	const struct evidence *ev = book->in->evidence;
	const struct evidence_sample *best = NULL;
	size_t best_frame = 0;
	double best_weight = 0;
	for (size_t i = 0; i < ev->n_samples; i++) {
		const struct evidence_sample *s = &ev->samples[i];
		if (s->site < 0 || !(s->alone_ns > 0))
			continue;
		const struct evidence_site *site = &ev->sites[s->site];
		for (size_t k = site->call; k < site->n_frames; k++) {
			const char *function = site->frames[k].function;
			double w = is_candidate(&site->frames[k]) ? weight(ev, function) : 0;
			if (w <= best_weight * clearly_more || has_function(ev, f, role, function))
				continue;
			best = s;
			best_frame = k;
			best_weight = w;
		}
	}
	if (!best)
		return;
	add_frame(f, role, best, best_frame);
	/* A name that many share says little without the one that called it, nor does one that
	 * does much without the line it was at. */
	const struct evidence_site *site = &ev->sites[best->site];
	if (best_frame > site->call)
		add_frame(f, "at", best, site->call);
	else if (best_frame + 1 < site->n_frames && is_candidate(&site->frames[best_frame + 1]))
		add_frame(f, "called-from", best, best_frame + 1);
}
