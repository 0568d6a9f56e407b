/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Log ratios of pairs: Hodges-Lehmann centre with its exact interval, and a test that holds
 * whatever the noise looks like, since the order within each block was drawn. */
#include "run/remedy_proof.h"

#include <math.h>
#include <stdlib.h>

#include "base/own.h"
#include "stats/hl.h"
#include "stats/holm.h"
#include "stats/signflip.h"

enum {
	PAIRS_MAX = 64,
	CANDIDATES_MAX = 16
};

void remedy_proof_pairs(const double *without, const double *with, size_t n, uint64_t seed,
	struct remedy_proof *ret)
{
	double logs[PAIRS_MAX];
	struct stats_interval hl;
	n = n < PAIRS_MAX ? n : PAIRS_MAX;
	for (size_t i = 0; i < n; i++)
		logs[i] = log(without[i] / with[i]);
	stats_hl(logs, n, 1 - REMEDY_PROOF_ALPHA, &hl);
	*ret = (struct remedy_proof){
		.n = n,
		.ratio = exp(hl.center),
		.lo = hl.bounded ? exp(hl.lo) : NAN,
		.hi = hl.bounded ? exp(hl.hi) : NAN,
		.p = stats_signflip_p(logs, n, seed),
		.p_holm = NAN,
	};
}

/* All comparisons with NAN are false: what is not known proves nothing. */
static bool is_gain(const struct remedy_proof *p, double bar)
{
	return p->p_holm < REMEDY_PROOF_ALPHA && p->lo > bar;
}

static bool is_loss(const struct remedy_proof *p, double bar)
{
	return p->p_holm < REMEDY_PROOF_ALPHA && p->hi < bar;
}

void remedy_proof_judge(struct remedy_proof *candidates, const struct remedy_proof *again, size_t n,
	struct remedy_proof *control)
{
	double p[CANDIDATES_MAX], holm[CANDIDATES_MAX];
	n = n < CANDIDATES_MAX ? n : CANDIDATES_MAX;
	for (size_t i = 0; i < n; i++)
		p[i] = candidates[i].p = fmax(candidates[i].p, again[i].p);
	stats_holm(p, n, holm);
	control->p_holm = control->p;
	control->helps = is_gain(control, REMEDY_PROOF_GAIN);
	control->hurts = is_loss(control, 1 / REMEDY_PROOF_GAIN);
	double up = control->helps ? control->hi : REMEDY_PROOF_GAIN;
	double down = control->hurts ? control->lo : 1;
	for (size_t i = 0; i < n; i++) {
		candidates[i].p_holm = holm[i];
		candidates[i].helps =
			is_gain(&candidates[i], up) && again[i].lo > REMEDY_PROOF_GAIN;
		candidates[i].hurts = is_loss(&candidates[i], down) && again[i].hi < 1;
	}
}
