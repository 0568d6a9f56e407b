/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first look at each candidate: one run, which must be sound and not far behind the best. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "run/remedies_inside.h"

static const double far_behind = 1.5; /* times the time of the best */
static const char behind[] = "run once, it took more than 1.5 times as long as the best";
static const double no_faster = 1.1; /* times that of the default: single runs vary */

enum {
	SHORT_MS = 200, /* programs whose single runs say little run */
	SHORT_RUNS = 3, /* so often */
	SLACK_MS = 100, /* beyond the limit, for starting on a busy machine */
};

/* A candidate's best time over a few runs; stops at the first that is unsound. */
static int screen_one(struct remedies *x, struct candidate *c, double limit_ns, struct lt_err *err)
{
	const struct remedies_host *h = x->host;
	int64_t limit = isfinite(limit_ns) ? (int64_t)limit_ns + SLACK_MS * LT_NS_PER_MS : 0;
	double best = INFINITY;
	for (int i = 0; i < SHORT_RUNS && c->in; i++) {
		struct remedies_seen seen = { 0 };
		int r = h->block(
			h->ctx, &c->variant, 1, limit, c->change.preload && i == 0, &seen, err);
		if (r < 0)
			return r;
		if (!seen.ran) {
			remedies_out(x, c, REMEDY_NOT_TRIED, "leat was told to stop", NULL);
		} else if (seen.late) {
			remedies_out(x, c, REMEDY_DROPPED, behind, NULL);
		} else if (remedies_sound(x, c, &seen)) {
			remedies_take_peak(c, &seen);
			best = fmin(best, seen.wall_ns);
			if (seen.wall_ns > (double)(SHORT_MS * LT_NS_PER_MS))
				break;
		}
	}
	c->screened_ns = best;
	return 0;
}

int remedies_screen_base(struct remedies *x, bool *ret_good, struct lt_err *err)
{
	const struct remedies_host *h = x->host;
	struct candidate *c = &x->base;
	uint64_t output[2] = { 0 }, text[2] = { 0 };
	c->screened_ns = INFINITY;
	*ret_good = false;
	for (int i = 0; i < 2; i++) { /* twice: does it always write the same? */
		struct remedies_seen seen = { 0 };
		int r = h->block(h->ctx, &c->variant, 1, 0, i == 0, &seen, err);
		if (r < 0)
			return r;
		if (!seen.ran || seen.bad)
			return 0;
		c->screened_ns = fmin(c->screened_ns, seen.wall_ns);
		remedies_take_peak(c, &seen);
		output[i] = seen.output;
		text[i] = seen.output_text;
	}
	x->output = output[0] == output[1] ? output[0] : 0;
	x->output_text = text[0] == text[1] ? text[0] : 0;
	*ret_good = true;
	return 0;
}

static void drop_those_behind(struct remedies *x, double best)
{
	for (size_t i = 0; i < x->n; i++) {
		struct candidate *c = &x->list[i];
		if (!c->in)
			continue;
		if (c->screened_ns > far_behind * best)
			remedies_out(x, c, REMEDY_DROPPED, behind, NULL);
		else if (c->screened_ns > no_faster * x->base.screened_ns)
			remedies_out(x, c, REMEDY_DROPPED,
				"run once, it took longer than the program as it is", NULL);
	}
}

/* Those that preload a library and those that do not take turns: the sooner a fast one was seen,
 * the less time is spent on slow ones. */
static size_t take_turns(struct remedies *x, struct candidate *ret[REMEDIES_MAX])
{
	size_t n = 0, at[2] = { 0 };
	for (bool preload = false; n < x->n; preload = !preload) {
		size_t *i = &at[preload];
		while (*i < x->n && !x->list[*i].change.preload != !preload)
			++*i;
		if (*i < x->n)
			ret[n++] = &x->list[(*i)++];
	}
	return n;
}

int remedies_screen(struct remedies *x, struct lt_err *err)
{
	struct candidate *turns[REMEDIES_MAX];
	double best = x->base.screened_ns;
	size_t n = take_turns(x, turns);
	for (size_t i = 0; i < n; i++) {
		struct candidate *c = turns[i];
		if (!c->in)
			continue;
		if ((double)x->host->left_ns(x->host->ctx) < far_behind * best) {
			remedies_out(x, c, REMEDY_NOT_TRIED, "the time for it was spent",
				"give the whole more of it (--budget), or name few (--try)");
			continue;
		}
		int r = screen_one(x, c, far_behind * best, err);
		if (r < 0)
			return r;
		if (c->in)
			best = fmin(best, c->screened_ns);
	}
	drop_those_behind(x, best);
	return 0;
}
