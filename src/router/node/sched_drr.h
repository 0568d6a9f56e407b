/* SPDX-License-Identifier: MIT */
/* Deficit round robin over classes: each turn gives a class as many bytes as its weight says, and
 * what it does not use for lack of packets is lost. */
#ifndef ROUTER_NODE_SCHED_DRR_H
#define ROUTER_NODE_SCHED_DRR_H

#include <stdbool.h>
#include <stdint.h>

#include "router/conf/conf.h"

struct sched_drr {
	uint32_t members;                  /* bit C: class C takes part */
	unsigned turn;                     /* whose it is */
	bool begun;                        /* and it has its bytes for it already */
	int64_t quantum[CONF_MAX_CLASSES]; /* bytes a turn; 0: not a member */
	int64_t credit[CONF_MAX_CLASSES];
};

/* Weights of the classes, 0 for those that take no part; the smallest gets `least` bytes a turn. */
void sched_drr_init(struct sched_drr *drr, const uint32_t *weights, unsigned n, uint32_t least);

/* The class that sends next of those that have packets, at least one of which is a member; `first`
 * are the lengths of their first packets. The caller takes what it sends off its credit. */
unsigned sched_drr_pick(struct sched_drr *drr, uint32_t ready, const uint32_t *first);

static inline void sched_drr_take(struct sched_drr *drr, unsigned cls, uint32_t len)
{
	drr->credit[cls] -= len;
}

#endif
