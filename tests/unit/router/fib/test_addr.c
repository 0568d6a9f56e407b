/* SPDX-License-Identifier: MIT */
/* Addresses and prefixes are read strictly, octets as decimal, and printed in their short form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/own.h"
#include "router/fib/addr.h"

static void addresses_are_read_and_printed(void **state)
{
	(void)state;
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "0.0.0.0", "0.0.0.0" },
		{ "255.255.255.255", "255.255.255.255" },
		{ "10.230.30.03", "10.230.30.3" }, /* decimal, where inet_aton reads octal */
		{ "10.0.0.08", "10.0.0.8" },       /* and refuses this */
		{ "010.011.012.013", "10.11.12.13" },
		{ "::", "::" },
		{ "2001:DB8:0:0:0:0:0:1", "2001:db8::1" },
		{ "::ffff:192.0.2.1", "::ffff:192.0.2.1" },
		{ "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
			"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff" },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct addr a;
		char buf[ADDR_TEXT_MAX];
		assert_true(addr_parse(cases[i].text, strlen(cases[i].text), &a));
		assert_string_equal(addr_text(&a, buf), cases[i].want);
	}
}

static void what_is_no_address_is_refused(void **state)
{
	(void)state;
	static const char *const cases[] = { "", "1", "1.2.3", "1.2.3.", "1.2.3.4.", "1.2.3.4.5",
		"256.1.1.1", "1.1.1.0001", "1.1.1.-1", " 1.1.1.1", "1.1.1.1 ", "1..1.1",
		"0x1.1.1.1", ":", ":::", "1:2:3:4:5:6:7:8:9", "g::", "2001:db8::1%eth0",
		"1.1.1.1/8", "0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000" };
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct addr a = { 0 };
		if (addr_parse(cases[i], strlen(cases[i]), &a))
			fail_msg("'%s' was taken", cases[i]);
		assert_int_equal(a.family, 0);
	}
}

static void only_the_text_given_is_read(void **state)
{
	(void)state;
	struct addr a;
	assert_true(addr_parse("1.2.3.456", 7, &a));
	assert_int_equal(addr_v4(&a), 0x01020304);
	assert_false(addr_parse("::1\0x", 5, &a));
}

static void prefixes_are_read_and_printed(void **state)
{
	(void)state;
	static const struct {
		const char *text, *want, *masked;
	} cases[] = {
		{ "default", "0.0.0.0/0", "0.0.0.0/0" },
		{ "10.0.1.2/24", "10.0.1.2/24", "10.0.1.0/24" },
		{ "10.0.1.3", "10.0.1.3/32", "10.0.1.3/32" },
		{ "255.255.255.255/0", "255.255.255.255/0", "0.0.0.0/0" },
		{ "255.255.255.255/31", "255.255.255.255/31", "255.255.255.254/31" },
		{ "::/0", "::/0", "::/0" },
		{ "2001:db8::1", "2001:db8::1/128", "2001:db8::1/128" },
		{ "ffff::ffff/17", "ffff::ffff/17", "ffff::/17" },
		{ "2001:db8:ffff::/35", "2001:db8:ffff::/35", "2001:db8:e000::/35" },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct prefix p;
		char buf[PREFIX_TEXT_MAX];
		assert_true(prefix_parse(cases[i].text, strlen(cases[i].text), &p));
		assert_string_equal(prefix_text(&p, buf), cases[i].want);
		struct prefix m = prefix_masked(&p);
		assert_string_equal(prefix_text(&m, buf), cases[i].masked);
		assert_int_equal(prefix_is_clean(&p), !strcmp(cases[i].want, cases[i].masked));
	}
	static const char *const bad[] = { "1.2.3.4/33", "1.2.3.4/", "1.2.3.4/-1", "1.2.3.4/0024",
		"::/129", "/8", "1.2.3.4/8x", "defaults", "1.2.3.4/8/8" };
	for (size_t i = 0; i < LT_COUNT(bad); i++) {
		struct prefix p;
		if (prefix_parse(bad[i], strlen(bad[i]), &p))
			fail_msg("'%s' was taken", bad[i]);
	}
}

static struct prefix prefix(const char *text)
{
	struct prefix p = { 0 };
	assert_true(prefix_parse(text, strlen(text), &p));
	return p;
}

static void overlap_is_one_covering_the_other(void **state)
{
	(void)state;
	static const struct {
		const char *p, *q;
		bool overlap;
	} cases[] = {
		{ "10.0.0.0/8", "10.255.0.0/16", true },
		{ "10.0.0.0/8", "11.0.0.0/8", false },
		{ "0.0.0.0/0", "192.0.2.1", true },
		{ "0.0.0.0/0", "::/0", false },
		{ "2001:db8::/33", "2001:db8:8000::/33", false },
		{ "2001:db8::/32", "2001:db8:8000::1", true },
		{ "10.0.1.1/24", "10.0.1.2/24", true },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct prefix p = prefix(cases[i].p), q = prefix(cases[i].q);
		assert_int_equal(prefix_overlaps(&p, &q), cases[i].overlap);
		assert_int_equal(prefix_overlaps(&q, &p), cases[i].overlap);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_are_read_and_printed),
		cmocka_unit_test(what_is_no_address_is_refused),
		cmocka_unit_test(only_the_text_given_is_read),
		cmocka_unit_test(prefixes_are_read_and_printed),
		cmocka_unit_test(overlap_is_one_covering_the_other),
	};
	return cmocka_run_group_tests_name("router addresses", tests, NULL, NULL);
}
