/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The route tables: how fast a full table loads, how large it is, whether ten million lookups say
 * what a scan of all routes says, and how fast they are beside DPDK's rte_lpm (where libdpdk is
 * there at build time). Times are CPU time; the two take turns, and medians are compared. IPv6 is
 * shown, without a goal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "router/fib/fib.h"
#include "routes/lpm.h"

enum {
	FULL = 800000,      /* routes to load */
	COMPARED = 200000,  /* routes for the comparison: rte_lpm needs minutes for more */
	SCANNED = 400,      /* routes for the comparison with a scan */
	LOOKUPS = 10000000, /* of each kind */
	BURST = 256,
	ROUNDS = 9,
};

static const char *const nics[] = { "eth0", "eth1", "eth2", "eth3", "eth4", "eth5", "eth6",
	"eth7" };

static uint64_t state = 1;

static uint32_t any(uint32_t below)
{
	state += 0x9e3779b97f4a7c15u;
	uint64_t z = (state ^ state >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (uint32_t)((z >> 32) * below >> 32);
}

/* Shares of prefix lengths as in tables of the Internet, in 1/1000; a few longer than /24, as
 * every table has of its own. */
static unsigned any_len(void)
{
	static const struct {
		unsigned len, share;
	} mix[] = { { 24, 607 }, { 23, 100 }, { 22, 120 }, { 21, 50 }, { 20, 45 }, { 19, 30 },
		{ 18, 15 }, { 17, 10 }, { 16, 15 }, { 15, 3 }, { 14, 2 }, { 12, 1 }, { 32, 9 },
		{ 28, 5 }, { 30, 5 } };
	unsigned dice = any(1000), sum = 0;
	for (size_t i = 0; i < LT_COUNT(mix); i++)
		if (dice < (sum += mix[i].share))
			return mix[i].len;
	return 24;
}

static uint32_t mask_of(unsigned len)
{
	return len ? UINT32_MAX << (32 - len) : 0;
}

static int by_prefix(const void *a, const void *b)
{
	const struct fib4_route *x = a, *y = b;
	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->len - y->len;
}

/* n routes, each prefix once, sorted. Long prefixes are crowded into few /24s. */
static struct fib4_route *make_routes(size_t n)
{
	struct fib4_route *routes = calloc(2 * n, sizeof(*routes));
	size_t have = 0;
	while (routes && have < n) {
		for (size_t i = have; i < 2 * n; i++) {
			unsigned len = any_len();
			uint32_t addr = 0x01000000 + any(0xdf000000 - 0x01000000);
			if (len > 24)
				addr = (addr & 0x0fff0000) | any(8) << 8 | any(256);
			routes[i] = (struct fib4_route){ .addr = addr & mask_of(len),
				.len = (uint8_t)len,
				.hop = (uint16_t)(1 + any(16)) };
		}
		qsort(routes, 2 * n, sizeof(*routes), by_prefix);
		have = 0;
		for (size_t i = 0; i < 2 * n; i++)
			if (!have || by_prefix(&routes[have - 1], &routes[i]))
				routes[have++] = routes[i];
	}
	/* any n of them, not the first n */
	for (size_t i = 0, left = have, want = n, k = 0; routes && i < have; i++, left--)
		if (any((uint32_t)left) < want) {
			routes[k++] = routes[i];
			want--;
		}
	return routes;
}

static void *must(void *p)
{
	if (!p) {
		perror("bench");
		exit(5);
	}
	return p;
}

static double cpu_s(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static double median(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), by_value);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static void goal(const char *name, double value, const char *unit, const char *op, double limit)
{
	bool ok = op[0] == '<' ? value <= limit : value >= limit;
	printf("%-32s %8.3g %-5s %s %-7g %s\n", name, value, unit, op, limit, ok ? "ok" : "short");
}

/* ---- loading ---- */

static void write_routes(const char *path, const struct fib4_route *routes, size_t n)
{
	FILE *f = must(fopen(path, "w"));
	char text[ADDR_TEXT_MAX];
	for (size_t i = 0; i < n; i++) {
		struct addr a = addr_from_v4(routes[i].addr);
		fprintf(f, "%s/%u 198.51.100.%u %s\n", addr_text(&a, text), routes[i].len,
			routes[i].hop, nics[routes[i].hop % LT_COUNT(nics)]);
	}
	if (fclose(f)) {
		perror(path);
		exit(5);
	}
}

static struct fib *load(const char *path)
{
	struct fib *fib;
	struct lt_err err = { 0 };
	if (fib_new(&fib, &err) < 0 || fib_load(fib, path, nics, LT_COUNT(nics), &err) < 0) {
		fprintf(stderr, "bench: %s\n", err.text);
		exit(5);
	}
	return fib;
}

static void bench_load(const struct fib4_route *routes)
{
	char path[64];
	snprintf(path, sizeof(path), "/tmp/leat-bench-routes-%d", getpid());
	write_routes(path, routes, FULL);
	double times[5];
	struct fib *fib = NULL;
	for (size_t i = 0; i < LT_COUNT(times); i++) {
		fib_free(fib);
		double begin = cpu_s();
		fib = load(path);
		times[i] = cpu_s() - begin;
	}
	unlink(path);
	printf("%zu routes of a file, %u groups of longer than /24\n", fib_n_routes(fib),
		fib->v4.n_groups);
	goal("routes-load-800k", median(times, LT_COUNT(times)), "s", "<=", 3);
	goal("routes-memory-800k", (double)fib_bytes(fib) / 1e6, "MB", "<=", 40);
	fib_free(fib);
}

/* ---- the scan ---- */

struct scan {
	uint32_t addr[SCANNED], mask[SCANNED], rank[SCANNED]; /* rank: length, then hop */
};

static uint16_t scan(const struct scan *s, uint32_t addr)
{
	uint32_t best = 0;
	for (size_t i = 0; i < SCANNED; i++) {
		uint32_t rank = ((addr ^ s->addr[i]) & s->mask[i]) ? 0 : s->rank[i];
		best = rank > best ? rank : best;
	}
	return (uint16_t)best;
}

/* All lengths, crowded so that they nest, in random order, with every third taken out again. */
static void bench_scan(void)
{
	static struct scan s;
	struct fib4 fib;
	if (fib4_init(&fib) < 0)
		exit(5);
	for (size_t i = 0; i < SCANNED; i++) {
		unsigned len = any(33);
		uint32_t addr =
			(any(4) << 30 | any(4) << 22 | any(8) << 13 | any(256)) & mask_of(len);
		bool gone = i % 3 == 2;
		s.addr[i] = addr;
		s.mask[i] = mask_of(len);
		for (size_t k = 0; k < i; k++)
			if (s.addr[k] == addr && s.mask[k] == s.mask[i])
				s.rank[k] = 0; /* replaced */
		s.rank[i] = gone ? 0 : (len + 1) << 16 | (uint32_t)(i + 1);
		if (fib4_add(&fib, addr, len, (uint16_t)(i + 1)) < 0 ||
			(gone && fib4_delete(&fib, addr, len) < 0))
			exit(5);
	}
	size_t wrong = 0;
	for (size_t i = 0; i < LOOKUPS; i++) {
		size_t near = any(SCANNED);
		uint32_t addr =
			s.addr[near] ^ (any(2) ? any(1 << 10) : any(UINT32_MAX) & ~s.mask[near]);
		wrong += fib4_lookup(&fib, addr) != scan(&s, addr);
	}
	printf("%d lookups in a table of %zu routes beside a scan of them\n", LOOKUPS,
		fib.n_routes);
	goal("routes-wrong", (double)wrong, "", "<=", 0);
	fib4_done(&fib);
}

/* ---- rates ---- */

static uint32_t *addresses_within(const struct fib4_route *routes, size_t n)
{
	uint32_t *addrs = must(calloc(LOOKUPS, sizeof(*addrs)));
	for (size_t i = 0; i < LOOKUPS; i++) {
		const struct fib4_route *r = &routes[any((uint32_t)n)];
		addrs[i] = r->addr | (any(UINT32_MAX) & ~mask_of(r->len));
	}
	return addrs;
}

/* Lookups that make whole bursts. */
static const double in_bursts = LOOKUPS - LOOKUPS % BURST;

static double rate_of_fib(const void *table, const uint32_t *addrs, uint64_t *ret_sum)
{
	const struct fib4 *fib = table;
	uint16_t hops[BURST];
	uint64_t sum = 0;
	double begin = cpu_s();
	for (size_t i = 0; i + BURST <= LOOKUPS; i += BURST) {
		fib4_lookup_bulk(fib, addrs + i, hops, BURST);
		for (size_t k = 0; k < BURST; k++)
			sum = sum * 3 + hops[k];
	}
	*ret_sum = sum;
	return in_bursts / (cpu_s() - begin) / 1e6;
}

static double rate_of_lpm(const void *table, const uint32_t *addrs, uint64_t *ret_sum)
{
	uint32_t hops[BURST];
	uint64_t sum = 0;
	double begin = cpu_s();
	for (size_t i = 0; i + BURST <= LOOKUPS; i += BURST) {
		bench_lpm_bulk(table, addrs + i, hops, BURST);
		for (size_t k = 0; k < BURST; k++)
			sum = sum * 3 + (hops[k] & 0xffff);
	}
	*ret_sum = sum;
	return in_bursts / (cpu_s() - begin) / 1e6;
}

static void bench_rate(const struct fib4_route *all)
{
	struct fib4 fib;
	struct fib4_route *routes = must(calloc(COMPARED, sizeof(*routes)));
	for (size_t i = 0; i < COMPARED; i++)
		routes[i] = all[i * (FULL / COMPARED)];
	if (fib4_init(&fib) < 0 || fib4_add_many(&fib, routes, COMPARED) < 0)
		exit(5);
	void *lpm = bench_lpm_new(routes, COMPARED);
	uint32_t *addrs = addresses_within(routes, COMPARED);
	double ours[ROUNDS], theirs[ROUNDS], ratios[ROUNDS];
	uint64_t sum = 0, other = 0;
	for (size_t i = 0; i < ROUNDS; i++) {
		ours[i] = rate_of_fib(&fib, addrs, &sum);
		if (!lpm)
			continue;
		theirs[i] = rate_of_lpm(lpm, addrs, &other);
		ratios[i] = ours[i] / theirs[i];
		if (sum != other) {
			fprintf(stderr, "bench: the two tables do not agree\n");
			exit(5);
		}
	}
	printf("%d routes, bursts of %d: %.0f million lookups a second\n", COMPARED, BURST,
		median(ours, ROUNDS));
	if (lpm) {
		printf("rte_lpm bulk: %.0f million, the same answers\n", median(theirs, ROUNDS));
		goal("routes-rate-of-rte-lpm", median(ratios, ROUNDS), "x", ">=", 0.7);
	} else {
		printf("routes-rate-of-rte-lpm: left out: %s\n", bench_lpm_missing());
	}
	free(addrs);
	free(routes);
	fib4_done(&fib);
}

/* ---- IPv6 ---- */

static int by_prefix6(const void *a, const void *b)
{
	return fib6_order(a, b);
}

static unsigned any_len6(void)
{
	static const uint8_t lens[] = { 48, 48, 48, 48, 48, 32, 32, 44, 40, 36, 29, 46, 38, 47,
		64 };
	return lens[any(LT_COUNT(lens))];
}

static void bench_v6(void)
{
	enum {
		ROUTES = 200000
	};
	struct fib6 fib;
	struct fib6_route *routes = must(calloc(ROUTES, sizeof(*routes)));
	uint8_t(*addrs)[16] = must(calloc(LOOKUPS / 10, sizeof(*addrs)));
	size_t n = 1;
	for (size_t i = 0; i < ROUTES; i++) {
		struct prefix p = { .addr = { .family = 6 }, .len = (uint8_t)any_len6() };
		p.addr.bytes[0] = any(2) ? 0x20 : 0x2a;
		for (size_t k = 1; k < 16; k++)
			p.addr.bytes[k] = (uint8_t)any(k < 3 ? 16 : 256);
		p = prefix_masked(&p);
		memcpy(routes[i].addr, p.addr.bytes, 16);
		routes[i].len = p.len;
		routes[i].hop = (uint16_t)(1 + any(16));
	}
	qsort(routes, ROUTES, sizeof(*routes), by_prefix6);
	for (size_t i = 1; i < ROUTES; i++)
		if (fib6_order(&routes[n - 1], &routes[i]))
			routes[n++] = routes[i];
	for (size_t i = 0; i < LOOKUPS / 10; i++) {
		memcpy(addrs[i], routes[any((uint32_t)n)].addr, 16);
		addrs[i][15] = (uint8_t)any(256);
	}
	double begin = cpu_s();
	if (fib6_init(&fib) < 0 || fib6_add_many(&fib, routes, n) < 0)
		exit(5);
	double loaded = cpu_s(), sum = 0;
	uint16_t hops[BURST];
	for (size_t i = 0; i + BURST <= LOOKUPS / 10; i += BURST) {
		fib6_lookup_bulk(&fib, (const uint8_t(*)[16])addrs + i, hops, BURST);
		sum += hops[0];
	}
	printf("IPv6: %zu routes in %.2f s and %.0f MiB, %.0f million lookups a second\n", n,
		loaded - begin, (double)fib6_bytes(&fib) / (1 << 20),
		sum > 0 ? (double)LOOKUPS / 10 / (cpu_s() - loaded) / 1e6 : 0);
	fib6_done(&fib);
	free(addrs);
	free(routes);
}

int main(void)
{
	struct fib4_route *routes = must(make_routes(FULL));
	bench_load(routes);
	bench_scan();
	bench_v6();
	bench_rate(routes);
	free(routes);
	return 0;
}
