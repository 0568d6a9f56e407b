/* SPDX-License-Identifier: MIT */
/* The yardstick of the router's bench: the least that a program must do to translate and route the
 * packets of a classic pcap of Ethernet and IPv4 in nanoseconds, in one loop, in batches. It has no
 * timers, limits, fragments, ICMP, classes, counters or drop reasons: a ceiling, not a design. */
#ifndef BENCH_ROUTER_BARE_H
#define BENCH_ROUTER_BARE_H

#include <stddef.h>
#include <stdint.h>

#include "router/fib/fib4.h"

enum bare_work {
	BARE_WALK,  /* record lengths only */
	BARE_ROUTE, /* header check, route, time to live; nothing is copied */
	BARE_ROUTE_OUT,
	BARE_NAT_OUT, /* translation, too; frames are copied to memory for each interface */
};

/* Runs over a mapped capture. Returns the number of packets; *ret_sum depends on every one. */
size_t bare_run(enum bare_work work, const uint8_t *file, size_t len, const struct fib4 *fib,
	unsigned outputs, uint64_t *ret_sum);

#endif
