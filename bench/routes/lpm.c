/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rte_lpm as a peer: one process without huge page pools, its table on huge pages all the same,
 * as ours is. */
#include "routes/lpm.h"

#include <stdbool.h>

#ifdef HAVE_DPDK
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <rte_eal.h>
#include <rte_lpm.h>

static bool start(void)
{
	const char *args[] = { "bench", "--no-huge", "-m", "256", "--no-pci", "--no-shconf",
		"--no-telemetry", "--log-level=error", NULL };
	cpu_set_t cpus;
	bool kept = !sched_getaffinity(0, sizeof(cpus), &cpus);
	/* it writes to neither the array's words nor beyond it */
	if (rte_eal_init(sizeof(args) / sizeof(args[0]) - 1, (char **)args) < 0)
		return false;
	if (kept)
		sched_setaffinity(0, sizeof(cpus), &cpus); /* it pins the calling thread */
	return true;
}

/* Without huge page pools its memory is shared and has small pages: puts private memory with huge
 * pages in the same place. */
static bool use_huge_pages(void *from, size_t size)
{
	const size_t page = 2 << 20;
	size_t before = -(uintptr_t)from % page, n = (size - before) & ~(page - 1);
	char *begin = (char *)from + before;
	void *copy = malloc(n);
	if (!copy)
		return false;
	memcpy(copy, begin, n);
	bool done = mmap(begin, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
			    -1, 0) != MAP_FAILED;
	if (done) {
		madvise(begin, n, MADV_HUGEPAGE);
		memcpy(begin, copy, n);
	}
	free(copy);
	return done;
}

void *bench_lpm_new(const struct fib4_route *routes, size_t n)
{
	static const struct rte_lpm_config config = { .max_rules = 1 << 20,
		.number_tbl8s = 1 << 15 };
	if (!start())
		return NULL;
	struct rte_lpm *lpm = rte_lpm_create("bench", 0, &config);
	for (size_t i = 0; lpm && i < n; i++)
		if (rte_lpm_add(lpm, routes[i].addr, routes[i].len, routes[i].hop) < 0)
			return NULL;
	return lpm && use_huge_pages(lpm->tbl24, sizeof(lpm->tbl24)) ? lpm : NULL;
}

const char *bench_lpm_missing(void)
{
	return "rte_lpm did not start";
}

void bench_lpm_bulk(const void *lpm, const uint32_t *addrs, uint32_t *ret_hops, unsigned n)
{
	rte_lpm_lookup_bulk((const struct rte_lpm *)lpm, addrs, ret_hops, n);
}

#else

void *bench_lpm_new(const struct fib4_route *routes, size_t n)
{
	(void)routes;
	(void)n;
	return NULL;
}

const char *bench_lpm_missing(void)
{
	return "libdpdk-dev is not installed";
}

void bench_lpm_bulk(const void *lpm, const uint32_t *addrs, uint32_t *ret_hops, unsigned n)
{
	(void)lpm;
	(void)addrs;
	(void)ret_hops;
	(void)n;
}

#endif
