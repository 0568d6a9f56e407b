/* SPDX-License-Identifier: MIT */
/* Routing: RFC 1812, and what the router tells senders. */
#include "rig.h"

static void start_plain(struct rig *rig)
{
	rig_init(rig);
	rig->conf.nat.on = false;
	rig_start(rig);
}

static void rfc1812_5222_damaged_headers_are_dropped_by_reason(void **state)
{
	(void)state;
	struct rig rig;
	start_plain(&rig);
	struct pkt *p = new_udp(LAN, HOST, 1, SERVER, 2, 20);
	put_be16(ip_of(p) + 10, be16_at(ip_of(p) + 10) ^ 0x100);
	assert_dropped(&rig, p, DROP_checksum);
	p = new_udp(LAN, HOST, 1, SERVER, 2, 20);
	ip_of(p)[0] = 0x55;
	set_ip_sum(p);
	assert_dropped(&rig, p, DROP_version);
	p = new_udp(LAN, HOST, 1, SERVER, 2, 20);
	ip_of(p)[0] = 0x44; /* C19: IHL 4 */
	set_ip_sum(p);
	assert_dropped(&rig, p, DROP_header);
	p = new_udp(LAN, HOST, 1, SERVER, 2, 20);
	put_be16(ip_of(p) + 2, p->len + 1); /* C19: beyond the frame */
	set_ip_sum(p);
	assert_dropped(&rig, p, DROP_length);
	p = new_udp(LAN, HOST, 1, SERVER, 2, 20);
	put_be16(ip_of(p) + 2, 19);
	set_ip_sum(p);
	assert_dropped(&rig, p, DROP_length);
	p = new_udp(LAN, HOST, 1, SERVER, 2, 20);
	p->len = 19;
	assert_dropped(&rig, p, DROP_short);
	p = new_udp(LAN, HOST, 1, SERVER, 2, 20);
	put_be16(p->frame + 12, 0x0806);
	assert_dropped(&rig, p, DROP_not_ip);
	rig_stop(&rig);
}

static void c19_total_length_0_is_the_frame_if_configured(void **state)
{
	(void)state;
	for (int frame = 0; frame < 2; frame++) {
		struct rig rig;
		rig_init(&rig);
		rig.conf.zero_length = frame ? CONF_ZERO_LENGTH_FRAME : CONF_ZERO_LENGTH_DROP;
		rig_start(&rig);
		struct pkt *p = new_udp(LAN, HOST, 1000, SERVER, 2, 20);
		put_be16(ip_of(p) + 2, 0);
		set_ip_sum(p);
		if (frame) {
			assert_int_equal(rig_send(&rig, p), 1);
			assert_from_to(last_out(&rig), EXTERNAL, 1000, SERVER, 2);
		} else {
			assert_dropped(&rig, p, DROP_length);
		}
		rig_stop(&rig);
	}
}

static void rfc1812_537_martians_are_dropped(void **state)
{
	(void)state;
	struct rig rig;
	start_plain(&rig);
	const uint32_t sources[] = { IP(0, 1, 2, 3), IP(127, 0, 0, 1), IP(224, 0, 0, 1),
		IP(239, 1, 1, 1), IP(240, 0, 0, 1), IP(255, 255, 255, 255) };
	for (size_t i = 0; i < LT_COUNT(sources); i++)
		assert_dropped(&rig, new_udp(LAN, sources[i], 1, SERVER, 2, 4), DROP_martian_src);
	assert_dropped(&rig, new_udp(LAN, HOST, 1, IP(0, 0, 0, 1), 2, 4), DROP_martian_dst);
	assert_dropped(&rig, new_udp(LAN, HOST, 1, IP(127, 9, 9, 9), 2, 4), DROP_martian_dst);
	assert_dropped(&rig, new_udp(LAN, HOST, 1, IP(224, 0, 0, 5), 2, 4), DROP_multicast);
	assert_dropped(&rig, new_udp(LAN, HOST, 1, UINT32_MAX, 2, 4), DROP_broadcast);
	assert_dropped(&rig, new_udp(LAN, HOST, 1, IP(203, 0, 113, 1), 2, 4), DROP_local);
	rig_stop(&rig);
}

static void rfc1812_531_time_to_live_counts_down_and_its_end_is_told(void **state)
{
	(void)state;
	struct rig rig;
	start_plain(&rig);
	for (unsigned ttl = 0; ttl < 256; ttl++) {
		struct pkt *p = new_udp(LAN, HOST, 1, SERVER, 2, 600);
		ip_of(p)[8] = (uint8_t)ttl;
		set_ip_sum(p);
		if (ttl <= 1) {
			assert_refused(&rig, p, DROP_ttl, 11, 0);
			assert_int_equal(be32_at(out_ip(last_out(&rig)) + 12), IP(10, 0, 0, 1));
			continue;
		}
		assert_int_equal(rig_send(&rig, p), 1);
		assert_int_equal(out_ip(last_out(&rig))[8], ttl - 1);
		assert_from_to(last_out(&rig), HOST, 1, SERVER, 2);
	}
	rig_stop(&rig);
}

static void rfc1812_4327_no_error_about_what_must_not_be_answered(void **state)
{
	(void)state;
	struct rig rig;
	start_plain(&rig);
	struct pkt *p = new_icmp(LAN, HOST, SERVER, 3, 0, 40); /* an error itself */
	ip_of(p)[8] = 1;
	set_ip_sum(p);
	assert_dropped(&rig, p, DROP_ttl);
	p = new_udp(LAN, HOST, 1, SERVER, 2, 16); /* not the first fragment */
	put_be16(ip_of(p) + 6, 0x0004);
	ip_of(p)[8] = 1;
	set_ip_sum(p);
	assert_dropped(&rig, p, DROP_ttl);
	p = new_udp(LAN, HOST, 1, SERVER, 2, 16); /* a broadcast on the link */
	ip_of(p)[8] = 1;
	set_ip_sum(p);
	memset(p->frame, 0xff, 6);
	assert_dropped(&rig, p, DROP_ttl);
	rig_stop(&rig);
}

static void rfc1812_4328_errors_are_limited_by_rate(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig.conf.nat.on = false;
	rig.conf.icmp_errors_per_s = 10;
	rig_start(&rig);
	size_t told = 0;
	for (int i = 0; i < 200; i++) { /* 2 s, 100 a second */
		struct pkt *p = new_udp(LAN, HOST, 1, SERVER, 2, 16);
		ip_of(p)[8] = 1;
		set_ip_sum(p);
		told += rig_send(&rig, p);
		rig.now += 10 * MS;
	}
	assert_in_range(told, 29, 30); /* ten at once, and ten a second */
	assert_int_equal(rig_drops(&rig, DROP_ttl), 200);
	rig_stop(&rig);
}

static void routes_that_lead_nowhere_are_told_or_not(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig.conf.nat.on = false;
	const struct {
		const char *prefix;
		enum fib_kind kind;
	} routes[] = { { "192.0.2.0/24", FIB_BLACKHOLE }, { "198.51.100.0/24", FIB_UNREACHABLE },
		{ "203.0.113.255/32", FIB_BROADCAST } };
	for (size_t i = 0; i < LT_COUNT(routes); i++) {
		struct prefix p = rig_prefix(routes[i].prefix);
		struct fib_hop hop = { .nic = WAN, .kind = (uint8_t)routes[i].kind };
		assert_true(fib_add(rig.fib, &p, &hop, NULL) >= 0);
	}
	struct prefix all = rig_prefix("0.0.0.0/0");
	assert_int_equal(fib_delete(rig.fib, &all, NULL), 0);
	rig_start(&rig);
	assert_dropped(&rig, new_udp(LAN, HOST, 1, IP(192, 0, 2, 1), 2, 4), DROP_blackhole);
	assert_refused(&rig, new_udp(LAN, HOST, 1, SERVER, 2, 4), DROP_unreachable, 3, 1);
	assert_dropped(&rig, new_udp(LAN, HOST, 1, IP(203, 0, 113, 255), 2, 4), DROP_broadcast);
	assert_refused(&rig, new_udp(LAN, HOST, 1, IP(9, 9, 9, 9), 2, 4), DROP_no_route, 3, 0);
	rig_stop(&rig);
}

static void rfc1812_526_too_large_is_told_or_split(void **state)
{
	(void)state;
	for (int nat = 0; nat < 2; nat++) {
		struct rig rig;
		rig_init(&rig);
		rig.conf.nat.on = nat;
		rig.nics[WAN].mtu = 576;
		rig_start(&rig);
		assert_refused(&rig, new_udp(LAN, HOST, 1024, SERVER, 2, 549), DROP_too_big, 3, 4);
		assert_int_equal(be32_at(out_l4(last_out(&rig)) + 4), 576);
		assert_int_equal(rig_send(&rig, new_udp(LAN, HOST, 1024, SERVER, 2, 548)), 1);
		struct pkt *p = new_udp(LAN, HOST, 1024, SERVER, 2, 1400);
		put_be16(ip_of(p) + 6, 0);
		set_ip_sum(p);
		size_t first = rig.n_out;
		assert_int_equal(rig_send(&rig, p), 3);
		/* together they are the packet */
		uint8_t whole[1428];
		uint32_t at = 0;
		for (size_t i = first; i < rig.n_out; i++) {
			const uint8_t *ip = out_ip(&rig.out[i]);
			uint32_t len = be16_at(ip + 2) - 20, field = be16_at(ip + 6);
			assert_true(len + 20 <= 576);
			assert_sound(&rig.out[i]);
			assert_int_equal((field & 0x1fff) * 8, at);
			assert_int_equal((field & 0x2000) != 0, i + 1 < rig.n_out);
			assert_int_equal(be16_at(ip + 4), be16_at(out_ip(&rig.out[first]) + 4));
			memcpy(whole + 20 + at, ip + 20, len);
			at += len;
		}
		assert_int_equal(at, 1408);
		memcpy(whole, out_ip(&rig.out[first]), 20);
		assert_int_equal(rfc_sum(whole + 20, at, pseudo_sum(whole, at)), 0xffff);
		assert_memory_equal(whole + 28, l4_of(p) + 8, 1400);
		rig_stop(&rig);
	}
}

static void options_are_kept_but_source_routes_are_not_taken(void **state)
{
	(void)state;
	for (int allowed = 0; allowed < 2; allowed++) {
		struct rig rig;
		rig_init(&rig);
		rig.conf.source_route = allowed;
		rig_start(&rig);
		struct pkt *p = new_ip(LAN, HOST, SERVER, IPPROTO_UDP, 24);
		uint8_t *ip = ip_of(p);
		const uint8_t options[12] = { 1, 0x88, 4, 9, 9, 1, 1, 1, 0, 0, 0, 0 };
		ip[0] = 0x48;
		memcpy(ip + 20, options, sizeof(options));
		put_be16(ip + 32, 1024);
		put_be16(ip + 34, 53);
		put_be16(ip + 36, 12);
		set_l4_sum(p);
		set_ip_sum(p);
		assert_int_equal(rig_send(&rig, p), 1);
		assert_from_to(last_out(&rig), EXTERNAL, 1024, SERVER, 53);
		assert_memory_equal(out_ip(last_out(&rig)) + 20, options, sizeof(options));
		const uint8_t loose[12] = { 131, 7, 4, 1, 2, 3, 4, 0 };
		memcpy(ip + 20, loose, sizeof(loose));
		set_ip_sum(p);
		if (allowed)
			assert_int_equal(rig_send(&rig, p), 1);
		else
			assert_dropped(&rig, p, DROP_source_route);
		ip[21] = 40; /* an option longer than the header */
		set_ip_sum(p);
		assert_dropped(&rig, p, DROP_header);
		rig_stop(&rig);
	}
}

static void split_packets_copy_only_the_options_that_say_so(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig.nics[WAN].mtu = 100;
	rig_start(&rig);
	struct pkt *p = new_ip(LAN, HOST, SERVER, IPPROTO_UDP, 200);
	uint8_t *ip = ip_of(p);
	const uint8_t options[8] = { 0x44, 4, 5, 0, 0x88, 4, 9, 9 }; /* stays, is copied */
	ip[0] = 0x47;
	memcpy(ip + 20, options, sizeof(options));
	put_be16(ip + 28, 1024);
	put_be16(ip + 30, 53);
	put_be16(ip + 32, 192);
	put_be16(ip + 6, 0);
	set_l4_sum(p);
	set_ip_sum(p);
	assert_int_equal(rig_send(&rig, p), 3);
	assert_int_equal(out_ip(&rig.out[0])[0], 0x47);
	assert_memory_equal(out_ip(&rig.out[0]) + 20, options, 8);
	for (size_t i = 1; i < 3; i++) {
		assert_int_equal(out_ip(&rig.out[i])[0], 0x46);
		assert_memory_equal(out_ip(&rig.out[i]) + 20, options + 4, 4);
		assert_sound(&rig.out[i]);
	}
	rig_stop(&rig);
}

static void c15_tags_are_found_behind_and_kept_or_not(void **state)
{
	(void)state;
	static const uint16_t types[][2] = { { 0x8100, 0 }, { 0x88a8, 0 }, { 0x9100, 0 },
		{ 0x88a8, 0x8100 }, { 0x8100, 0x8100 } };
	for (int keep = 0; keep < 2; keep++) {
		struct rig rig;
		rig_init(&rig);
		rig.nics[WAN].vlan = keep ? CONF_VLAN_KEEP : CONF_VLAN_POP;
		rig_start(&rig);
		for (size_t i = 0; i < LT_COUNT(types); i++) {
			struct pkt *p = new_udp(LAN, HOST, 1024, SERVER, 53, 5);
			uint8_t frame[200], tags[8];
			uint32_t n = types[i][1] ? 8 : 4;
			put_be16(tags, types[i][0]);
			put_be16(tags + 2, 0x123);
			put_be16(tags + 4, types[i][1]);
			put_be16(tags + 6, 0x456);
			memcpy(frame, p->frame, 12);
			memcpy(frame + 12, tags, n);
			memcpy(frame + 12 + n, p->frame + 12, 2 + p->len);
			rig_frame(&rig, LAN, frame, 14 + n + p->len);
			const struct rig_out *o = last_out(&rig);
			assert_int_equal(o->len, 14 + p->len + (keep ? n : 0));
			if (keep)
				assert_memory_equal(o->frame + 12, tags, n);
			assert_int_equal(be16_at(o->frame + (keep ? n : 0) + 12), 0x0800);
			assert_int_equal(be32_at(o->frame + (keep ? n : 0) + 26), EXTERNAL);
		}
		rig_stop(&rig);
	}
}

static struct pkt *new_v6(uint16_t nic, const char *src, const char *dst, uint32_t payload)
{
	struct pkt *p = new_ip(nic, 0, 0, 0, 20 + payload);
	struct addr a;
	uint8_t *ip = ip_of(p);
	memset(ip, 0, 40);
	put_be16(p->frame + 12, 0x86dd);
	ip[0] = 0x60;
	put_be16(ip + 4, payload);
	ip[6] = IPPROTO_UDP;
	ip[7] = 64;
	assert_true(addr_parse(src, strlen(src), &a));
	memcpy(ip + 8, a.bytes, 16);
	assert_true(addr_parse(dst, strlen(dst), &a));
	memcpy(ip + 24, a.bytes, 16);
	return p;
}

static void start_v6(struct rig *rig)
{
	rig_init(rig);
	rig_local(rig, LAN, "2001:db8:1::1/64");
	rig_local(rig, WAN, "2001:db8:2::1/64");
	rig_route(rig, "::/0", "2001:db8:2::9", WAN);
	rig->nics[WAN].mtu = 1280;
	rig_start(rig);
}

static void ipv6_is_routed_without_translation(void **state)
{
	(void)state;
	struct rig rig;
	start_v6(&rig);
	struct pkt *p = new_v6(LAN, "2001:db8:1::5", "2001:db8:9::1", 24);
	assert_int_equal(rig_send(&rig, p), 1);
	assert_int_equal(last_out(&rig)->nic, WAN);
	assert_int_equal(out_ip(last_out(&rig))[7], 63);
	assert_memory_equal(out_ip(last_out(&rig)) + 8, ip_of(p) + 8, 32 + 24);
	assert_dropped(&rig, new_v6(LAN, "fe80::1", "2001:db8:9::1", 24), DROP_martian_src);
	assert_dropped(&rig, new_v6(LAN, "2001:db8:1::5", "ff02::1", 24), DROP_multicast);
	assert_dropped(&rig, new_v6(LAN, "2001:db8:1::5", "2001:db8:2::1", 24), DROP_local);
	rig_stop(&rig);
}

static void assert_v6_error(const struct rig_out *o, const struct pkt *p, unsigned type)
{
	const uint8_t *ip = out_ip(o), *icmp = ip + 40;
	uint32_t len = be16_at(ip + 4);
	assert_int_equal(ip[6], IPPROTO_ICMPV6);
	assert_int_equal(icmp[0], type);
	assert_memory_equal(ip + 24, p->frame + 14 + 8, 16);
	assert_int_equal(rfc_sum(icmp, len, rfc_sum(ip + 8, 32, IPPROTO_ICMPV6 + len)), 0xffff);
	assert_memory_equal(icmp + 8, p->frame + 14, len - 8);
	assert_true(len + 40 <= 1280);
}

static void rfc8200_packet_too_big_and_hop_limit_are_told(void **state)
{
	(void)state;
	struct rig rig;
	start_v6(&rig);
	struct pkt *p = new_v6(LAN, "2001:db8:1::5", "2001:db8:9::1", 1241);
	assert_int_equal(rig_send(&rig, p), 1);
	assert_v6_error(last_out(&rig), p, 2);
	assert_int_equal(be32_at(out_ip(last_out(&rig)) + 44), 1280);
	assert_int_equal(rig_drops(&rig, DROP_too_big), 1);
	p = new_v6(LAN, "2001:db8:1::5", "2001:db8:9::1", 100);
	ip_of(p)[7] = 1;
	assert_int_equal(rig_send(&rig, p), 1);
	assert_v6_error(last_out(&rig), p, 3);
	p = new_v6(LAN, "2001:db8:1::5", "2001:db8:9::1", 100); /* about an error: nothing */
	ip_of(p)[6] = IPPROTO_ICMPV6;
	ip_of(p)[7] = 1;
	ip_of(p)[40] = 1;
	assert_dropped(&rig, p, DROP_ttl);
	rig_stop(&rig);
}

static void rfc8200_unknown_options_for_each_hop_say_what_to_do(void **state)
{
	(void)state;
	struct rig rig;
	start_v6(&rig);
	struct pkt *p = new_v6(LAN, "2001:db8:1::5", "2001:db8:9::1", 24);
	uint8_t *ip = ip_of(p), *option = ip + 44;
	static const uint8_t head[] = { IPPROTO_UDP, 0, 1, 0, 0x1e, 2, 0, 0 };
	ip[6] = IPPROTO_HOPOPTS;
	memcpy(ip + 40, head, sizeof(head));
	assert_int_equal(rig_send(&rig, p), 1); /* 00: step over it */
	option[0] = 0x5e;
	assert_dropped(&rig, p, DROP_option); /* 01: drop */
	for (unsigned kind = 0x9e; kind <= 0xde; kind += 0x40) {
		option[0] = (uint8_t)kind; /* 10 and 11: tell, too */
		rig_send(&rig, p);
		assert_int_equal(rig.chunk.packets[0].drop, DROP_option);
		assert_int_equal(rig.chunk.n_extra, 1);
		const uint8_t *error = rig.chunk.extra[0].p.ip;
		static const uint8_t told[] = { 4, 2 }, at[] = { 0, 0, 0, 44 };
		assert_memory_equal(error + 40, told, 2);
		assert_memory_equal(error + 44, at, 4);
		assert_memory_equal(error + 48, ip, 64);
	}
	option[0] = 0x1e;
	option[1] = 3; /* beyond the header */
	assert_dropped(&rig, p, DROP_extensions);
	rig_stop(&rig);
}

static void rfc8200_extension_headers_are_walked_with_a_bound(void **state)
{
	(void)state;
	struct rig rig;
	start_v6(&rig);
	for (unsigned n = 1; n < 12; n++) {
		struct pkt *p = new_v6(LAN, "2001:db8:1::5", "2001:db8:9::1", 8 * n + 8);
		uint8_t *ip = ip_of(p);
		ip[6] = IPPROTO_DSTOPTS;
		for (unsigned i = 0; i < n; i++)
			ip[40 + 8 * i] = i + 1 < n ? IPPROTO_DSTOPTS : IPPROTO_UDP;
		assert_int_equal(rig_send(&rig, p), 1);
		uint8_t l4 = rig.chunk.packets[0].l4;
		assert_int_equal(l4, n <= PARSE_EXTENSIONS_MAX ? 40 + 8 * n : 0);
		ip[40 + 8 * (n - 1)] = IPPROTO_HOPOPTS; /* not where it may be */
		assert_int_equal(rig_send(&rig, p), 1);
		assert_int_equal(rig.chunk.packets[0].l4, 0);
		ip[41 + 8 * (n - 1)] = 200; /* longer than the packet: its receiver's affair */
		assert_int_equal(rig_send(&rig, p), 1);
		assert_int_equal(rig.chunk.packets[0].l4, 0);
		ip[6] = IPPROTO_HOPOPTS; /* but for options that are for each hop */
		ip[41] = 200;
		assert_dropped(&rig, p, DROP_extensions);
	}
	static const uint8_t kinds[] = { IPPROTO_DSTOPTS, IPPROTO_ROUTING, IPPROTO_FRAGMENT,
		IPPROTO_AH };
	for (uint32_t payload = 0; payload < 8; payload++) { /* not all there */
		struct pkt *p = new_v6(LAN, "2001:db8:1::5", "2001:db8:9::1", payload);
		for (size_t i = 0; i < LT_COUNT(kinds); i++) {
			ip_of(p)[6] = kinds[i];
			assert_int_equal(rig_send(&rig, p), 1);
			assert_int_equal(rig.chunk.packets[0].l4, 0);
		}
		ip_of(p)[6] = IPPROTO_HOPOPTS;
		assert_dropped(&rig, p, DROP_extensions);
	}
	rig_stop(&rig);
}

static void neighbours_have_addresses_on_the_link(void **state)
{
	(void)state;
	struct rig rig;
	start_plain(&rig);
	rig_send(&rig, new_udp(LAN, HOST, 1, SERVER, 2, 4));
	const uint8_t by_route[12] = { 2, 4, 203, 0, 113, 254, 2, 0, 0, 0, 0, WAN };
	assert_memory_equal(last_out(&rig)->frame, by_route, 12);
	rig_send(&rig, new_udp(WAN, SERVER, 1, HOST, 2, 4));
	const uint8_t direct[12] = { 2, 4, 10, 0, 0, 5, 2, 0, 0, 0, 0, LAN };
	assert_memory_equal(last_out(&rig)->frame, direct, 12);
	rig_stop(&rig);
}

/* What a capture cut off is not missed: it is said how long the packet was. */
static void packets_that_were_cut_off_go_on_as_far_as_they_are_there(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	struct pkt *p = new_udp(LAN, HOST, 1024, SERVER, 53, 1000);
	struct chunk *c = &rig.chunk;
	for (uint32_t cap = 14; cap < 14 + 40; cap++) {
		size_t before = rig.n_out;
		chunk_reset(c);
		c->frames[0] = (struct io_packet){ .data = p->frame,
			.time_ns = rig.now,
			.len = cap,
			.wire_len = 14 + p->len,
			.nic = LAN };
		c->n = 1;
		router_parse_frames(rig.router, c);
		router_flow(rig.router, c);
		emit_chunk(&rig.emitter, c);
		bool whole_header = cap >= 14 + 28;
		assert_int_equal(rig.n_out - before, whole_header);
		if (!whole_header)
			continue;
		assert_int_equal(last_out(&rig)->len, cap);
		assert_int_equal(last_out(&rig)->wire_len, 14 + p->len);
		assert_int_equal(be32_at(out_ip(last_out(&rig)) + 12), EXTERNAL);
	}
	rig_stop(&rig);
}

/* Nobody but the router sends from its addresses. */
static void sources_that_are_the_routers_own_are_dropped(void **state)
{
	(void)state;
	for (int nat = 0; nat < 2; nat++) {
		struct rig rig;
		rig_init(&rig);
		rig.conf.nat.on = nat;
		rig_start(&rig);
		for (uint16_t nic = LAN; nic <= WAN; nic++) {
			assert_dropped(
				&rig, new_udp(nic, IP(10, 0, 0, 1), 1, SERVER, 2, 4), DROP_spoofed);
			assert_dropped(&rig, new_udp(nic, IP(203, 0, 113, 1), 1, SERVER, 2, 4),
				DROP_spoofed);
		}
		for (uint32_t i = 2; i < 200; i++) /* neighbours of theirs are others */
			assert_int_equal(
				rig_send(&rig, new_udp(LAN, IP(10, 0, 0, i), 1, SERVER, 2, 4)), 1);
		rig_stop(&rig);
	}
}

/* An IPv4 packet has 16 bits for its length, also where the frame is to say it. */
static void c19_frames_that_no_packet_fills_are_dropped(void **state)
{
	(void)state;
	static uint8_t frame[14 + 70000];
	for (int nat = 0; nat < 2; nat++) {
		struct rig rig;
		rig_init(&rig);
		rig.conf.nat.on = nat;
		rig.conf.zero_length = CONF_ZERO_LENGTH_FRAME;
		rig_start(&rig);
		struct pkt *p = new_udp(LAN, HOST, 1024, SERVER, 53, 20);
		put_be16(ip_of(p) + 2, 0);
		put_be16(ip_of(p) + 6, 0); /* may be fragmented */
		set_ip_sum(p);
		memcpy(frame, p->frame, 14 + p->len);
		rig_frame(&rig, LAN, frame, 14 + 65536);
		rig_frame(&rig, LAN, frame, sizeof(frame));
		assert_int_equal(rig.n_out, 0);
		assert_int_equal(rig_drops(&rig, DROP_length), 2);
		rig_frame(&rig, LAN, frame, 14 + 65535);
		assert_int_equal(rig.n_out, 45);
		rig_stop(&rig);
	}
}

static void c19_length_0_is_the_frame_of_ipv6_too(void **state)
{
	(void)state;
	for (int configured = 0; configured < 2; configured++) {
		struct rig rig;
		start_v6(&rig);
		rig.router->parser.zero_length_is_frame = configured;
		struct pkt *p = new_v6(LAN, "2001:db8:1::5", "2001:db8:9::1", 100);
		put_be16(ip_of(p) + 4, 0);
		assert_int_equal(rig_send(&rig, p), 1);
		assert_int_equal(last_out(&rig)->len, 14 + 40 + (configured ? 100 : 0));
		assert_int_equal(be16_at(out_ip(last_out(&rig)) + 4), configured ? 100 : 0);
		rig_stop(&rig);
	}
}

/* An address of the link means nothing to who is beyond it. */
static void errors_of_ipv6_come_from_a_global_address(void **state)
{
	(void)state;
	static const char *const addrs[][3] = { { "fe80::1/64", "2001:db8:1::1/64", "fe80::2/64" },
		{ "fe80::2/64", "fe80::1/64", "2001:db8:1::1/64" },
		{ "2001:db8:1::1/64", "2001:db8:1::2/64", "fe80::1/64" } };
	for (size_t i = 0; i < LT_COUNT(addrs); i++) {
		struct rig rig;
		rig_init(&rig);
		for (size_t k = 0; k < 3; k++)
			rig_local(&rig, LAN, addrs[i][k]);
		rig_start(&rig);
		struct pkt *p = new_v6(LAN, "2001:db8:1::5", "2001:db8:9::1", 24);
		assert_int_equal(rig_send(&rig, p), 1); /* no route */
		assert_v6_error(last_out(&rig), p, 1);
		struct addr from;
		assert_true(addr_parse("2001:db8:1::1", 13, &from));
		assert_memory_equal(out_ip(last_out(&rig)) + 8, from.bytes, 16);
		rig_stop(&rig);
	}
}

static void rfc4443_24_errors_about_later_fragments_are_told(void **state)
{
	(void)state;
	struct rig rig;
	start_v6(&rig);
	struct pkt *p = new_v6(LAN, "2001:db8:1::5", "2001:db8:9::1", 100);
	ip_of(p)[6] = IPPROTO_FRAGMENT;
	ip_of(p)[7] = 1;
	ip_of(p)[40] = IPPROTO_UDP;
	put_be16(ip_of(p) + 42, 80 << 3 | 1);
	assert_int_equal(rig_send(&rig, p), 1);
	assert_v6_error(last_out(&rig), p, 3);
	ip_of(p)[40] = IPPROTO_ICMPV6; /* who knows of what kind */
	assert_dropped(&rig, p, DROP_ttl);
	rig_stop(&rig);
}

/* Cooked captures: tags come behind the header, the first one's type within it. */
static void c15_tags_of_cooked_captures_are_kept_too(void **state)
{
	(void)state;
	for (int version = 1; version <= 2; version++) {
		struct rig rig;
		rig_init(&rig);
		rig_start(&rig);
		const struct pkt *p = new_udp(LAN, HOST, 1024, SERVER, 53, 5);
		uint8_t frame[200] = { 0 };
		uint32_t head = version == 1 ? 16 : 20;
		put_be16(frame + (version == 1 ? 14 : 0), 0x88a8);
		put_be16(frame + head, 0x123);
		put_be16(frame + head + 2, 0x8100);
		put_be16(frame + head + 4, 0x456);
		put_be16(frame + head + 6, 0x0800);
		memcpy(frame + head + 8, p->frame + 14, p->len);
		struct chunk *c = &rig.chunk;
		chunk_reset(c);
		c->frames[0] = (struct io_packet){ .data = frame,
			.time_ns = rig.now,
			.len = head + 8 + p->len,
			.wire_len = head + 8 + p->len,
			.nic = LAN,
			.link = version == 1 ? IO_LINK_SLL : IO_LINK_SLL2 };
		c->n = 1;
		router_parse_frames(rig.router, c);
		router_flow(rig.router, c);
		emit_chunk(&rig.emitter, c);
		const struct rig_out *o = last_out(&rig);
		static const uint8_t tags[] = { 0x88, 0xa8, 1, 0x23, 0x81, 0, 4, 0x56, 8, 0 };
		assert_int_equal(o->len, 14 + 8 + p->len);
		assert_memory_equal(o->frame + 12, tags, sizeof(tags));
		rig_stop(&rig);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rfc1812_5222_damaged_headers_are_dropped_by_reason),
		cmocka_unit_test(c19_total_length_0_is_the_frame_if_configured),
		cmocka_unit_test(rfc1812_537_martians_are_dropped),
		cmocka_unit_test(rfc1812_531_time_to_live_counts_down_and_its_end_is_told),
		cmocka_unit_test(rfc1812_4327_no_error_about_what_must_not_be_answered),
		cmocka_unit_test(rfc1812_4328_errors_are_limited_by_rate),
		cmocka_unit_test(routes_that_lead_nowhere_are_told_or_not),
		cmocka_unit_test(rfc1812_526_too_large_is_told_or_split),
		cmocka_unit_test(options_are_kept_but_source_routes_are_not_taken),
		cmocka_unit_test(split_packets_copy_only_the_options_that_say_so),
		cmocka_unit_test(c15_tags_are_found_behind_and_kept_or_not),
		cmocka_unit_test(ipv6_is_routed_without_translation),
		cmocka_unit_test(rfc8200_packet_too_big_and_hop_limit_are_told),
		cmocka_unit_test(rfc8200_unknown_options_for_each_hop_say_what_to_do),
		cmocka_unit_test(rfc8200_extension_headers_are_walked_with_a_bound),
		cmocka_unit_test(neighbours_have_addresses_on_the_link),
		cmocka_unit_test(packets_that_were_cut_off_go_on_as_far_as_they_are_there),
		cmocka_unit_test(sources_that_are_the_routers_own_are_dropped),
		cmocka_unit_test(c19_frames_that_no_packet_fills_are_dropped),
		cmocka_unit_test(c19_length_0_is_the_frame_of_ipv6_too),
		cmocka_unit_test(errors_of_ipv6_come_from_a_global_address),
		cmocka_unit_test(rfc4443_24_errors_about_later_fragments_are_told),
		cmocka_unit_test(c15_tags_of_cooked_captures_are_kept_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
