/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DPDK's rte_lpm behind three calls, so that its headers and flags reach one file only. */
#ifndef BENCH_ROUTES_LPM_H
#define BENCH_ROUTES_LPM_H

#include "router/fib/fib4.h"

/* NULL where it cannot be had; bench_lpm_missing() then says why. */
void *bench_lpm_new(const struct fib4_route *routes, size_t n);
const char *bench_lpm_missing(void);

void bench_lpm_bulk(const void *lpm, const uint32_t *addrs, uint32_t *ret_hops, unsigned n);

#endif
