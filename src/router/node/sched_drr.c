/* SPDX-License-Identifier: MIT */
/* Whose turn it is, and for how long. */
#include "router/node/sched_drr.h"

void sched_drr_init(struct sched_drr *drr, const uint32_t *weights, unsigned n, uint32_t least)
{
	uint32_t smallest = UINT32_MAX;
	*drr = (struct sched_drr){ 0 };
	for (unsigned i = 0; i < n; i++)
		if (weights[i] && weights[i] < smallest)
			smallest = weights[i];
	for (unsigned i = 0; i < n; i++) {
		drr->members |= (uint32_t)(weights[i] != 0) << i;
		drr->quantum[i] = (int64_t)weights[i] * least / smallest;
	}
}

static void next_turn(struct sched_drr *drr, uint32_t ready)
{
	uint32_t later = ready & (UINT32_MAX << (drr->turn + 1));
	drr->turn = (unsigned)__builtin_ctz(later ? later : ready);
	drr->begun = false;
}

unsigned sched_drr_pick(struct sched_drr *drr, uint32_t ready, const uint32_t *first)
{
	ready &= drr->members;
	/* who has nothing to send keeps nothing for later */
	for (uint32_t idle = drr->members & ~ready; idle; idle &= idle - 1)
		drr->credit[__builtin_ctz(idle)] = 0;
	if (!(ready >> drr->turn & 1))
		next_turn(drr, ready);
	for (;;) {
		unsigned cls = drr->turn;
		if (!drr->begun)
			drr->credit[cls] += drr->quantum[cls];
		drr->begun = true;
		if (drr->credit[cls] >= first[cls])
			return cls;
		next_turn(drr, ready);
	}
}
