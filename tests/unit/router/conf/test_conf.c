/* SPDX-License-Identifier: MIT */
/* A router.conf is read as written, printed whole, and refused with file, line and fix. */
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "router/conf/conf.h"
#include "router/node/app.h"

#define NIC "[interface a]\n"
#define NAT "[interface a]\nside = outside\n[nat]\naddress = 203.0.113.1\n"

static struct conf *read_conf(const char *text)
{
	struct lt_err err = { 0 };
	struct conf *conf = NULL;
	if (conf_parse(text, strlen(text), "router.conf", &conf, &err) < 0)
		fail_msg("%s (%s)", err.text, err.hint);
	return conf;
}

static void what_is_said_is_read(void **state)
{
	(void)state;
	struct conf *c = read_conf("# a comment\n"
				   "[router]\n"
				   "zero-length = frame\r\n"
				   "icmp-errors = unlimited # none is too many\n"
				   "\n"
				   "\t[ interface  lan.1 ]\n"
				   "  address=192.168.1.1/24\n"
				   "address = 2001:db8::1/64\n"
				   "rate = 2.5 Gbit/s\n"
				   "mtu = 9000\n"
				   "vlan = pop\n"
				   "[interface wan]\n"
				   "side = outside\n"
				   "[nat]\n"
				   "address = 203.0.113.7\n"
				   "address = 203.0.113.9-203.0.113.11\n"
				   "mapping = symmetric\n"
				   "hairpin = no\n"
				   "udp-timeout = 5m\n"
				   "icmp-timeout = 1500ms\n"
				   "max-host-mappings = 100\n"
				   "forward = udp 203.0.113.9:5000-5009 -> 192.168.1.2:6000\n"
				   "log = nat # 1.log\n"
				   "[class voice]\n"
				   "dscp = ef, 44\n"
				   "dscp = CS5\n"
				   "content = rtp rtcp\n"
				   "ports = udp/16384-32767 tcp/5060\n"
				   "strict = yes\n"
				   "rate = 12.5%\n"
				   "[routes]\n"
				   "route = 10.0.0.0/8 via 192.168.1.9 dev lan.1\n"
				   "route = 0.0.0.0/0 - wan\n");
	assert_int_equal(c->zero_length, CONF_ZERO_LENGTH_FRAME);
	assert_int_equal(c->icmp_errors_per_s, 0);
	assert_int_equal(c->n_nics, 2);
	assert_string_equal(c->nics[0].name, "lan.1");
	assert_int_equal(c->nics[0].line, 6);
	assert_int_equal(c->nics[0].rate_bps, 2500000000);
	assert_int_equal(c->nics[0].mtu, 9000);
	assert_int_equal(c->nics[0].vlan, CONF_VLAN_POP);
	assert_int_equal(c->nics[0].side, CONF_SIDE_INSIDE);
	assert_int_equal(c->nics[0].n_addrs, 2);
	assert_int_equal(addr_v4(&c->nics[0].addrs[0].prefix.addr), 0xc0a80101);
	assert_int_equal(c->nics[0].addrs[1].prefix.len, 64);
	assert_int_equal(c->nics[1].side, CONF_SIDE_OUTSIDE);
	assert_int_equal(c->nics[1].rate_bps, 0);
	assert_int_equal(c->nics[1].mtu, 1500);
	assert_int_equal(conf_find_nic(c, "wan"), 1);
	assert_int_equal(conf_find_nic(c, "lan"), -1);
	assert_true(c->nat.on);
	assert_int_equal(c->nat.n_addrs, 4);
	assert_int_equal(c->nat.addrs[3], 0xcb00710b);
	assert_int_equal(c->nat.mapping, CONF_MAPPING_SYMMETRIC);
	assert_int_equal(c->nat.filtering, CONF_FILTERING_PORT);
	assert_false(c->nat.hairpin);
	assert_true(c->nat.keep_parity);
	assert_int_equal(c->nat.udp_ns, 300000000000);
	assert_int_equal(c->nat.icmp_ns, 1500000000);
	assert_int_equal(c->nat.tcp_established_ns, 7440000000000);
	assert_int_equal(c->nat.max_host_mappings, 100);
	assert_string_equal(c->nat.log, "nat");
	assert_int_equal(c->nat.n_forwards, 1);
	assert_int_equal(c->nat.forwards[0].protocol, IPPROTO_UDP);
	assert_int_equal(c->nat.forwards[0].external, 0xcb007109);
	assert_int_equal(c->nat.forwards[0].external_port, 5000);
	assert_int_equal(c->nat.forwards[0].inside, 0xc0a80102);
	assert_int_equal(c->nat.forwards[0].inside_port, 6000);
	assert_int_equal(c->nat.forwards[0].n_ports, 10);
	assert_int_equal(c->n_classes, 2);
	assert_string_equal(c->classes[0].name, "voice");
	assert_true(c->classes[0].dscps == (1ull << 46 | 1ull << 44 | 1ull << 40));
	assert_int_equal(c->classes[0].apps, 1 << APP_RTP | 1 << APP_RTCP);
	assert_int_equal(c->classes[0].n_ports, 2);
	assert_int_equal(c->classes[0].ports[0].first, 16384);
	assert_int_equal(c->classes[0].ports[1].protocol, IPPROTO_TCP);
	assert_true(c->classes[0].strict);
	assert_int_equal(c->classes[0].rate.share_ppm, 125000);
	assert_int_equal(conf_rate_on(&c->classes[0].rate, 100000000), 12500000);
	assert_int_equal(c->classes[0].queue, CONF_QUEUE_TAIL_DROP);
	assert_string_equal(c->classes[1].name, "best-effort");
	assert_int_equal(c->default_class, 1);
	assert_int_equal(c->classes[1].queue, CONF_QUEUE_CODEL);
	assert_int_equal(c->classes[1].target_ns, 5000000);
	assert_int_equal(c->n_routes, 2);
	assert_int_equal(c->routes[0].hop.nic, 0);
	assert_int_equal(c->routes[1].hop.nic, 1);
	assert_int_equal(c->routes[1].hop.via.family, 0);
	conf_free(c);
}

static void an_interface_is_enough(void **state)
{
	(void)state;
	struct conf *c = read_conf("[interface eth0]");
	assert_int_equal(c->n_nics, 1);
	assert_false(c->nat.on);
	assert_int_equal(c->n_classes, 1);
	assert_int_equal(c->default_class, 0);
	assert_true(c->classes[0].is_default);
	assert_int_equal(c->classes[0].weight, 1);
	assert_int_equal(c->icmp_errors_per_s, 1000);
	assert_int_equal(c->fragment_ns, 30000000000);
	assert_int_equal(c->notes.len, 0);
	conf_free(c);
}

static void filtering_depends_on_mapping_unless_said(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum conf_filtering want;
	} cases[] = {
		{ NAT, CONF_FILTERING_ADDRESS },
		{ NAT "mapping = symmetric\n", CONF_FILTERING_PORT },
		{ NAT "filtering = endpoint-independent\n", CONF_FILTERING_NONE },
		{ NAT "filtering = address-and-port-dependent\n", CONF_FILTERING_PORT },
		{ NAT "filtering = address-and-port-dependent\nmapping = symmetric\n",
			CONF_FILTERING_PORT },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct conf *c = read_conf(cases[i].text);
		assert_int_equal(c->nat.filtering, cases[i].want);
		conf_free(c);
	}
}

static void the_default_class_is_the_one_named(void **state)
{
	(void)state;
	static const struct {
		const char *text, *want;
		size_t n;
	} cases[] = {
		{ NIC "[class x]\ndefault = yes\n[class y]\n", "x", 2 },
		{ NIC "[class best-effort]\nweight = 3\n[class y]\n", "best-effort", 2 },
		{ NIC "[class y]\n", "best-effort", 2 },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct conf *c = read_conf(cases[i].text);
		assert_int_equal(c->n_classes, cases[i].n);
		assert_string_equal(c->classes[c->default_class].name, cases[i].want);
		conf_free(c);
	}
}

static void routes_files_lie_beside_the_configuration(void **state)
{
	(void)state;
	static const char text[] = NIC "[routes]\nfile = r.txt\nfile = /abs/r.txt\nfile = ../x y\n";
	struct lt_err err = { 0 };
	struct conf *c;
	assert_int_equal(conf_parse(text, strlen(text), "/etc/leat/router.conf", &c, &err), 0);
	assert_string_equal(c->routes_files[0].path, "/etc/leat/r.txt");
	assert_string_equal(c->routes_files[1].path, "/abs/r.txt");
	assert_string_equal(c->routes_files[2].path, "/etc/leat/../x y");
	assert_string_equal(c->routes_files[2].text, "../x y");
	conf_free(c);
	c = read_conf(text);
	assert_string_equal(c->routes_files[0].path, "r.txt");
	conf_free(c);
}

static void what_is_printed_reads_the_same(void **state)
{
	(void)state;
	static const char *const texts[] = {
		NIC,
		NAT "mapping = symmetric\nicmp-timeout = 1234567890ns\nlog = a b\nforward = tcp "
		    "203.0.113.1:1-65535 -> 10.0.0.1:1\nunknown-protocols = map\n",
		"[interface a]\nrate = 123456789\n[interface b]\nrate = 1T\nvlan = pop\n",
		NIC "[class x]\ndscp = 0 1 2 63\nstrict = yes\nrate = 33.3333%\nqueue = codel\n",
		NIC "[class x]\nstrict = yes\nrate = 1000001\nburst = 64\n[routes]\nroute = ::/0 "
		    "blackhole\nroute = 1.0.0.0/8 unreachable\nroute = 2.0.0.0/8 - a\n",
	};
	for (size_t i = 0; i < LT_COUNT(texts); i++) {
		struct lt_buf once = { 0 }, twice = { 0 };
		struct conf *c = read_conf(texts[i]);
		conf_print(c, &once);
		struct conf *again = read_conf(once.data);
		conf_print(again, &twice);
		assert_string_equal(once.data, twice.data);
		conf_free(again);
		conf_free(c);
		lt_buf_done(&once);
		lt_buf_done(&twice);
	}
}

static void defaults_are_printed(void **state)
{
	(void)state;
	struct lt_buf out = { 0 };
	struct conf *c = read_conf(NAT "[class x]\nstrict = yes\nrate = 10%\n");
	conf_print(c, &out);
	static const char *const lines[] = { "[router]\nzero-length = drop\n",
		"max-flows = 1048576\n",
		"[interface a]\nside = outside\nrate = unlimited\nmtu = 1500\nvlan = keep\n",
		"mapping = endpoint-independent\nfiltering = address-dependent\nhairpin = yes\n",
		"udp-timeout = 300s\n", "\nmax-host-mappings = unlimited\n",
		"[class x]\ndefault = no\nstrict = yes\nrate = 10%\nburst = 3000\nqueue = "
		"tail-drop\n"
		"limit = 1000\n\n[class best-effort]\ndefault = yes\nstrict = no\nweight = 1\n"
		"queue = codel\nlimit = 1000\ntarget = 5ms\ninterval = 100ms\necn = yes\n" };
	for (size_t i = 0; i < LT_COUNT(lines); i++)
		if (!strstr(out.data, lines[i]))
			fail_msg("not there: %s\n in:\n%s", lines[i], out.data);
	lt_buf_done(&out);
	conf_free(c);
}

static void what_is_wrong_is_refused_with_line_and_fix(void **state)
{
	(void)state;
	static const struct {
		const char *text, *id;
		unsigned line;
		const char *says, *fix;
	} cases[] = {
		/* form */
		{ "", "LT-CONF-MISSING", 1, "no interface", "[interface eth0]" },
		{ "mtu = 5", "LT-CONF-SYNTAX", 1, "before any section", "[interface eth0]" },
		{ NIC "mtu\n", "LT-CONF-SYNTAX", 2, "'mtu'", "KEY = VALUE" },
		{ "\n[interface a\n", "LT-CONF-SYNTAX", 2, "no ']'", "']'" },
		{ "[interface a] x\n", "LT-CONF-SYNTAX", 1, "no ']'", "']'" },
		{ "[interface a]\nmtu = \x01\n", "LT-CONF-SYNTAX", 2, "0x01", "router.conf" },
		{ "[inface a]", "LT-CONF-SECTION", 1, "'inface'", "[interface NAME]" },
		{ "[]", "LT-CONF-SECTION", 1, "''", "[interface NAME]" },
		{ "[interface]", "LT-CONF-SECTION", 1, "not a name", "[interface NAME]" },
		{ "[interface a/b]", "LT-CONF-SECTION", 1, "'a/b'", "letters" },
		{ "[interface ..]", "LT-CONF-SECTION", 1, "'..'", "letters" },
		{ "[interface a b]", "LT-CONF-SECTION", 1, "'a b'", "letters" },
		{ "[interface aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]", "LT-CONF-SECTION", 1, "aaa",
			"31" },
		{ "[nat x]", "LT-CONF-SECTION", 1, "takes no name", "[nat]" },
		{ NIC "speed = 5\n", "LT-CONF-KEY", 2, "'speed'",
			"address, side, rate, mtu, vlan" },
		{ NIC "MTU = 600\n", "LT-CONF-KEY", 2, "'MTU'", "mtu" },
		/* twice */
		{ NIC "mtu = 500\nmtu = 600\n", "LT-CONF-TWICE", 3, "in line 2", "remove" },
		{ NIC "#\n" NIC, "LT-CONF-TWICE", 3, "line 1", "another name" },
		{ NAT "[nat]\n", "LT-CONF-TWICE", 5, "line 3", "one section" },
		{ NIC "[class a]\n[class a]\n", "LT-CONF-TWICE", 3, "line 2", "another name" },
		/* values */
		{ NIC "mtu =\n", "LT-CONF-VALUE", 2, "mtu: ''", "mtu = 1500" },
		{ NIC "mtu = 67\n", "LT-CONF-VALUE", 2, "from 68", "mtu = 1500" },
		{ NIC "mtu = 65536\n", "LT-CONF-VALUE", 2, "to 65535", "mtu = 1500" },
		{ NIC "mtu = 1500 bytes\n", "LT-CONF-VALUE", 2, "whole number", "mtu = 1500" },
		{ NIC "mtu = -1\n", "LT-CONF-VALUE", 2, "'-1'", "mtu = 1500" },
		{ NIC "rate = fast\n", "LT-CONF-VALUE", 2, "unlimited from 8k to 1T",
			"rate = 100M" },
		{ NIC "rate = 7999\n", "LT-CONF-VALUE", 2, "from 8k", "rate = " },
		{ NIC "rate = 1.5.5M\n", "LT-CONF-VALUE", 2, "a rate", "rate = " },
		{ NIC "rate = M\n", "LT-CONF-VALUE", 2, "a rate", "rate = " },
		{ NIC "rate = 100Mbyte\n", "LT-CONF-VALUE", 2, "a rate", "rate = " },
		{ NIC "rate = 99999999999999999999999999T\n", "LT-CONF-VALUE", 2, "to 1T",
			"rate =" },
		{ NIC "side = left\n", "LT-CONF-VALUE", 2, "inside or outside", "side = inside" },
		{ NIC "address = 10.0.0.1\n", "LT-CONF-VALUE", 2, "'10.0.0.1'", "192.168.1.1/24" },
		{ NIC "address = 10.0.0.0/8\n", "LT-CONF-VALUE", 2, "10.0.0.0/8", "own address" },
		{ NIC "address = 10.255.255.255/8\n", "LT-CONF-VALUE", 2, "10.255", "own address" },
		{ NIC "address = 224.0.0.1/8\n", "LT-CONF-VALUE", 2, "224.0.0.1", "own address" },
		{ NIC "address = 127.0.0.1/8\n", "LT-CONF-VALUE", 2, "127.0.0.1", "own address" },
		{ NIC "address = ff02::1/64\n", "LT-CONF-VALUE", 2, "ff02::1", "own address" },
		{ NIC "address = 2001:db8::/64\n", "LT-CONF-VALUE", 2,
			"2001:db8::", "own address" },
		{ NIC "mtu = 1279\naddress = 2001:db8::1/64\n", "LT-CONF-VALUE", 3, "1280",
			"raise" },
		{ "[router]\nsource-route = true\n", "LT-CONF-VALUE", 2, "yes or no", "= no" },
		{ "[router]\nfragment-timeout = 500ms\n", "LT-CONF-VALUE", 2,
			"or 2h from 1s to 3600s", "fragment-timeout = 30s" },
		{ "[router]\nicmp-errors = 0\n", "LT-CONF-VALUE", 2, "unlimited",
			"icmp-errors = 1" },
		{ NIC "[class x]\ndscp = ef high\n", "LT-CONF-VALUE", 3, "'ef high'", "ef cs5 46" },
		{ NIC "[class x]\ndscp = 64\n", "LT-CONF-VALUE", 3, "'64'", "ef cs5 46" },
		{ NIC "[class x]\ncontent = unknown\n", "LT-CONF-VALUE", 3, "ftp-data", "rtp sip" },
		{ NIC "[class x]\nports = 80\n", "LT-CONF-VALUE", 3, "'80'", "udp/5060" },
		{ NIC "[class x]\nports = tcp/0\n", "LT-CONF-VALUE", 3, "tcp/0", "udp/5060" },
		{ NIC "[class x]\nports = tcp/9-8\n", "LT-CONF-VALUE", 3, "tcp/9-8", "udp/5060" },
		{ NIC "[class x]\nports = tcp/1-65536\n", "LT-CONF-VALUE", 3, "65536", "udp/5060" },
		{ NIC "[class x]\nstrict = yes\nrate = 101%\n", "LT-CONF-VALUE", 4, "101%", "25%" },
		{ NIC "[class x]\ntarget = 200ms\n", "LT-CONF-VALUE", 3, "longer",
			"100ms and 5ms" },
		{ NAT "address = 1.2.3.4-1.2.3.3\n", "LT-CONF-VALUE", 5, "1.2.3.3", "203.0.113.1" },
		{ NAT "address = ::1\n", "LT-CONF-VALUE", 5, "::1", "203.0.113.1" },
		{ NAT "address = 255.255.255.255\n", "LT-CONF-VALUE", 3, "255.255", "come back" },
		{ NAT "forward = tcp 203.0.113.1:80 192.168.1.1:80\n", "LT-CONF-VALUE", 5,
			"forward", "-> 192.168.1.2:80" },
		{ NAT "forward = tcp 203.0.113.1:1-3 -> 192.168.1.1:1-2\n", "LT-CONF-VALUE", 5,
			"as many ports", "->" },
		{ NAT "forward = tcp 203.0.113.1:1-3 -> 192.168.1.1:65534\n", "LT-CONF-VALUE", 5,
			"as many ports", "->" },
		{ NAT "forward = icmp 203.0.113.1:1 -> 192.168.1.1:1\n", "LT-CONF-VALUE", 5, "icmp",
			"->" },
		/* what needs something else */
		{ "[interface a]\n[nat]\naddress = 203.0.113.1\n", "LT-CONF-MISSING", 2, "towards",
			"side = outside" },
		{ "[interface a]\nside = outside\n[nat]\n", "LT-CONF-MISSING", 3, "no external",
			"address = 203.0.113.1" },
		{ NAT "mapping = symmetric\nfiltering = address-dependent\n", "LT-CONF-NEEDS", 6,
			"symmetric", "remove this line" },
		{ NAT "forward = tcp 203.0.113.9:80 -> 192.168.1.1:80\n", "LT-CONF-NEEDS", 5,
			"203.0.113.9", "add address = 203.0.113.9" },
		{ NIC "[class x]\nstrict = yes\n", "LT-CONF-MISSING", 2, "no rate", "rate = 25%" },
		{ NIC "[class x]\nrate = 25%\n", "LT-CONF-NEEDS", 3, "rate", "'strict = yes'" },
		{ NIC "[class x]\nstrict = yes\nrate = 5%\nweight = 2\n", "LT-CONF-NEEDS", 5,
			"weight", "'strict = no'" },
		{ NIC "[class x]\nqueue = tail-drop\necn = no\n", "LT-CONF-NEEDS", 4, "ecn",
			"'queue = codel'" },
		/* overlaps */
		{ NIC "address = 10.0.0.1/8\n[interface b]\naddress = 10.0.0.2/8\n",
			"LT-CONF-OVERLAP", 4, "line 2", "network of its own" },
		{ NIC "address = 10.0.0.1/8\naddress = 10.0.0.1/16\n", "LT-CONF-TWICE", 3, "line 2",
			"remove" },
		{ "[interface a]\naddress = 10.0.0.1/8\n[interface b]\nside = "
		  "outside\n[nat]\naddress = "
		  "10.1.1.1\n",
			"LT-CONF-OVERLAP", 5, "10.1.1.1", "outside address" },
		{ "[interface a]\nside = outside\naddress = 203.0.113.2/29\n[nat]\n"
		  "address = 203.0.113.4-203.0.113.7\n",
			"LT-CONF-VALUE", 4, "203.0.113.7 cannot be", "can come back" },
		{ "[interface a]\nside = outside\naddress = 203.0.113.2/29\n[nat]\n"
		  "address = 203.0.113.0\n",
			"LT-CONF-VALUE", 4, "203.0.113.0 cannot be", "can come back" },
		{ NAT "address = 203.0.113.0-203.0.113.2\n", "LT-CONF-TWICE", 5, "203.0.113.1",
			"once" },
		{ NAT "forward = tcp 203.0.113.1:80-90 -> 10.0.0.1:80\nforward = tcp "
		      "203.0.113.1:90 -> "
		      "10.0.0.2:90\n",
			"LT-CONF-OVERLAP", 6, "line 5", "one line only" },
		{ NIC "[class x]\ndscp = ef\n[class y]\ndscp = 46\n", "LT-CONF-OVERLAP", 4,
			"dscp ef", "one class" },
		{ NIC "[class x]\ncontent = sip\n[class y]\ncontent = rtp sip\n", "LT-CONF-OVERLAP",
			4, "content sip", "one class" },
		{ NIC "[class x]\nports = tcp/1-10\n[class y]\nports = udp/5 tcp/9-12\n",
			"LT-CONF-OVERLAP", 4, "port tcp/9", "one class" },
		{ NIC "[class x]\ndefault = yes\n[class y]\ndefault = yes\n", "LT-CONF-TWICE", 4,
			"line 2", "one class" },
		{ NIC "rate = 1M\n[class x]\nstrict = yes\nrate = 60%\n[class y]\nstrict = "
		      "yes\nrate = "
		      "500k\n",
			"LT-CONF-LIMIT", 1, "the rate of a", "lower" },
		{ NIC "[class a]\n[class b]\n[class c]\n[class d]\n[class e]\n[class f]\n[class "
		      "g]\n"
		      "[class h]\n[class i]\n",
			"LT-CONF-LIMIT", 10, "8 classes", "alike" },
		{ NIC "[class a]\n[class b]\n[class c]\n[class d]\n[class e]\n[class f]\n[class "
		      "g]\n"
		      "[class h]\n",
			"LT-CONF-LIMIT", 10, "default", "default = yes" },
		/* routes */
		{ NIC "[routes]\nroute = 10.0.0.0/8 1.2.3.4 b\n", "LT-ROUTES-NIC", 3, "'b'",
			"one of a" },
		{ NIC "[routes]\nroute = 10.0.0.1/8 1.2.3.4 a\n", "LT-ROUTES-PREFIX", 3, "beyond",
			"10.0.0.0/8" },
		{ NIC "address = 9.0.0.1/8\n[routes]\nroute = 10.0.0.0/8 9.0.0.1 a\n",
			"LT-CONF-VALUE", 4, "router itself (a)", "neighbour" },
		{ NIC "[routes]\nroute = ::/0 - a\nroute = 9.0.0.0/8 - a\nroute = ::/0 - a\n",
			"LT-CONF-TWICE", 5, "line 3", "remove" },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct lt_err err = { 0 };
		struct conf *conf = NULL;
		char where[40];
		snprintf(where, sizeof(where), "router.conf:%u: ", cases[i].line);
		if (conf_parse(cases[i].text, strlen(cases[i].text), "router.conf", &conf, &err) !=
				-EINVAL ||
			strcmp(err.id, cases[i].id) || strncmp(err.text, where, strlen(where)) ||
			!strstr(err.text, cases[i].says) || !strstr(err.hint, cases[i].fix))
			fail_msg("%s\n %s: %s\n hint: %s", cases[i].text, err.id, err.text,
				err.hint);
		assert_null(conf);
	}
}

static void what_may_not_be_meant_is_noted(void **state)
{
	(void)state;
	static const struct {
		const char *text, *note;
	} cases[] = {
		{ NAT "udp-timeout = 30s\n", "router.conf:3: udp-timeout is below the 120 s" },
		{ NAT "forward = tcp 203.0.113.1:80 -> 10.0.0.1:80\n",
			"router.conf:5: 10.0.0.1 is not" },
		{ NIC "[class x]\n", "router.conf:2: class 'x' claims no packets" },
		{ NIC "address = 10.0.0.1/8\n[interface b]\naddress = 10.1.0.1/16\n",
			"router.conf:4: network of 10.1.0.1/16 overlaps that of 10.0.0.1/8 in line "
			"2" },
		{ NIC "address = 10.0.0.1/8\n[routes]\nroute = 0.0.0.0/0 9.9.9.9 a\n",
			"router.conf:4: next hop 9.9.9.9 is not in a network of a" },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct conf *c = read_conf(cases[i].text);
		if (!c->notes.data || strncmp(c->notes.data, cases[i].note, strlen(cases[i].note)))
			fail_msg(
				"%s: %s", cases[i].text, c->notes.data ? c->notes.data : "no note");
		conf_free(c);
	}
}

static void link_local_addresses_may_be_on_each_interface(void **state)
{
	(void)state;
	conf_free(read_conf(
		"[interface a]\naddress = fe80::1/64\n[interface b]\naddress = fe80::1/64\n"));
}

static void a_missing_file_is_said(void **state)
{
	(void)state;
	struct lt_err err = { 0 };
	struct conf *conf = NULL;
	assert_int_equal(conf_load("/nonexistent/router.conf", &conf, &err), -ENOENT);
	assert_string_equal(err.id, "LT-CONF-OPEN");
	assert_non_null(strstr(err.text, "/nonexistent/router.conf"));
	assert_true(conf_load("/", &conf, &err) < 0);
	assert_null(conf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_said_is_read),
		cmocka_unit_test(an_interface_is_enough),
		cmocka_unit_test(filtering_depends_on_mapping_unless_said),
		cmocka_unit_test(the_default_class_is_the_one_named),
		cmocka_unit_test(routes_files_lie_beside_the_configuration),
		cmocka_unit_test(what_is_printed_reads_the_same),
		cmocka_unit_test(defaults_are_printed),
		cmocka_unit_test(what_is_wrong_is_refused_with_line_and_fix),
		cmocka_unit_test(what_may_not_be_meant_is_noted),
		cmocka_unit_test(link_local_addresses_may_be_on_each_interface),
		cmocka_unit_test(a_missing_file_is_said),
	};
	return cmocka_run_group_tests_name("router conf", tests, NULL, NULL);
}
