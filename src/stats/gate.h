/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A gate for continuous integration: is it proved, not just seen, that a metric
 * got worse by more than a limit?
 */
#ifndef STATS_GATE_H
#define STATS_GATE_H

#include <stdbool.h>

#include "stats/compare.h"

enum stats_worse {
	STATS_WORSE_HIGHER, /* time, faults, energy: violated above 1 + limit */
	STATS_WORSE_LOWER,  /* throughput: violated below 1 - limit */
};

/*
 * True only if the whole interval of the ratio lies beyond the limit (0.10 = 10 %).
 * Without an interval never. A proved rise from a baseline of 0 is beyond any limit.
 */
bool stats_gate_violated(
	const struct stats_comparison *c, double limit_rel, enum stats_worse worse);

#endif
