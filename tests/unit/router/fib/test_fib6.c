/* SPDX-License-Identifier: MIT */
/* The IPv6 table says what a scan of all routes says, after any sequence of changes. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/own.h"
#include "router/fib/fib6.h"
#include "scan.h"

static struct scan scan; /* large */

static void mask(uint8_t addr[16], unsigned len)
{
	for (unsigned bit = len; bit < 128; bit++)
		addr[bit / 8] &= (uint8_t) ~(0x80 >> bit % 8);
}

static void same_answer(const struct fib6 *fib, const uint8_t addr[16])
{
	uint16_t want = scan_lookup(&scan, addr), got = fib6_lookup(fib, addr);
	if (got != want)
		fail_msg("%02x%02x:%02x%02x:...:%02x%02x: %u, not %u", addr[0], addr[1], addr[2],
			addr[3], addr[14], addr[15], got, want);
}

/* The prefix's first and last address, and with each single bit turned. */
static void same_around(const struct fib6 *fib, const uint8_t prefix[16], unsigned len)
{
	uint8_t addr[16];
	memcpy(addr, prefix, 16);
	for (unsigned bit = 0; bit < 128; bit++) {
		addr[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
		same_answer(fib, addr);
		addr[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
	}
	same_answer(fib, addr);
	for (unsigned bit = len; bit < 128; bit++)
		addr[bit / 8] |= (uint8_t)(0x80 >> bit % 8);
	same_answer(fib, addr);
}

static void add(struct fib6 *fib, const uint8_t addr[16], unsigned len, uint16_t hop)
{
	bool there = scan_find(&scan, addr, len) < scan.n;
	assert_int_equal(fib6_add(fib, addr, len, hop), there);
	scan_add(&scan, addr, len, hop);
	assert_int_equal(fib6_find(fib, addr, len), hop);
	assert_int_equal(fib->n_routes + fib->n_shorts, scan.n);
}

static void del(struct fib6 *fib, const uint8_t addr[16], unsigned len)
{
	size_t i = scan_find(&scan, addr, len);
	assert_int_equal(fib6_delete(fib, addr, len), i < scan.n ? 0 : -ENOENT);
	if (i < scan.n)
		scan_delete(&scan, i);
	assert_int_equal(fib6_find(fib, addr, len), 0);
	assert_int_equal(fib->n_routes + fib->n_shorts, scan.n);
}

static int set_up(void **state)
{
	static struct fib6 fib;
	scan.n = 0;
	*state = &fib;
	return fib6_init(&fib);
}

static int tear_down(void **state)
{
	fib6_done(*state);
	return 0;
}

static void every_length_wins_over_all_shorter_ones(void **state)
{
	struct fib6 *fib = *state;
	static const uint8_t addr[16] = { 0x20, 0x01, 0x0d, 0xb8, 0xa5, 0x5a, 0xff, 0x00, 0x12,
		0x34, 0, 0, 0xfe, 0xdc, 0xba, 0x97 };
	for (unsigned up = 0; up <= 1; up++) {
		for (unsigned i = 0; i <= 128; i++) {
			unsigned len = up ? i : 128 - i;
			uint8_t prefix[16];
			memcpy(prefix, addr, 16);
			mask(prefix, len);
			add(fib, prefix, len, (uint16_t)(len + 1));
			assert_int_equal(fib6_lookup(fib, addr), up ? len + 1 : 129);
			if (len % 4 < 2)
				same_around(fib, prefix, len);
		}
		for (unsigned len = 129; len-- > 0;) {
			uint8_t prefix[16];
			memcpy(prefix, addr, 16);
			mask(prefix, len);
			assert_int_equal(fib6_lookup(fib, addr), len + 1);
			del(fib, prefix, len);
			if (len % 4 < 2)
				same_around(fib, prefix, len);
		}
		assert_int_equal(fib6_lookup(fib, addr), 0);
	}
}

/* Two host routes far below a short one: the bytes in between are skipped, but not ignored. */
static void skipped_bytes_must_match(void **state)
{
	struct fib6 *fib = *state;
	uint8_t cover[16] = { 0x20, 0x01, 0x0d, 0xb8 }, one[16], two[16];
	memcpy(one, cover, 16);
	one[15] = 1;
	memcpy(two, one, 16);
	two[15] = 2;
	add(fib, one, 128, 1);
	same_around(fib, one, 128);
	add(fib, two, 128, 2);
	add(fib, cover, 32, 3);
	for (unsigned i = 0; i < 16; i++) {
		uint8_t near[16];
		memcpy(near, one, 16);
		near[i] ^= 0x10;
		same_answer(fib, near);
	}
	same_around(fib, one, 128);
	del(fib, cover, 32);
	same_around(fib, two, 128);
}

/* Few values for each byte, so that prefixes nest, share long runs and replace each other. */
static void crowded(struct dice *dice, uint8_t ret[16])
{
	static const uint8_t values[] = { 0, 0, 0, 0xff, 0x20, 0x01, 0x80 };
	memset(ret, 0, 16);
	ret[0] = 0x20;
	unsigned from = 1 + dice_below(dice, 12);
	for (unsigned i = from; i < 16; i++)
		ret[i] = values[dice_below(dice, LT_COUNT(values))];
}

static void anywhere(struct dice *dice, uint8_t ret[16])
{
	for (unsigned i = 0; i < 16; i++)
		ret[i] = (uint8_t)dice_u32(dice);
}

static void random_changes(struct fib6 *fib, struct dice *dice, unsigned changes,
	void (*pick)(struct dice *, uint8_t[16]))
{
	for (unsigned i = 0; i < changes; i++) {
		uint8_t addr[16];
		unsigned len = dice_below(dice, 129);
		pick(dice, addr);
		mask(addr, len);
		if (scan.n > 20 && dice_below(dice, 100) < 45) {
			size_t k = dice_below(dice, (uint32_t)scan.n);
			len = scan.routes[k].len;
			memcpy(addr, scan.routes[k].addr, 16);
			del(fib, addr, len);
		} else {
			add(fib, addr, len, (uint16_t)(1 + dice_below(dice, 300)));
		}
		same_around(fib, addr, len);
		pick(dice, addr);
		same_answer(fib, addr);
	}
}

static void crowded_changes_agree_with_a_scan(void **state)
{
	struct dice dice = { 1 };
	random_changes(*state, &dice, 600, crowded);
}

static void spread_changes_agree_with_a_scan(void **state)
{
	struct dice dice = { 2 };
	random_changes(*state, &dice, 300, anywhere);
}

static int by_prefix(const void *a, const void *b)
{
	return fib6_order(a, b);
}

static void a_table_added_at_once_is_the_table_added_one_by_one(void **state)
{
	struct fib6 *fib = *state, many;
	struct dice dice = { 3 };
	struct fib6_route routes[400];
	assert_int_equal(fib6_init(&many), 0);
	for (size_t i = 0; i < LT_COUNT(routes); i++) {
		unsigned len = dice_below(&dice, 129);
		crowded(&dice, routes[i].addr);
		mask(routes[i].addr, len);
		routes[i].len = (uint8_t)len;
		routes[i].hop = (uint16_t)(len + 1); /* the same for the same prefix */
		add(fib, routes[i].addr, len, routes[i].hop);
		if (i % 10 == 0)
			assert_true(fib6_add(&many, routes[i].addr, len, 999) >= 0);
	}
	qsort(routes, LT_COUNT(routes), sizeof(routes[0]), by_prefix);
	size_t n = 1;
	for (size_t i = 1; i < LT_COUNT(routes); i++)
		if (fib6_order(&routes[n - 1], &routes[i]))
			routes[n++] = routes[i];
	assert_int_equal(fib6_add_many(&many, routes, n), 0);
	assert_int_equal(many.n_routes, fib->n_routes);
	assert_int_equal(many.n_shorts, fib->n_shorts);
	for (size_t i = 0; i < n; i++)
		same_around(&many, routes[i].addr, routes[i].len);
	fib6_done(&many);
}

/* A host route costs no more than two nodes, however long what it does not share. */
static void host_routes_are_small(void **state)
{
	struct fib6 *fib = *state;
	struct dice dice = { 4 };
	size_t empty = fib6_bytes(fib);
	struct fib6_route *routes = calloc(20000, sizeof(*routes));
	assert_non_null(routes);
	for (size_t i = 0; i < 20000; i++) {
		anywhere(&dice, routes[i].addr);
		routes[i].addr[0] = 0x20;
		routes[i].addr[1] = 0x01;
		routes[i].len = 128;
		routes[i].hop = 1;
	}
	qsort(routes, 20000, sizeof(routes[0]), by_prefix);
	assert_int_equal(fib6_add_many(fib, routes, 20000), 0);
	assert_in_range((fib6_bytes(fib) - empty) / 20000, 20, 400);
	for (size_t i = 0; i < 20000; i++) {
		assert_int_equal(fib6_lookup(fib, routes[i].addr), 1);
		routes[i].addr[15] ^= 1;
		assert_int_equal(fib6_lookup(fib, routes[i].addr), 0);
	}
	free(routes);
}

static void bulk_gives_what_single_lookups_give(void **state)
{
	struct fib6 *fib = *state;
	struct dice dice = { 5 };
	static uint8_t addrs[50][16];
	uint16_t hops[51];
	for (unsigned i = 0; i < 200; i++) {
		uint8_t prefix[16];
		unsigned len = dice_below(&dice, 129);
		crowded(&dice, prefix);
		mask(prefix, len);
		add(fib, prefix, len, (uint16_t)(i + 1));
	}
	for (size_t i = 0; i < LT_COUNT(addrs); i++) {
		crowded(&dice, addrs[i]);
		if (i % 5 == 0)
			anywhere(&dice, addrs[i]);
	}
	for (size_t n = 0; n <= LT_COUNT(addrs); n++) {
		memset(hops, 0xee, sizeof(hops));
		fib6_lookup_bulk(fib, (const uint8_t(*)[16])addrs, hops, n);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(hops[i], fib6_lookup(fib, addrs[i]));
		assert_int_equal(hops[n], 0xeeee);
	}
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(every_length_wins_over_all_shorter_ones),
		TEST(skipped_bytes_must_match),
		TEST(crowded_changes_agree_with_a_scan),
		TEST(spread_changes_agree_with_a_scan),
		TEST(a_table_added_at_once_is_the_table_added_one_by_one),
		TEST(host_routes_are_small),
		TEST(bulk_gives_what_single_lookups_give),
	};
	return cmocka_run_group_tests_name("router fib6", tests, NULL, NULL);
}
