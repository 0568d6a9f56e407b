/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When to stop: enough runs, known well enough, decided, or out of budget. */
#include "run/stop.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "run/analysis.h"
#include "stats/hl.h"

enum {
	PRECISION_MIN = 6,
	CHEAP_PAIRS = 40
};

static const int64_t cheap_ns = 2 * LT_NS_PER_S;

static bool over_budget(const struct experiment *x)
{
	return x->opts->budget_ns && lt_now_ns() - x->budget_from_ns >= x->opts->budget_ns;
}

/* RUN_PRECISION: is the primary metric known well enough? Looked at when the number of runs
 * has grown by a tenth, so that a lucky moment is not waited for. */
static int precise_enough(struct experiment *x, bool *ret, struct lt_err *err)
{
	*ret = false;
	if (x->blocks_kept < PRECISION_MIN || x->blocks_kept < x->next_look)
		return 0;
	x->next_look = x->blocks_kept + 1 + x->blocks_kept / 10;
	int primary = analysis_primary(x->rec);
	LT_AUTO_FREE double *v = malloc((x->rec->n_trials + 1) * sizeof(*v));
	if (!v)
		return lt_fail_mem(err);
	size_t n = primary < 0 ? 0 : record_values(x->rec, 0, (unsigned)primary, false, v);
	struct stats_interval iv;
	stats_hl(v, n, 0.95, &iv);
	if (!iv.bounded || !(iv.center > 0))
		return 0;
	x->reached = fmax(iv.hi - iv.center, iv.center - iv.lo) / iv.center;
	*ret = x->reached <= x->opts->precision;
	return 0;
}

/* RUN_SEQUENCE: is every variant, and every gate, decided? */
static int all_decided(struct experiment *x, bool *ret, struct lt_err *err)
{
	*ret = true;
	int primary = analysis_primary(x->rec);
	for (unsigned v = 1; v < x->n_cmds; v++) {
		struct stats_comparison c;
		int r = analysis_now(x->rec, x->opts, 0, v, &c, err);
		if (r < 0)
			return r;
		if (c.bounded && v == 1)
			x->reached = (c.hi - c.lo) / 2;
		bool gated = false, settled = true;
		for (size_t i = 0; i < x->opts->n_gates && settled; i++) {
			unsigned metric;
			double limit;
			if (analysis_gate_parse(x->rec, x->opts->gates[i], &metric, &limit, NULL) <
					0 ||
				(int)metric != primary)
				continue;
			gated = true;
			settled = c.method == STATS_BY_SEQUENCE && analysis_gate_decided(&c, limit);
		}
		if (gated ? !settled : !stats_compare_should_stop(&c))
			*ret = false;
	}
	/* A large difference is decided at once, but known poorly; a sequence may go on after it
	 * has decided, so what is cheap is run a little longer. */
	bool cheap = lt_now_ns() - x->budget_from_ns < cheap_ns && x->blocks_kept < CHEAP_PAIRS;
	*ret = *ret && !cheap;
	return 0;
}

int stop_rule(struct experiment *x, struct lt_err *err)
{
	const struct run_opts *o = x->opts;
	bool done = false;
	int r = 0;
	if (x->failed)
		x->stopped = "failure";
	else if (x->signals->last)
		x->stopped = "signal";
	else if (o->n && x->blocks_kept >= o->n)
		x->stopped = "n";
	else if (o->design == RUN_PRECISION)
		r = precise_enough(x, &done, err);
	else if (o->design == RUN_SEQUENCE)
		r = all_decided(x, &done, err);
	if (done)
		x->stopped = o->design == RUN_PRECISION ? "precise" : "decided";
	else if (!x->stopped && o->n_max && x->blocks_kept >= o->n_max)
		x->stopped = "cap";
	else if (!x->stopped && over_budget(x) && x->blocks_kept > 0)
		x->stopped = "budget";
	return r;
}
