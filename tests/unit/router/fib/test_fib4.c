/* SPDX-License-Identifier: MIT */
/* The IPv4 table says what a scan of all routes says, after any sequence of changes. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/own.h"
#include "router/fib/fib4.h"
#include "scan.h"

static struct scan scan; /* large */

static void bytes_of(uint32_t v4, uint8_t ret[16])
{
	memset(ret, 0, 16);
	for (unsigned i = 0; i < 4; i++)
		ret[i] = (uint8_t)(v4 >> (24 - 8 * i));
}

static uint32_t masked(uint32_t addr, unsigned len)
{
	return len ? addr & ~(uint32_t)(0xffffffffull >> len) : 0;
}

static void same_answer(const struct fib4 *fib, uint32_t addr)
{
	uint8_t bytes[16];
	bytes_of(addr, bytes);
	uint16_t want = scan_lookup(&scan, bytes), got = fib4_lookup(fib, addr), bulk;
	if (got != want)
		fail_msg("%08x: %u, not %u", addr, got, want);
	assert_int_equal(fib4_search(fib, addr), want);
	fib4_lookup_bulk(fib, &addr, &bulk, 1);
	assert_int_equal(bulk, want);
}

/* At the edges of a prefix, where mistakes show. */
static void same_around(const struct fib4 *fib, uint32_t addr, unsigned len)
{
	uint32_t last = addr | (uint32_t)(0xffffffffull >> len);
	uint32_t probes[] = { addr, addr - 1, last, last + 1, addr + (last - addr) / 2,
		addr ^ 0x100, addr ^ 0x10000 };
	for (size_t i = 0; i < LT_COUNT(probes); i++)
		same_answer(fib, probes[i]);
}

static void add(struct fib4 *fib, uint32_t addr, unsigned len, uint16_t hop)
{
	uint8_t bytes[16];
	bytes_of(addr, bytes);
	bool there = scan_find(&scan, bytes, len) < scan.n;
	assert_int_equal(fib4_add(fib, addr, len, hop), there);
	scan_add(&scan, bytes, len, hop);
	assert_int_equal(fib4_find(fib, addr, len), hop);
	assert_int_equal(fib->n_routes, scan.n);
}

static void del(struct fib4 *fib, uint32_t addr, unsigned len)
{
	uint8_t bytes[16];
	bytes_of(addr, bytes);
	size_t i = scan_find(&scan, bytes, len);
	assert_int_equal(fib4_delete(fib, addr, len), i < scan.n ? 0 : -ENOENT);
	if (i < scan.n)
		scan_delete(&scan, i);
	assert_int_equal(fib4_find(fib, addr, len), 0);
	assert_int_equal(fib->n_routes, scan.n);
}

static int set_up(void **state)
{
	static struct fib4 fib;
	scan.n = 0;
	*state = &fib;
	return fib4_init(&fib);
}

static int tear_down(void **state)
{
	fib4_done(*state);
	return 0;
}

/* Case C1: a table that grew its second level must not lose how long its prefixes are. */
static void host_routes_survive_a_shorter_prefix_added_later(void **state)
{
	struct fib4 *fib = *state;
	for (uint32_t i = 0; i < 17; i++)
		add(fib, 0x14000001 + (i << 8), 32, 1);
	add(fib, 0x14000000, 16, 2);
	for (uint32_t i = 0; i < 17; i++) {
		assert_int_equal(fib4_lookup(fib, 0x14000001 + (i << 8)), 1);
		assert_int_equal(fib4_lookup(fib, 0x14000002 + (i << 8)), 2);
	}
	assert_int_equal(fib4_lookup(fib, 0x14001101), 2);
}

/* Case C2: after a delete, a cover that comes later must reach what was uncovered. */
static void a_cover_added_after_a_delete_is_found(void **state)
{
	struct fib4 *fib = *state;
	add(fib, 0x0a000100, 24, 1);
	del(fib, 0x0a000100, 24);
	assert_int_equal(fib4_lookup(fib, 0x0a000101), 0);
	add(fib, 0x0a000000, 8, 2);
	assert_int_equal(fib4_lookup(fib, 0x0a000101), 2);
}

static void every_length_wins_over_all_shorter_ones(void **state)
{
	struct fib4 *fib = *state;
	const uint32_t addr = 0xc0a85aa5;
	for (unsigned up = 0; up <= 1; up++) {
		for (unsigned i = 0; i <= 32; i++) {
			unsigned len = up ? i : 32 - i;
			add(fib, masked(addr, len), len, (uint16_t)(len + 1));
			assert_int_equal(fib4_lookup(fib, addr), up ? len + 1 : 33);
			same_around(fib, masked(addr, len), len);
		}
		for (unsigned len = 33; len-- > 0;) {
			assert_int_equal(fib4_lookup(fib, addr), len + 1);
			del(fib, masked(addr, len), len);
			same_around(fib, masked(addr, len), len);
		}
		assert_int_equal(fib4_lookup(fib, addr), 0);
	}
}

static void the_ends_of_the_address_space_are_like_the_rest(void **state)
{
	struct fib4 *fib = *state;
	add(fib, 0, 32, 1);
	add(fib, 0xffffffff, 32, 2);
	add(fib, 0xfffffffe, 31, 3);
	add(fib, 0, 31, 4);
	add(fib, 0, 0, 5);
	assert_int_equal(fib4_lookup(fib, 0), 1);
	assert_int_equal(fib4_lookup(fib, 1), 4);
	assert_int_equal(fib4_lookup(fib, 2), 5);
	assert_int_equal(fib4_lookup(fib, 0xfffffffd), 5);
	assert_int_equal(fib4_lookup(fib, 0xfffffffe), 3);
	assert_int_equal(fib4_lookup(fib, 0xffffffff), 2);
	del(fib, 0, 0);
	assert_int_equal(fib4_lookup(fib, 2), 0);
	assert_int_equal(fib4_lookup(fib, 1), 4);
	del(fib, 7 << 24, 8); /* was never there */
}

/* Few addresses and all lengths, so that prefixes nest, meet and replace each other. */
static uint32_t crowded(struct dice *dice)
{
	static const uint32_t places[] = { 0x0a000000, 0x0a00ff00, 0x0a010000, 0xffffff00, 0 };
	return places[dice_below(dice, LT_COUNT(places))] | dice_below(dice, 4) << 14 |
		dice_below(dice, 3) << 8 | dice_below(dice, 256);
}

static void random_changes(struct fib4 *fib, struct dice *dice, unsigned changes,
	uint32_t (*addr_of)(struct dice *), unsigned shortest)
{
	for (unsigned i = 0; i < changes; i++) {
		unsigned len = shortest + dice_below(dice, 33 - shortest);
		uint32_t addr = masked(addr_of(dice), len);
		bool grow = scan.n < SCAN_MAX - 1 && (scan.n < 20 || dice_below(dice, 100) < 55);
		if (!grow && scan.n) {
			size_t k = dice_below(dice, (uint32_t)scan.n);
			len = scan.routes[k].len;
			addr = (uint32_t)scan.routes[k].addr[0] << 24 |
				(uint32_t)scan.routes[k].addr[1] << 16 |
				(uint32_t)scan.routes[k].addr[2] << 8 | scan.routes[k].addr[3];
			del(fib, addr, len);
		} else {
			add(fib, addr, len, (uint16_t)(1 + dice_below(dice, 300)));
		}
		same_around(fib, addr, len);
		same_answer(fib, addr_of(dice));
	}
}

static void crowded_changes_agree_with_a_scan(void **state)
{
	struct dice dice = { 1 };
	random_changes(*state, &dice, 3000, crowded, 10);
	random_changes(*state, &dice, 60, crowded, 0); /* short ones paint much */
}

static uint32_t anywhere(struct dice *dice)
{
	return dice_u32(dice);
}

static void spread_changes_agree_with_a_scan(void **state)
{
	struct dice dice = { 2 };
	random_changes(*state, &dice, 1500, anywhere, 8);
}

static void a_table_added_at_once_is_the_table_added_one_by_one(void **state)
{
	struct fib4 *fib = *state, many;
	struct dice dice = { 3 };
	struct fib4_route routes[1000] = { 0 };
	assert_int_equal(fib4_init(&many), 0);
	add(fib, 0x0a000000, 24, 9); /* both begin with these */
	add(fib, 0x0a008000, 17, 8);
	assert_int_equal(fib4_add(&many, 0x0a000000, 24, 9), 0);
	assert_int_equal(fib4_add(&many, 0x0a008000, 17, 8), 0);
	size_t n = 0;
	for (uint32_t addr = 0x0a000000; n < LT_COUNT(routes); addr += dice_below(&dice, 3000)) {
		unsigned len = 15 + dice_below(&dice, 18);
		if (n && routes[n - 1].addr >= masked(addr, len))
			continue;
		routes[n] =
			(struct fib4_route){ masked(addr, len), (uint16_t)(n + 1), (uint8_t)len };
		add(fib, routes[n].addr, len, routes[n].hop);
		n++;
	}
	assert_int_equal(fib4_add_many(&many, routes, n), 0);
	assert_int_equal(many.n_routes, fib->n_routes);
	for (uint32_t addr = 0x09ff0000; addr < 0x0a200000; addr += 1 + dice_below(&dice, 64))
		if (fib4_lookup(&many, addr) != fib4_lookup(fib, addr))
			fail_msg("%08x: %u, not %u", addr, fib4_lookup(&many, addr),
				fib4_lookup(fib, addr));
	fib4_done(&many);
}

/* More /24s with longer prefixes than there are groups: the rest is searched, nothing is wrong,
 * and groups that come back are used again. */
static void more_long_prefixes_than_groups_are_still_right(void **state)
{
	struct fib4 *fib = *state;
	const uint32_t more = FIB4_MAX_GROUPS + 1000;
	assert_int_equal(fib4_add(fib, 0, 0, 7), 0);
	for (uint32_t i = 0; i < more; i++)
		assert_int_equal(fib4_add(fib, i << 8 | 5, 32, (uint16_t)(1000 + i % 1000)), 0);
	assert_int_equal(fib->n_searched, 1000);
	for (uint32_t i = 0; i < more; i++) {
		assert_int_equal(fib4_lookup(fib, i << 8 | 5), 1000 + i % 1000);
		assert_int_equal(fib4_lookup(fib, i << 8 | 6), 7);
	}
	for (uint32_t i = 0; i < more; i++)
		assert_int_equal(fib4_delete(fib, i << 8 | 5, 32), 0);
	assert_int_equal(fib->n_searched, 0);
	for (uint32_t i = 0; i < FIB4_MAX_GROUPS; i++)
		assert_int_equal(fib4_add(fib, i << 8 | 9, 32, 3), 0);
	assert_int_equal(fib->n_searched, 0);
	assert_int_equal(fib->n_groups, FIB4_MAX_GROUPS);
	assert_int_equal(fib4_lookup(fib, (FIB4_MAX_GROUPS - 1) << 8 | 9), 3);
}

static void bulk_gives_what_single_lookups_give(void **state)
{
	struct fib4 *fib = *state;
	struct dice dice = { 4 };
	uint32_t addrs[257];
	uint16_t hops[258];
	for (unsigned i = 0; i < 200; i++)
		add(fib, masked(crowded(&dice), 12 + i % 21), 12 + i % 21, (uint16_t)(i + 1));
	for (size_t i = 0; i < LT_COUNT(addrs); i++)
		addrs[i] = crowded(&dice);
	for (size_t n = 0; n <= LT_COUNT(addrs); n = n * 2 + 1) {
		memset(hops, 0xee, sizeof(hops));
		fib4_lookup_bulk(fib, addrs, hops, n);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(hops[i], fib4_lookup(fib, addrs[i]));
		assert_int_equal(hops[n], 0xeeee);
	}
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(host_routes_survive_a_shorter_prefix_added_later),
		TEST(a_cover_added_after_a_delete_is_found),
		TEST(every_length_wins_over_all_shorter_ones),
		TEST(the_ends_of_the_address_space_are_like_the_rest),
		TEST(crowded_changes_agree_with_a_scan),
		TEST(spread_changes_agree_with_a_scan),
		TEST(a_table_added_at_once_is_the_table_added_one_by_one),
		TEST(more_long_prefixes_than_groups_are_still_right),
		TEST(bulk_gives_what_single_lookups_give),
	};
	return cmocka_run_group_tests_name("router fib4", tests, NULL, NULL);
}
