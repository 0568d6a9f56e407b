/* SPDX-License-Identifier: MIT */
/* Translation of UDP, TCP and ICMP queries: RFC 4787, RFC 5382, RFC 5508. */
#include "rig.h"

static void outbound_udp_leaves_from_the_external_address_and_answers_come_back(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	uint16_t port = send_out(&rig, new_udp(LAN, HOST, 4003, SERVER, 53, 11));
	assert_int_equal(port, 4003); /* it is free, so it is kept */
	assert_from_to(last_out(&rig), EXTERNAL, port, SERVER, 53);
	assert_int_equal(out_ip(last_out(&rig))[8], 63);
	assert_int_equal(rig_send(&rig, new_udp(WAN, SERVER, 53, EXTERNAL, port, 100)), 1);
	assert_int_equal(last_out(&rig)->nic, LAN);
	assert_from_to(last_out(&rig), SERVER, 53, HOST, 4003);
	assert_int_equal(out_ip(last_out(&rig))[8], 63);
	rig_stop(&rig);
}

static void rfc4787_req1_mapping_is_endpoint_independent(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	uint16_t port = send_out(&rig, new_udp(LAN, HOST, 5000, SERVER, 53, 4));
	assert_int_equal(send_out(&rig, new_udp(LAN, HOST, 5000, SERVER + 1, 99, 4)), port);
	assert_int_not_equal(send_out(&rig, new_udp(LAN, OTHER, 5000, SERVER, 53, 4)), port);
	/* TCP and UDP are apart */
	assert_int_equal(send_out(&rig, new_tcp(LAN, OTHER, 5000, SERVER, 53, F_SYN, 0)), 5000);
	rig_stop(&rig);
}

static void rfc4787_req3_ports_are_not_overloaded_and_keep_range_and_parity(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	uint8_t seen[65536] = { 0 };
	for (uint32_t i = 0; i < 1500; i++) {
		uint16_t want = (uint16_t)(i % 3 == 0 ? 700 + i % 2 : 6000 + i % 2);
		if (i % 3 == 0 && i > 400)
			continue;
		uint16_t port = send_out(&rig, new_udp(LAN, HOST + i, want, SERVER, 53, 4));
		assert_int_equal(seen[port]++, 0);
		assert_int_equal(port % 2, want % 2);
		assert_int_equal(port < 1024, want < 1024);
	}
	rig_stop(&rig);
}

static void c3_udp_checksum_0_stays_0(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	struct pkt *p = new_udp(LAN, HOST, 4000, SERVER, 53, 9);
	put_be16(l4_of(p) + 6, 0);
	assert_int_equal(rig_send(&rig, p), 1);
	assert_int_equal(be16_at(out_l4(last_out(&rig)) + 6), 0);
	assert_sound(last_out(&rig));
	rig_stop(&rig);
}

/* Two bytes of payload that bring the sum of a translated packet to what is wanted. */
static void tune(struct pkt *p, uint32_t ext_port, uint32_t want)
{
	uint8_t *ip = ip_of(p), *l4 = l4_of(p);
	uint32_t src = be32_at(ip + 12), sport = be16_at(l4);
	int payload = ip[9] == IPPROTO_UDP ? 8 : 20;
	for (uint32_t w = 0; w < 65536; w++) {
		put_be16(l4 + payload, w);
		put_be32(ip + 12, EXTERNAL);
		put_be16(l4, ext_port);
		put_be16(l4 + sum_at(ip[9]), 0);
		uint32_t len = be16_at(ip + 2) - 20;
		uint32_t sum = ~rfc_sum(l4, len, pseudo_sum(ip, len)) & 0xffff;
		put_be32(ip + 12, src);
		put_be16(l4, sport);
		if (sum == want) {
			set_ip_sum(p);
			set_l4_sum(p);
			return;
		}
	}
	fail();
}

static void c4_a_udp_checksum_that_becomes_0_is_sent_as_ffff_but_tcp_may_have_0(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	send_out(&rig, new_udp(LAN, HOST, 4000, SERVER, 53, 2));
	send_out(&rig, new_tcp(LAN, HOST, 4000, SERVER, 80, F_SYN, 2));
	struct pkt *u = new_udp(LAN, HOST, 4000, SERVER, 53, 2);
	tune(u, 4000, 0);
	assert_int_equal(rig_send(&rig, u), 1);
	assert_int_equal(be16_at(out_l4(last_out(&rig)) + 6), 0xffff);
	assert_sound(last_out(&rig));
	struct pkt *t = new_tcp(LAN, HOST, 4000, SERVER, 80, F_ACK, 2);
	tune(t, 4000, 0);
	assert_int_equal(rig_send(&rig, t), 1);
	assert_int_equal(be16_at(out_l4(last_out(&rig)) + 16), 0);
	assert_sound(last_out(&rig));
	rig_stop(&rig);
}

/* Echo answers whose words are all zero: the sum is 0, and its checksum 0xffff. */
static void c5_checksum_of_icmp_data_that_is_all_zero_is_right(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	struct pkt *q = new_icmp(LAN, HOST, SERVER, 8, 0, 32);
	put_be16(l4_of(q) + 6, 0);
	set_l4_sum(q);
	uint16_t id = send_out(&rig, q);
	/* another host has identifier 0 outside; this one's becomes something else */
	struct pkt *q2 = new_icmp(LAN, OTHER, SERVER, 8, 0, 32);
	put_be16(l4_of(q2) + 6, 0);
	set_l4_sum(q2);
	uint16_t id2 = send_out(&rig, q2);
	assert_int_not_equal(id, id2);
	uint32_t hosts[2] = { HOST, OTHER };
	uint16_t ids[2] = { id, id2 };
	for (int i = 0; i < 2; i++) {
		struct pkt *a = new_icmp(WAN, SERVER, EXTERNAL, 0, ids[i], 32);
		put_be16(l4_of(a) + 6, 0);
		set_l4_sum(a);
		assert_int_equal(rig_send(&rig, a), 1);
		const struct rig_out *o = last_out(&rig);
		assert_int_equal(be32_at(out_ip(o) + 16), hosts[i]);
		assert_int_equal(be16_at(out_l4(o) + 4), 0);
		assert_int_equal(be16_at(out_l4(o) + 2), 0xffff);
		assert_sound(o);
	}
	rig_stop(&rig);
}

static void c8_ethernet_padding_is_in_no_checksum_and_not_sent_on(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	send_out(&rig, new_tcp(LAN, HOST, 4000, SERVER, 80, F_SYN, 0));
	struct pkt *p = new_tcp(LAN, HOST, 4000, SERVER, 80, F_ACK, 0);
	assert_int_equal(p->len, 40);
	memset(ip_of(p) + 40, 0xee, 6);
	p->len = 46;
	assert_int_equal(rig_send(&rig, p), 1);
	assert_int_equal(last_out(&rig)->len, 14 + 40);
	assert_from_to(last_out(&rig), EXTERNAL, 4000, SERVER, 80);
	rig_stop(&rig);
}

static void c9_sum_of_an_odd_length_is_right_after_translation(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	send_out(&rig, new_tcp(LAN, HOST, 4000, SERVER, 80, F_SYN, 0));
	for (uint32_t payload = 1; payload < 40; payload += 2)
		send_out(&rig, new_tcp(LAN, HOST, 4000, SERVER, 80, F_ACK | F_PSH, payload));
	rig_stop(&rig);
}

static void rfc5508_req1_icmp_queries_are_mapped_by_identifier(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	uint16_t a = send_out(&rig, new_icmp(LAN, HOST, SERVER, 8, 77, 20));
	uint16_t b = send_out(&rig, new_icmp(LAN, OTHER, SERVER, 8, 77, 20));
	assert_int_equal(a, 77);
	assert_int_not_equal(b, 77);
	assert_int_equal(rig_send(&rig, new_icmp(WAN, SERVER, EXTERNAL, 0, b, 20)), 1);
	assert_int_equal(be32_at(out_ip(last_out(&rig)) + 16), OTHER);
	assert_int_equal(be16_at(out_l4(last_out(&rig)) + 4), 77);
	assert_sound(last_out(&rig));
	/* a question from outside is for the router, not for who has its identifier */
	assert_dropped(&rig, new_icmp(WAN, SERVER, EXTERNAL, 8, b, 20), DROP_local);
	/* timer: 60 s */
	rig.now += 59 * S;
	assert_int_equal(rig_send(&rig, new_icmp(WAN, SERVER, EXTERNAL, 0, b, 20)), 1);
	rig.now += 61 * S;
	assert_dropped(&rig, new_icmp(WAN, SERVER, EXTERNAL, 0, b, 20), DROP_unsolicited);
	/* an answer to no question does not leave */
	assert_dropped(&rig, new_icmp(LAN, HOST, SERVER, 0, 5, 20), DROP_icmp_state);
	rig_stop(&rig);
}

static void rfc4787_req5_udp_mapping_lives_5_minutes_after_its_last_packet(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	uint16_t port = send_out(&rig, new_udp(LAN, HOST, 4000, SERVER, 53, 4));
	for (int i = 0; i < 5; i++) {
		rig.now += 299 * S;
		assert_int_equal(send_out(&rig, new_udp(LAN, HOST, 4000, SERVER, 53, 4)), port);
	}
	rig.now += 300 * S;
	assert_int_equal(rig_send(&rig, new_udp(WAN, SERVER, 53, EXTERNAL, port, 4)), 1);
	rig.now += 300 * S + 1;
	assert_dropped(&rig, new_udp(WAN, SERVER, 53, EXTERNAL, port, 4), DROP_unsolicited);
	rig_stop(&rig);
}

static void rfc4787_req6_without_inbound_refresh_only_the_host_keeps_a_mapping(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig.conf.nat.refresh_inbound = false;
	rig_start(&rig);
	uint16_t port = send_out(&rig, new_udp(LAN, HOST, 4000, SERVER, 53, 4));
	/* another one sends in, all the time: its flow must not keep the mapping */
	for (int i = 0; i < 4; i++) {
		rig.now += 70 * S;
		assert_int_equal(rig_send(&rig, new_udp(WAN, SERVER + 9, 9, EXTERNAL, port, 4)), 1);
	}
	rig.now += 70 * S;
	assert_dropped(&rig, new_udp(WAN, SERVER + 9, 9, EXTERNAL, port, 4), DROP_unsolicited);
	/* but an answer by the host makes that flow one of those that do */
	port = send_out(&rig, new_udp(LAN, HOST, 4000, SERVER, 53, 4));
	assert_int_equal(rig_send(&rig, new_udp(WAN, SERVER + 9, 9, EXTERNAL, port, 4)), 1);
	rig.now += 200 * S;
	assert_int_equal(send_out(&rig, new_udp(LAN, HOST, 4000, SERVER + 9, 9, 4)), port);
	rig.now += 200 * S;
	assert_int_equal(rig_send(&rig, new_udp(WAN, SERVER + 9, 9, EXTERNAL, port, 4)), 1);
	rig_stop(&rig);
}

static void rfc4787_req8_filtering_is_as_configured(void **state)
{
	(void)state;
	for (int f = CONF_FILTERING_NONE; f <= CONF_FILTERING_PORT; f++) {
		struct rig rig;
		rig_init(&rig);
		rig.conf.nat.filtering = (enum conf_filtering)f;
		rig_start(&rig);
		uint16_t port = send_out(&rig, new_udp(LAN, HOST, 4000, SERVER, 53, 4));
		size_t other_port = rig_send(&rig, new_udp(WAN, SERVER, 54, EXTERNAL, port, 4));
		size_t other_addr = rig_send(&rig, new_udp(WAN, SERVER + 1, 53, EXTERNAL, port, 4));
		assert_int_equal(other_port, f != CONF_FILTERING_PORT);
		assert_int_equal(other_addr, f == CONF_FILTERING_NONE);
		assert_int_equal(rig_drops(&rig, DROP_filtered), (uint64_t)f);
		/* permits end with the flows that gave them */
		if (f == CONF_FILTERING_ADDRESS) {
			rig.now += 250 * S;
			send_out(&rig, new_udp(LAN, HOST, 4000, SERVER + 5, 53, 4));
			rig.now += 100 * S;
			assert_dropped(
				&rig, new_udp(WAN, SERVER, 99, EXTERNAL, port, 4), DROP_filtered);
		}
		rig_stop(&rig);
	}
}

static void rfc4787_req9_hairpinning_shows_the_external_source(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	uint16_t a = send_out(&rig, new_udp(LAN, HOST, 4000, SERVER, 53, 4));
	uint16_t b = send_out(&rig, new_udp(LAN, OTHER, 4001, SERVER, 53, 4));
	for (int i = 0; i < 2; i++) {
		assert_int_equal(rig_send(&rig, new_udp(LAN, HOST, 4000, EXTERNAL, b, 33)), 1);
		assert_int_equal(last_out(&rig)->nic, LAN);
		assert_from_to(last_out(&rig), EXTERNAL, a, OTHER, 4001);
		assert_int_equal(rig_send(&rig, new_udp(LAN, OTHER, 4001, EXTERNAL, a, 33)), 1);
		assert_from_to(last_out(&rig), EXTERNAL, b, HOST, 4000);
	}
	/* and to oneself */
	assert_int_equal(rig_send(&rig, new_udp(LAN, HOST, 4000, EXTERNAL, a, 33)), 1);
	assert_from_to(last_out(&rig), EXTERNAL, a, HOST, 4000);
	rig.now += 301 * S; /* all of it ends */
	assert_dropped(&rig, new_udp(WAN, SERVER, 53, EXTERNAL, b, 4), DROP_unsolicited);
	assert_int_equal(rig.router->flows.pairs.live, 0);
	assert_int_equal(rig.router->nat.mappings.live, 0);
	rig_stop(&rig);
}

static void static_forwards_let_anyone_in(void **state)
{
	(void)state;
	struct conf_forward f[] = {
		{ .protocol = IPPROTO_TCP,
			.external = EXTERNAL,
			.external_port = 8080,
			.inside = HOST,
			.inside_port = 80,
			.n_ports = 1 },
		{ .protocol = IPPROTO_UDP,
			.external = EXTERNAL,
			.external_port = 20000,
			.inside = OTHER,
			.inside_port = 10000,
			.n_ports = 100 },
	};
	for (int mode = 0; mode < 2; mode++) {
		struct rig rig;
		rig_init(&rig);
		rig.conf.nat.forwards = f;
		rig.conf.nat.n_forwards = 2;
		rig.conf.nat.filtering = CONF_FILTERING_PORT;
		rig.conf.nat.mapping = mode ? CONF_MAPPING_SYMMETRIC : CONF_MAPPING_EIM;
		rig_start(&rig);
		struct pkt *syn = new_tcp(WAN, SERVER, 999, EXTERNAL, 8080, F_SYN, 0);
		assert_int_equal(rig_send(&rig, syn), 1);
		assert_from_to(last_out(&rig), SERVER, 999, HOST, 80);
		assert_int_equal(
			send_out(&rig, new_tcp(LAN, HOST, 80, SERVER, 999, F_SYN | F_ACK, 0)),
			8080);
		assert_int_equal(rig_send(&rig, new_udp(WAN, SERVER, 999, EXTERNAL, 20042, 7)), 1);
		assert_from_to(last_out(&rig), SERVER, 999, OTHER, 10042);
		assert_dropped(
			&rig, new_udp(WAN, SERVER, 999, EXTERNAL, 20100, 7), DROP_unsolicited);
		/* after everything has ended they are still there */
		rig.now += 8000 * S;
		assert_int_equal(rig_send(&rig, new_udp(WAN, SERVER, 9, EXTERNAL, 20000, 7)), 1);
		/* and hairpin */
		assert_int_equal(rig_send(&rig, new_udp(LAN, HOST, 5, EXTERNAL, 20001, 7)), 1);
		assert_from_to(last_out(&rig), EXTERNAL, 5, OTHER, 10001);
		rig_stop(&rig);
	}
}

static void symmetric_flows_share_ports_when_destinations_differ(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig.conf.nat.mapping = CONF_MAPPING_SYMMETRIC;
	rig_start(&rig);
	assert_int_equal(send_out(&rig, new_udp(LAN, HOST, 4000, SERVER, 53, 4)), 4000);
	assert_int_equal(send_out(&rig, new_udp(LAN, OTHER, 4000, SERVER, 54, 4)), 4000);
	uint16_t other = send_out(&rig, new_udp(LAN, OTHER, 4000, SERVER, 53, 4));
	assert_int_not_equal(other, 4000);
	assert_int_equal(rig_send(&rig, new_udp(WAN, SERVER, 53, EXTERNAL, other, 4)), 1);
	assert_from_to(last_out(&rig), SERVER, 53, OTHER, 4000);
	assert_int_equal(rig_send(&rig, new_udp(WAN, SERVER, 54, EXTERNAL, 4000, 4)), 1);
	assert_from_to(last_out(&rig), SERVER, 54, OTHER, 4000);
	assert_dropped(&rig, new_udp(WAN, SERVER, 55, EXTERNAL, 4000, 4), DROP_unsolicited);
	rig_stop(&rig);
}

static void unknown_protocols_get_the_address_or_are_dropped(void **state)
{
	(void)state;
	for (int map = 0; map < 2; map++) {
		struct rig rig;
		rig_init(&rig);
		rig.conf.nat.unknown = map ? CONF_UNKNOWN_MAP : CONF_UNKNOWN_DROP;
		rig_start(&rig);
		struct pkt *gre = new_ip(LAN, HOST, SERVER, 47, 20);
		if (!map) {
			assert_dropped(&rig, gre, DROP_protocol);
			rig_stop(&rig);
			continue;
		}
		assert_int_equal(rig_send(&rig, gre), 1);
		assert_from_to(last_out(&rig), EXTERNAL, -1, SERVER, -1);
		assert_int_equal(rig_send(&rig, new_ip(WAN, SERVER, EXTERNAL, 47, 20)), 1);
		assert_from_to(last_out(&rig), SERVER, -1, HOST, -1);
		/* one address can stand for one host only */
		assert_refused(&rig, new_ip(LAN, OTHER, SERVER, 47, 20), DROP_no_port, 3, 13);
		assert_int_equal(rig_send(&rig, new_ip(LAN, OTHER, SERVER, 50, 20)), 1);
		rig_stop(&rig);
	}
}

static void rfc6864_packets_that_may_be_fragmented_get_identifications_of_their_own(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	uint8_t seen[65536] = { 0 };
	for (uint32_t i = 0; i < 1000; i++) { /* many hosts that count alike */
		struct pkt *p = new_udp(LAN, HOST + i % 50, 4000 + i % 50, SERVER, 53, 4);
		put_be16(ip_of(p) + 4, i / 50);
		put_be16(ip_of(p) + 6, 0);
		set_ip_sum(p);
		send_out(&rig, p);
		assert_int_equal(seen[be16_at(out_ip(last_out(&rig)) + 4)]++, 0);
	}
	/* and one that may not keeps its own */
	send_out(&rig, new_udp(LAN, HOST, 4000, SERVER, 53, 4));
	assert_int_equal(be16_at(out_ip(last_out(&rig)) + 4), 0x1234);
	rig_stop(&rig);
}

static void nothing_leaves_with_an_inside_source_and_nothing_enters_untranslated(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	assert_dropped(&rig, new_udp(WAN, SERVER, 5, HOST, 5, 4), DROP_inside_dst);
	assert_dropped(&rig, new_udp(WAN, EXTERNAL, 5, EXTERNAL, 5, 4), DROP_spoofed);
	assert_dropped(&rig, new_udp(WAN, HOST, 5, SERVER, 5, 4), DROP_spoofed);
	assert_dropped(&rig, new_udp(LAN, IP(203, 0, 113, 1), 5, SERVER, 5, 4), DROP_spoofed);
	assert_dropped(&rig, new_udp(WAN, SERVER, 5, EXTERNAL, 5, 4), DROP_unsolicited);
	assert_dropped(&rig, new_icmp(LAN, HOST, SERVER, 9, 1, 8), DROP_icmp_type);
	/* inside to inside is routed as it is */
	assert_int_equal(rig_send(&rig, new_udp(LAN, HOST, 5, IP(192, 168, 3, 4), 5, 4)), 1);
	assert_int_equal(last_out(&rig)->nic, LAB);
	assert_from_to(last_out(&rig), HOST, 5, IP(192, 168, 3, 4), 5);
	rig_stop(&rig);
}

/* RFC 4787 REQ-9, behind a filter: each has to send before it hears of the other. */
static void hosts_behind_the_filter_meet_when_both_have_sent(void **state)
{
	(void)state;
	for (int mode = 0; mode < 4; mode++) {
		struct rig rig;
		rig_init(&rig);
		rig.conf.nat.filtering = mode & 1 ? CONF_FILTERING_ADDRESS : CONF_FILTERING_PORT;
		rig.conf.nat.refresh_inbound = mode >> 1;
		rig_start(&rig);
		uint16_t a = send_out(&rig, new_udp(LAN, HOST, 4000, SERVER, 53, 3));
		uint16_t b = send_out(&rig, new_udp(LAN, OTHER, 4001, SERVER, 53, 3));
		for (int i = 0; i < 2; i++)
			assert_dropped(
				&rig, new_udp(LAN, HOST, 4000, EXTERNAL, b, 20), DROP_filtered);
		for (int i = 0; i < 3; i++) {
			assert_int_equal(
				rig_send(&rig, new_udp(LAN, OTHER, 4001, EXTERNAL, a, 20)), 1);
			assert_from_to(last_out(&rig), EXTERNAL, b, HOST, 4000);
			assert_int_equal(
				rig_send(&rig, new_udp(LAN, HOST, 4000, EXTERNAL, b, 20)), 1);
			assert_from_to(last_out(&rig), EXTERNAL, a, OTHER, 4001);
		}
		/* nobody else than hosts behind the address has got in by that */
		assert_dropped(&rig, new_udp(WAN, SERVER + 1, 53, EXTERNAL, b, 20), DROP_filtered);
		rig.now += 301 * S;
		send_out(&rig, new_udp(LAN, HOST + 9, 4000, SERVER, 53, 3));
		assert_int_equal(rig.router->flows.pairs.live, 1);
		assert_int_equal(rig.router->nat.mappings.live, 1);
		assert_int_equal(rig.router->nat.permits.live, mode & 1);
		rig_stop(&rig);
	}
}

/* One mapping on both sides of a flow: it must end once. */
static void a_host_that_sends_to_itself_is_forgotten_once(void **state)
{
	(void)state;
	for (int mode = 0; mode < 4; mode++) {
		struct rig rig;
		rig_init(&rig);
		rig.conf.nat.filtering = mode & 1 ? CONF_FILTERING_ADDRESS : CONF_FILTERING_NONE;
		rig.conf.nat.refresh_inbound = mode >> 1;
		rig_start(&rig);
		uint16_t port = send_out(&rig, new_udp(LAN, HOST, 4000, SERVER, 53, 3));
		rig.now += 10 * S; /* the other flow is over before this one is */
		for (int i = 0; i < 2; i++) {
			assert_int_equal(
				rig_send(&rig, new_udp(LAN, HOST, 4000, EXTERNAL, port, 20)), 1);
			assert_from_to(last_out(&rig), EXTERNAL, port, HOST, 4000);
		}
		rig.now += 301 * S;
		send_out(&rig, new_udp(LAN, HOST + 99, 4000, SERVER, 53, 3));
		assert_int_equal(rig.router->flows.pairs.live, 1);
		assert_int_equal(rig.router->nat.mappings.live, 1);
		uint16_t ports[50];
		for (uint32_t i = 0; i < 50; i++)
			ports[i] = send_out(&rig, new_udp(LAN, OTHER + i, 5000, SERVER, 53, 3));
		for (uint32_t i = 0; i < 50; i++) {
			assert_int_equal(
				rig_send(&rig, new_udp(WAN, SERVER, 53, EXTERNAL, ports[i], 3)), 1);
			assert_from_to(last_out(&rig), SERVER, 53, OTHER + i, 5000);
		}
		assert_int_equal(rig.router->flows.pairs.live, 51);
		rig_stop(&rig);
	}
}

static void a_flow_that_is_known_is_no_way_for_spoofed_packets(void **state)
{
	(void)state;
	for (int mode = 0; mode < 2; mode++) {
		struct rig rig;
		rig_init(&rig);
		rig.conf.nat.mapping = mode ? CONF_MAPPING_SYMMETRIC : CONF_MAPPING_EIM;
		rig_start(&rig);
		uint16_t port = send_out(&rig, new_udp(LAN, HOST, 4000, SERVER, 53, 3));
		assert_dropped(&rig, new_udp(WAN, HOST, 4000, SERVER, 53, 3), DROP_spoofed);
		assert_dropped(&rig, new_udp(LAN, SERVER, 53, EXTERNAL, port, 3), DROP_spoofed);
		assert_dropped(&rig, new_udp(LAB, SERVER, 53, EXTERNAL, port, 3), DROP_spoofed);
		assert_int_equal(rig_send(&rig, new_udp(WAN, SERVER, 53, EXTERNAL, port, 3)), 1);
		rig_stop(&rig);
	}
}

/* As lines of text have it. */
static void mappings_end_when_time_begins_at_0(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig.conf.nat.refresh_inbound = false;
	rig.now = 0;
	rig_start(&rig);
	for (int i = 0; i < 3; i++) {
		uint16_t port = send_out(&rig, new_udp(LAN, HOST, 4000, SERVER, 53, 3));
		assert_int_equal(rig_send(&rig, new_udp(WAN, SERVER, 53, EXTERNAL, port, 3)), 1);
	}
	rig.now = 302 * S;
	send_out(&rig, new_udp(LAN, OTHER, 4000, SERVER, 53, 3));
	assert_int_equal(rig.router->nat.mappings.live, 1);
	rig_stop(&rig);
}

/* ICMP that hosts send, that they complain about, and that the router says: if all of it comes from
 * one address, no two packets of it may be taken for parts of one. */
static void rfc6864_icmp_of_any_kind_has_identifications_of_its_own(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig.external[0] = IP(203, 0, 113, 1); /* the router's own */
	rig_start(&rig);
	uint8_t seen[65536] = { 0 };
	struct pkt *out = new_udp(LAN, HOST, 4000, SERVER, 53, 3);
	rig_send(&rig, out);
	rig_send(&rig, new_udp(WAN, SERVER, 53, rig.external[0], 4000, 3));
	struct rig_out came_in = *last_out(&rig);
	for (uint32_t i = 0; i < 60; i++) {
		struct pkt *p = new_icmp(LAN, HOST, SERVER, 8, 7, 40);
		if (i % 3 == 1) { /* an error by the host */
			p = new_icmp(LAN, HOST, SERVER, 3, 0, 31);
			memcpy(l4_of(p) + 8, out_ip(&came_in), 31);
			set_l4_sum(p);
		} else if (i % 3 == 2) { /* one by the router */
			p = new_udp(WAN, SERVER, 53, rig.external[0], 4000, 3);
			ip_of(p)[8] = 1;
		}
		put_be16(ip_of(p) + 6, 0);
		put_be16(ip_of(p) + 4, i % 3 + 1); /* the sender's own */
		set_ip_sum(p);
		assert_int_equal(rig_send(&rig, p), 1);
		const struct rig_out *o = last_out(&rig);
		assert_int_equal(o->nic, WAN);
		assert_int_equal(be32_at(out_ip(o) + 12), rig.external[0]);
		assert_int_equal(seen[be16_at(out_ip(o) + 4)]++, 0);
		assert_sound(o);
	}
	rig_stop(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			outbound_udp_leaves_from_the_external_address_and_answers_come_back),
		cmocka_unit_test(rfc4787_req1_mapping_is_endpoint_independent),
		cmocka_unit_test(rfc4787_req3_ports_are_not_overloaded_and_keep_range_and_parity),
		cmocka_unit_test(c3_udp_checksum_0_stays_0),
		cmocka_unit_test(
			c4_a_udp_checksum_that_becomes_0_is_sent_as_ffff_but_tcp_may_have_0),
		cmocka_unit_test(c5_checksum_of_icmp_data_that_is_all_zero_is_right),
		cmocka_unit_test(c8_ethernet_padding_is_in_no_checksum_and_not_sent_on),
		cmocka_unit_test(c9_sum_of_an_odd_length_is_right_after_translation),
		cmocka_unit_test(rfc5508_req1_icmp_queries_are_mapped_by_identifier),
		cmocka_unit_test(rfc4787_req5_udp_mapping_lives_5_minutes_after_its_last_packet),
		cmocka_unit_test(
			rfc4787_req6_without_inbound_refresh_only_the_host_keeps_a_mapping),
		cmocka_unit_test(rfc4787_req8_filtering_is_as_configured),
		cmocka_unit_test(rfc4787_req9_hairpinning_shows_the_external_source),
		cmocka_unit_test(static_forwards_let_anyone_in),
		cmocka_unit_test(symmetric_flows_share_ports_when_destinations_differ),
		cmocka_unit_test(unknown_protocols_get_the_address_or_are_dropped),
		cmocka_unit_test(
			rfc6864_packets_that_may_be_fragmented_get_identifications_of_their_own),
		cmocka_unit_test(
			nothing_leaves_with_an_inside_source_and_nothing_enters_untranslated),
		cmocka_unit_test(hosts_behind_the_filter_meet_when_both_have_sent),
		cmocka_unit_test(a_host_that_sends_to_itself_is_forgotten_once),
		cmocka_unit_test(a_flow_that_is_known_is_no_way_for_spoofed_packets),
		cmocka_unit_test(mappings_end_when_time_begins_at_0),
		cmocka_unit_test(rfc6864_icmp_of_any_kind_has_identifications_of_its_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
