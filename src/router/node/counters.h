/* SPDX-License-Identifier: MIT */
/* What became of the packets, by the interface they came in by: every packet that came in or was
 * made here left by an interface or by a named drop. Threads count apart and are added up. */
#ifndef ROUTER_NODE_COUNTERS_H
#define ROUTER_NODE_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "router/node/drop.h"

/* Of one interface. */
struct counters {
	uint64_t in, in_bytes; /* bytes of frames as they were on the wire */
	uint64_t made;         /* because of packets that came in here: ICMP errors, fragments */
	uint64_t out;          /* left, by whatever interface */
	uint64_t waiting;      /* kept by the router at the moment */
	uint64_t drops[DROPS];
	uint64_t sent, sent_bytes; /* by this interface, wherever they came from */
};

void counters_add(struct counters *to, const struct counters *from, size_t n_nics);

/* in + made = out + waiting + drops, for each interface, and as many were sent as went out. */
bool counters_balance(const struct counters *c, size_t n_nics);

#endif
