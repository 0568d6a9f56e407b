/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A gate for continuous integration.
 */
#include "stats/gate.h"

#include <math.h>

bool stats_gate_violated(const struct stats_comparison *c, double limit_rel, enum stats_worse worse)
{
	if (!c->bounded)
		return false;
	if (worse == STATS_WORSE_LOWER)
		return c->hi < 1 - limit_rel;

	/* From nothing to something there is no ratio, but it is worse by any measure. */
	if (isnan(c->lo))
		return c->base <= 0 && c->base >= 0 && c->diff_lo > 0;
	return c->lo > 1 + limit_rel;
}
