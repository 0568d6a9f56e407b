/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gates: 'METRIC +5%' is violated when the interval proves that the metric rose by more,
 * 'METRIC -5%' when it proves that it fell by more. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "run/analysis.h"

static int fail_gate(struct lt_err *err, const char *text)
{
	lt_err_set(err, -EINVAL, "LT-GATE", "'%.120s' is not a gate", text);
	return lt_hint(err, "METRIC +X%% or METRIC -X%%, such as 'wall +5%%'");
}

int analysis_gate_parse(const struct record *rec, const char *text, unsigned *ret_metric,
	double *ret_limit, struct lt_err *err)
{
	char name[64], share[32];
	size_t len = strcspn(text, " \t+");
	/* Names have dashes in them, so a minus counts only behind a blank. */
	const char *rest = text + len + strspn(text + len, " \t");
	if (len == 0 || len >= sizeof(name) || (*rest != '+' && *rest != '-'))
		return fail_gate(err, text);
	memcpy(name, text, len);
	name[len] = '\0';
	size_t rest_len = strlen(rest + 1);
	if (rest_len >= sizeof(share))
		return fail_gate(err, text);
	memcpy(share, rest + 1 + strspn(rest + 1, " "), rest_len + 1 - strspn(rest + 1, " "));
	double limit;
	if (*share == '+' || *share == '-' || !strchr(share, '%')) /* '+5' would be 500 % */
		return fail_gate(err, text);
	if (lt_parse_fraction(share, "gate", &limit, NULL) < 0)
		return fail_gate(err, text);
	int metric = record_metric(rec, name);
	if (metric < 0) {
		lt_err_set(err, -EINVAL, "LT-METRIC", "gate '%.120s': no metric '%s' is measured",
			text, name);
		return lt_hint(err, "-m picks meters; 'leat list meters' names their metrics");
	}
	if (rec->metrics[metric].sampled)
		return lt_fail(err, -EINVAL, "LT-METRIC",
			"gate '%.120s': '%s' is sampled by the clock tick and cannot be judged; "
			"use 'cpu'",
			text, name);
	*ret_metric = (unsigned)metric;
	*ret_limit = *rest == '+' ? limit : -limit;
	return 0;
}

/* A rise from nothing has no ratio; it is beyond any limit. */
static bool proved_beyond(double lo, double hi, double diff_lo, double limit)
{
	if (isnan(lo) || isnan(hi))
		return limit > 0 && diff_lo > 0;
	return limit > 0 ? lo > 1 + limit : hi < 1 + limit;
}

static bool proved_within(double lo, double hi, double limit)
{
	return limit > 0 ? hi <= 1 + limit : lo >= 1 + limit;
}

bool analysis_gate_decided(const struct stats_comparison *c, double limit)
{
	if (c->exact_equal)
		return true;
	return c->bounded &&
		(proved_beyond(c->lo, c->hi, c->diff_lo, limit) ||
			proved_within(c->lo, c->hi, limit));
}

int analysis_gates(struct record *rec, const struct run_opts *opts, struct lt_err *err)
{
	for (size_t i = 0; i < opts->n_gates; i++) {
		unsigned metric;
		double limit;
		int r = analysis_gate_parse(rec, opts->gates[i], &metric, &limit, err);
		if (r < 0)
			return r;
		for (unsigned v = 1; v < rec->n_variants; v++) {
			const struct comparison *c = record_comparison(rec, v, metric);
			if (!c || c->aa)
				continue;
			struct gate *g = record_add_gate(rec);
			if (!g)
				return lt_fail_mem(err);
			*g = (struct gate){ .text = lt_arena_strdup(&rec->arena, opts->gates[i]),
				.metric = metric,
				.b = v,
				.limit = limit,
				.violated = proved_beyond(c->lo, c->hi, c->diff_lo, limit) };
			g->decided = g->violated || proved_within(c->lo, c->hi, limit);
			if (!g->text)
				return lt_fail_mem(err);
		}
	}
	return 0;
}
