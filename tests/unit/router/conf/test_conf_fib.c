/* SPDX-License-Identifier: MIT */
/* The example configuration, its route table, and what --check says about it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "router/conf/conf.h"

#define EXAMPLE SYSROOT "/../../examples/router.conf"

static const char *way(const struct conf *conf, const struct fib *fib, const char *text)
{
	static char buf[120];
	static const char *const kinds[] = { "none", "to", "self", "broadcast", "blackhole",
		"unreachable" };
	struct addr a;
	char via[ADDR_TEXT_MAX];
	assert_true(addr_parse(text, strlen(text), &a));
	const struct fib_hop *hop = fib_lookup(fib, &a);
	snprintf(buf, sizeof(buf), "%s %s %s", kinds[hop->kind], conf->nics[hop->nic].name,
		addr_text(&hop->via, via));
	return buf;
}

static void the_example_routes_as_it_says(void **state)
{
	(void)state;
	struct lt_err err = { 0 };
	struct conf *conf;
	struct fib *fib = NULL;
	if (conf_load(EXAMPLE, &conf, &err) < 0 || conf_fib(conf, &fib, &err) < 0)
		fail_msg("%s (%s)", err.text, err.hint);
	assert_int_equal(conf->notes.len, 0);
	static const char *const ways[][2] = {
		{ "192.168.1.1", "self lan none" },
		{ "192.168.1.80", "to lan none" },
		{ "192.168.1.255", "broadcast lan none" },
		{ "192.168.2.1", "unreachable lan none" },
		{ "10.10.0.1", "self lab none" },
		{ "10.10.255.255", "broadcast lab none" },
		{ "10.20.1.1", "to lab 10.10.0.2" },
		{ "10.20.30.1", "to lab 10.10.0.3" },
		{ "203.0.113.2", "self wan none" },
		{ "203.0.113.7", "broadcast wan none" },
		{ "203.0.113.8", "to wan 203.0.113.1" },
		{ "8.8.8.8", "to wan 203.0.113.1" },
		{ "172.20.0.1", "blackhole lan none" },
		{ "2001:db8:1::1", "self lan none" },
		{ "2001:db8:1::2", "to lan none" },
		{ "2001:db8:1:8001::2", "to lan 2001:db8:1::8" },
		{ "2001:4860::1", "to wan 2001:db8:ffff::1" },
	};
	for (size_t i = 0; i < LT_COUNT(ways); i++)
		if (strcmp(way(conf, fib, ways[i][0]), ways[i][1]))
			fail_msg("%s: %s, not %s", ways[i][0], way(conf, fib, ways[i][0]),
				ways[i][1]);
	fib_free(fib);
	conf_free(conf);
}

static void check_says_all_that_counts(void **state)
{
	(void)state;
	struct lt_err err = { 0 };
	struct lt_buf text = { 0 };
	struct conf *conf;
	if (conf_check(EXAMPLE, &text, &err) < 0)
		fail_msg("%s (%s)", err.text, err.hint);
	assert_non_null(strstr(text.data, "examples/router.conf: 3 interfaces, "));
	assert_non_null(strstr(text.data, "\n[class signals]\ndscp = cs3 cs5 cs6 cs7\n"));
	/* what it prints is itself a configuration */
	assert_int_equal(conf_parse(text.data, text.len, EXAMPLE, &conf, &err), 0);
	conf_free(conf);
	lt_buf_done(&text);
}

static void a_routes_file_that_is_not_there_is_refused(void **state)
{
	(void)state;
	static const char text[] = "[interface a]\n[routes]\nfile = nowhere.txt\n";
	struct lt_err err = { 0 };
	struct conf *conf;
	struct fib *fib = NULL;
	assert_int_equal(conf_parse(text, strlen(text), "/tmp/router.conf", &conf, &err), 0);
	assert_int_equal(conf_fib(conf, &fib, &err), -ENOENT);
	assert_null(fib);
	assert_non_null(strstr(err.text, "/tmp/router.conf:3: "));
	assert_non_null(strstr(err.text, "/tmp/nowhere.txt"));
	assert_true(err.hint[0]);
	conf_free(conf);
}

/* No route, however long its prefix, hides an address of the router. */
static void own_addresses_come_first(void **state)
{
	(void)state;
	static const char text[] =
		"[interface a]\naddress = 10.0.0.1/24\naddress = 10.0.1.1/31\n"
		"[interface b]\naddress = 10.0.0.255/32\n"
		"[routes]\nroute = 10.0.0.1 blackhole\nroute = 10.0.0.0/24 - b\n";
	struct lt_err err = { 0 };
	struct conf *conf;
	struct fib *fib = NULL;
	if (conf_parse(text, strlen(text), "r", &conf, &err) < 0 || conf_fib(conf, &fib, &err) < 0)
		fail_msg("%s", err.text);
	assert_string_equal(way(conf, fib, "10.0.0.1"), "self a none");
	assert_string_equal(way(conf, fib, "10.0.0.2"), "to b none");
	assert_string_equal(way(conf, fib, "10.0.0.255"), "self b none");
	assert_string_equal(way(conf, fib, "10.0.1.0"), "to a none");
	assert_string_equal(way(conf, fib, "10.0.1.1"), "self a none");
	assert_string_equal(way(conf, fib, "10.0.2.1"), "none a none");
	fib_free(fib);
	conf_free(conf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_example_routes_as_it_says),
		cmocka_unit_test(check_says_all_that_counts),
		cmocka_unit_test(a_routes_file_that_is_not_there_is_refused),
		cmocka_unit_test(own_addresses_come_first),
	};
	return cmocka_run_group_tests_name("router conf to fib", tests, NULL, NULL);
}
