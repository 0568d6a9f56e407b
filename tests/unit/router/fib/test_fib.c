/* SPDX-License-Identifier: MIT */
/* Routes by value, hop numbers, and route files: what is read, and what is refused with file, line
 * and fix. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "router/fib/fib.h"

static const char *const nics[] = { "eth0", "eth1", "wan" };

static int set_up(void **state)
{
	struct lt_err err = { 0 };
	return fib_new((struct fib **)state, &err);
}

static int tear_down(void **state)
{
	fib_free(*state);
	return 0;
}

static struct prefix prefix(const char *text)
{
	struct prefix p = { 0 };
	assert_true(prefix_parse(text, strlen(text), &p));
	return p;
}

static struct fib_hop to(uint16_t nic, const char *via)
{
	struct fib_hop hop = { .kind = FIB_FORWARD, .nic = nic };
	assert_true(addr_parse(via, strlen(via), &hop.via));
	return hop;
}

/* "KIND NIC VIA" of the best route to an address. */
static const char *way(const struct fib *fib, const char *text)
{
	static char buf[100];
	static const char *const kinds[] = { "none", "forward", "local", "broadcast", "blackhole",
		"unreachable" };
	struct addr a;
	char via[ADDR_TEXT_MAX];
	assert_true(addr_parse(text, strlen(text), &a));
	const struct fib_hop *hop = fib_lookup(fib, &a);
	snprintf(buf, sizeof(buf), "%s %u %s", kinds[hop->kind], hop->nic,
		addr_text(&hop->via, via));
	return buf;
}

static int load(struct fib *fib, const char *text, struct lt_err *err)
{
	return fib_load_text(fib, text, strlen(text), "r.txt", nics, LT_COUNT(nics), err);
}

static void routes_of_both_families_are_found_replaced_and_deleted(void **state)
{
	struct fib *fib = *state;
	struct lt_err err = { 0 };
	static const char *const texts[] = { "10.1.2.3/8", "2001:db8:1::5/33" };
	static const char *const inside[] = { "10.255.0.1", "2001:db8:7fff::1" };
	static const char *const vias[] = { "192.0.2.1", "fe80::1" };
	for (int i = 0; i < 2; i++) {
		struct prefix p = prefix(texts[i]);
		struct fib_hop a = to(1, vias[i]), b = to(2, vias[i]);
		char want[100];
		uint64_t before = fib->generation;
		assert_null(fib_find(fib, &p));
		assert_string_equal(way(fib, inside[i]), "none 0 none");
		assert_int_equal(fib_add(fib, &p, &a, &err), 0);
		assert_int_equal(fib_add(fib, &p, &b, &err), 1);
		assert_int_equal(fib->generation, before + 2);
		snprintf(want, sizeof(want), "forward 2 %s", vias[i]);
		assert_string_equal(way(fib, inside[i]), want);
		assert_int_equal(fib_find(fib, &p)->nic, 2);
		assert_int_equal(fib_n_routes(fib), 1);
		assert_int_equal(fib_delete(fib, &p, &err), 0);
		assert_string_equal(way(fib, inside[i]), "none 0 none");
		assert_int_equal(fib_delete(fib, &p, &err), -ENOENT);
		assert_string_equal(err.id, "LT-FIB-ROUTE");
		assert_int_equal(fib->generation, before + 3);
	}
}

static void the_same_hop_has_one_number(void **state)
{
	struct fib *fib = *state;
	struct lt_err err = { 0 };
	uint16_t one, two, again;
	struct fib_hop a = to(0, "192.0.2.1"), b = to(0, "192.0.2.2");
	assert_int_equal(fib_hop_number(fib, &a, &one, &err), 0);
	assert_int_equal(fib_hop_number(fib, &b, &two, &err), 0);
	assert_int_equal(fib_hop_number(fib, &a, &again, &err), 0);
	assert_int_equal(one, 1);
	assert_int_equal(two, 2);
	assert_int_equal(again, 1);
	assert_int_equal(fib_hop(fib, 0)->kind, FIB_NONE);
}

static void there_is_a_limit_to_hops_and_it_is_said(void **state)
{
	struct fib *fib = *state;
	struct lt_err err = { 0 };
	uint16_t number = 0;
	struct fib_hop hop = { .kind = FIB_FORWARD };
	for (uint32_t i = 1; i <= FIB_MAX_HOPS; i++) {
		hop.via = addr_from_v4(i);
		assert_int_equal(fib_hop_number(fib, &hop, &number, &err), 0);
		assert_int_equal(number, i);
	}
	hop.via = addr_from_v4(77);
	assert_int_equal(fib_hop_number(fib, &hop, &number, &err), 0);
	assert_int_equal(number, 77);
	hop.via = addr_from_v4(0xffffffff);
	assert_int_equal(fib_hop_number(fib, &hop, &number, &err), -ENOSPC);
	assert_string_equal(err.id, "LT-FIB-HOPS");
	assert_int_equal(number, 77);
}

static void a_file_holds_routes_in_any_order(void **state)
{
	struct fib *fib = *state;
	struct lt_err err = { 0 };
	int n = load(fib,
		"# routes of the example\n"
		"\n"
		"192.0.2.0/24 203.0.113.1 eth1\n"
		"  10.0.0.0/8\tvia 203.0.113.2 dev eth0 # the old way\r\n"
		"10.1.0.0/16 blackhole\n"
		"10.1.2.0/24 unreachable\n"
		"2001:db8::/32 fe80::1 wan\n"
		"203.0.113.0/24 - wan\n"
		"010.001.002.008 203.0.113.9 dev eth1\n"
		"default 203.0.113.3 wan\n"
		"::/0 via fe80::2 wan",
		&err);
	if (n < 0)
		fail_msg("%s", err.text);
	assert_int_equal(n, 9);
	assert_int_equal(fib_n_routes(fib), 9);
	assert_string_equal(way(fib, "192.0.2.9"), "forward 1 203.0.113.1");
	assert_string_equal(way(fib, "10.200.0.1"), "forward 0 203.0.113.2");
	assert_string_equal(way(fib, "10.1.0.1"), "blackhole 0 none");
	assert_string_equal(way(fib, "10.1.2.1"), "unreachable 0 none");
	assert_string_equal(way(fib, "10.1.2.8"), "forward 1 203.0.113.9");
	assert_string_equal(way(fib, "203.0.113.77"), "forward 2 none");
	assert_string_equal(way(fib, "8.8.8.8"), "forward 2 203.0.113.3");
	assert_string_equal(way(fib, "2001:db8:5::1"), "forward 2 fe80::1");
	assert_string_equal(way(fib, "2001:db9::1"), "forward 2 fe80::2");
}

static void what_is_no_route_is_refused_with_line_and_fix(void **state)
{
	struct fib *fib = *state;
	static const struct {
		const char *text, *id, *says, *fix;
	} cases[] = {
		{ "\n10.0.0.0/8\n", "LT-ROUTES-FORM", "r.txt:2: '10.0.0.0/8'",
			"PREFIX NEXT-HOP NIC" },
		{ "10.0.0.0/8 eth0", "LT-ROUTES-FORM", "r.txt:1: ", "PREFIX NEXT-HOP NIC" },
		{ "10.0.0.0/8 via 1.2.3.4", "LT-ROUTES-FORM", "r.txt:1: ", "PREFIX NEXT-HOP NIC" },
		{ "10.0.0.0/8 1.2.3.4 eth0 metric 5", "LT-ROUTES-FORM", "r.txt:1: ", "PREFIX" },
		{ "a b c d e f g h i j", "LT-ROUTES-FORM", "r.txt:1: ", "PREFIX NEXT-HOP NIC" },
		{ "10.0.0/8 1.2.3.4 eth0", "LT-ROUTES-PREFIX", "r.txt:1: '10.0.0/8'",
			"192.0.2.0/24" },
		{ "10.0.0.0/33 1.2.3.4 eth0", "LT-ROUTES-PREFIX", "'10.0.0.0/33'", "192.0.2.0/24" },
		{ "#\n#\n10.0.0.1/8 1.2.3.4 eth0", "LT-ROUTES-PREFIX",
			"r.txt:3: ", "write 10.0.0.0/8" },
		{ "2001:db8::1/32 - eth0", "LT-ROUTES-PREFIX", "r.txt:1: ", "write 2001:db8::/32" },
		{ "10.0.0.0/8 eth1 eth0", "LT-ROUTES-HOP", "'eth1'", "203.0.113.1" },
		{ "10.0.0.0/8 fe80::1 eth0", "LT-ROUTES-HOP", "not IPv4", "IPv4" },
		{ "::/0 1.2.3.4 eth0", "LT-ROUTES-HOP", "not IPv6", "IPv6" },
		{ "::/0 - eth7", "LT-ROUTES-NIC", "'eth7'", "eth0, eth1, wan" },
		{ "::/0 - eth", "LT-ROUTES-NIC", "'eth'", "eth0, eth1, wan" },
		{ "10.0.0.0/8 - eth0\n9.0.0.0/8 - eth0\n10.0.0.0/8 - eth1\n", "LT-ROUTES-TWICE",
			"r.txt:3: prefix 10.0.0.0/8 has a route in line 1", "remove" },
		{ "::/0 - eth0\n10.0.0.0/8 - eth0\n::/0 - eth0\n", "LT-ROUTES-TWICE",
			"r.txt:3: prefix ::/0 has a route in line 1", "remove" },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct lt_err err = { 0 };
		assert_int_equal(load(fib, cases[i].text, &err), -EINVAL);
		if (strcmp(err.id, cases[i].id) || !strstr(err.text, cases[i].says) ||
			!strstr(err.hint, cases[i].fix))
			fail_msg("%s: %s: %s (%s)", cases[i].text, err.id, err.text, err.hint);
		assert_int_equal(strncmp(err.text, "r.txt:", 6), 0);
	}
}

static void a_file_has_the_last_word_over_what_was_there(void **state)
{
	struct fib *fib = *state;
	struct lt_err err = { 0 };
	assert_int_equal(
		load(fib, "10.0.0.0/8 - eth0\n::/0 - eth0\n2001:db8::/32 - eth0\n", &err), 3);
	assert_int_equal(
		load(fib, "10.0.0.0/8 - eth1\n::/0 - wan\n2001:db8::/32 - wan\n", &err), 3);
	assert_int_equal(fib_n_routes(fib), 3);
	assert_string_equal(way(fib, "10.0.0.1"), "forward 1 none");
	assert_string_equal(way(fib, "1::"), "forward 2 none");
	assert_string_equal(way(fib, "2001:db8::"), "forward 2 none");
	assert_int_equal(load(fib, "", &err), 0);
	assert_int_equal(load(fib, "# nothing", &err), 0);
}

static void a_missing_file_is_said(void **state)
{
	struct lt_err err = { 0 };
	assert_int_equal(fib_load(*state, "/nonexistent/routes", nics, 3, &err), -ENOENT);
	assert_string_equal(err.id, "LT-ROUTES-OPEN");
	assert_non_null(strstr(err.text, "/nonexistent/routes"));
}

static void a_file_is_read_whole(void **state)
{
	struct fib *fib = *state;
	struct lt_err err = { 0 };
	char path[] = "/tmp/leat-routes-XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	for (unsigned i = 0; i < 5000; i++) /* not in order */
		dprintf(fd, "10.%u.%u.0/24 192.0.2.%u eth%u\n", i * 7 % 5000 >> 8,
			i * 7 % 5000 & 255, i % 200, i % 2);
	close(fd);
	assert_int_equal(fib_load(fib, path, nics, 3, &err), 5000);
	assert_int_equal(fib_n_routes(fib), 5000);
	for (unsigned i = 0; i < 5000; i++) {
		char addr[64], want[64];
		snprintf(addr, sizeof(addr), "10.%u.%u.9", i * 7 % 5000 >> 8, i * 7 % 5000 & 255);
		snprintf(want, sizeof(want), "forward %u 192.0.2.%u", i % 2, i % 200);
		assert_string_equal(way(fib, addr), want);
	}
	unlink(path);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(routes_of_both_families_are_found_replaced_and_deleted),
		TEST(the_same_hop_has_one_number),
		TEST(there_is_a_limit_to_hops_and_it_is_said),
		TEST(a_file_holds_routes_in_any_order),
		TEST(what_is_no_route_is_refused_with_line_and_fix),
		TEST(a_file_has_the_last_word_over_what_was_there),
		TEST(a_missing_file_is_said),
		TEST(a_file_is_read_whole),
	};
	return cmocka_run_group_tests_name("router fib", tests, NULL, NULL);
}
