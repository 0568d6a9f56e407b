/* SPDX-License-Identifier: MIT */
/* ICMP errors through the NAT: RFC 5508 section 4. */
#include "rig.h"

enum {
	ROUTER_ON_THE_WAY = IP(198, 51, 100, 1),
};

/* An ICMP error by `from` that quotes `n` bytes of an IP packet. */
static struct pkt *new_error(uint16_t nic, uint32_t from, uint32_t to, unsigned type, unsigned code,
	const uint8_t *quoted, uint32_t n)
{
	struct pkt *p = new_ip(nic, from, to, IPPROTO_ICMP, 8 + n);
	uint8_t *icmp = l4_of(p);
	icmp[0] = (uint8_t)type;
	icmp[1] = (uint8_t)code;
	memcpy(icmp + 8, quoted, n);
	set_l4_sum(p);
	return p;
}

static const uint8_t *inner(const struct rig_out *o)
{
	return out_l4(o) + 8;
}

/* The quoted packet, as far as it goes, is what its sender sent: `was`. */
static void assert_restored(const struct rig_out *o, struct pkt *was, uint32_t n)
{
	uint8_t *ip = ip_of(was);
	ip[8] = inner(o)[8]; /* the time to live it had where the error was made */
	set_ip_sum(was);
	assert_memory_equal(inner(o), ip, n);
	assert_sound(o);
}

static void c6_time_exceeded_about_an_echo_is_restored_in_every_part(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	send_out(&rig, new_icmp(LAN, OTHER, SERVER, 8, 77, 40)); /* takes the identifier */
	struct pkt *ping = new_icmp(LAN, HOST, SERVER, 8, 77, 40);
	assert_int_not_equal(send_out(&rig, ping), 77);
	struct rig_out sent = *last_out(&rig);
	for (uint32_t n = 28; n <= 68; n += 8) {
		struct pkt *e =
			new_error(WAN, ROUTER_ON_THE_WAY, EXTERNAL, 11, 0, out_ip(&sent), n);
		assert_int_equal(rig_send(&rig, e), 1);
		const struct rig_out *o = last_out(&rig);
		assert_int_equal(o->nic, LAN);
		assert_int_equal(be32_at(out_ip(o) + 12), ROUTER_ON_THE_WAY);
		assert_int_equal(be32_at(out_ip(o) + 16), HOST);
		assert_int_equal(out_ip(o)[8], 63);
		assert_restored(o, ping, n);
	}
	rig_stop(&rig);
}

static void errors_about_udp_and_tcp_are_restored_however_much_they_quote(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	for (int tcp = 0; tcp < 2; tcp++) {
		static struct pkt kept, *was = &kept;
		kept = tcp ? *new_tcp(LAN, HOST, 4000, SERVER, 80, F_SYN, 33)
			   : *new_udp(LAN, HOST, 4000, SERVER, 80, 33);
		/* another host has the port already */
		send_out(&rig,
			tcp ? new_tcp(LAN, OTHER, 4000, SERVER, 80, F_SYN, 3)
			    : new_udp(LAN, OTHER, 4000, SERVER, 80, 3));
		assert_int_not_equal(send_out(&rig, was), 4000);
		struct rig_out sent = *last_out(&rig);
		for (uint32_t n = 28; n <= sent.len - 14; n++) {
			if (n == 37 && tcp)
				continue; /* half a checksum cannot be restored */
			struct pkt *e = new_error(WAN, SERVER, EXTERNAL, 3, 3, out_ip(&sent), n);
			assert_int_equal(rig_send(&rig, e), 1);
			assert_restored(last_out(&rig), was, n);
			assert_int_equal(out_l4(last_out(&rig))[0], 3);
			assert_int_equal(out_l4(last_out(&rig))[1], 3);
		}
	}
	rig_stop(&rig);
}

static void a_quoted_udp_packet_without_checksum_has_none_afterwards(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	struct pkt *was = new_udp(LAN, HOST, 4000, SERVER, 80, 33);
	put_be16(l4_of(was) + 6, 0);
	send_out(&rig, was);
	struct rig_out sent = *last_out(&rig);
	struct pkt *e = new_error(WAN, SERVER, EXTERNAL, 3, 3, out_ip(&sent), 61);
	assert_int_equal(rig_send(&rig, e), 1);
	assert_restored(last_out(&rig), was, 61);
	rig_stop(&rig);
}

static void rfc5508_req3b_options_of_the_quoted_packet_are_stepped_over(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	struct pkt *was = new_ip(LAN, HOST, SERVER, IPPROTO_UDP, 24);
	uint8_t *ip = ip_of(was);
	ip[0] = 0x48;
	memset(ip + 20, 1, 12);
	put_be16(ip + 32, 4000);
	put_be16(ip + 34, 53);
	put_be16(ip + 36, 12);
	set_l4_sum(was);
	set_ip_sum(was);
	send_out(&rig, was);
	struct rig_out sent = *last_out(&rig);
	struct pkt *e = new_error(WAN, SERVER, EXTERNAL, 3, 3, out_ip(&sent), 40);
	assert_int_equal(rig_send(&rig, e), 1);
	assert_restored(last_out(&rig), was, 40);
	rig_stop(&rig);
}

static void rfc5508_req3_damaged_errors_are_dropped(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	send_out(&rig, new_udp(LAN, HOST, 4000, SERVER, 80, 33));
	uint8_t sent[61];
	memcpy(sent, out_ip(last_out(&rig)), sizeof(sent));
	struct pkt *e = new_error(WAN, SERVER, EXTERNAL, 3, 3, sent, 61);
	l4_of(e)[20]++; /* wrong sum of the error itself */
	assert_dropped(&rig, e, DROP_l4_checksum);
	sent[5]++; /* wrong sum of the quoted header */
	assert_dropped(&rig, new_error(WAN, SERVER, EXTERNAL, 3, 3, sent, 61), DROP_icmp_inner);
	sent[5]--;
	for (uint32_t n = 0; n < 28; n++) { /* nothing, or too little, quoted */
		uint64_t bad =
			rig_drops(&rig, DROP_icmp_inner) + rig_drops(&rig, DROP_icmp_unknown);
		assert_int_equal(
			rig_send(&rig, new_error(WAN, SERVER, EXTERNAL, 3, 3, sent, n)), 0);
		assert_int_equal(
			rig_drops(&rig, DROP_icmp_inner) + rig_drops(&rig, DROP_icmp_unknown),
			bad + 1);
	}
	/* to somebody else than who sent the packet; by somebody who cannot be there */
	assert_dropped(&rig, new_error(LAN, HOST, SERVER + 1, 3, 3, sent, 61), DROP_icmp_unknown);
	assert_dropped(&rig, new_error(WAN, HOST, EXTERNAL, 3, 3, sent, 61), DROP_spoofed);
	sent[20]++; /* of no flow */
	assert_dropped(&rig, new_error(WAN, SERVER, EXTERNAL, 3, 3, sent, 61), DROP_icmp_unknown);
	rig_stop(&rig);
}

static void rfc5508_req5_errors_from_inside_come_from_the_external_address(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	uint16_t port = send_out(&rig, new_udp(LAN, HOST, 4000, SERVER, 80, 33));
	struct pkt *was = new_udp(WAN, SERVER, 80, EXTERNAL, port, 33);
	assert_int_equal(rig_send(&rig, was), 1);
	struct rig_out sent = *last_out(&rig);
	const uint32_t by[] = { HOST, IP(10, 0, 0, 77) };
	for (int i = 0; i < 2; i++) { /* by the host, or by a router before it */
		struct pkt *e = new_error(LAN, by[i], SERVER, 3, 3, out_ip(&sent), 61);
		assert_int_equal(rig_send(&rig, e), 1);
		const struct rig_out *o = last_out(&rig);
		assert_int_equal(o->nic, WAN);
		assert_int_equal(be32_at(out_ip(o) + 12), EXTERNAL);
		assert_int_equal(be32_at(out_ip(o) + 16), SERVER);
		assert_restored(o, was, 61);
	}
	/* about a packet that the NAT has not let in */
	struct pkt *e = new_error(LAN, HOST, SERVER + 1, 3, 3, ip_of(was), 61);
	assert_dropped(&rig, e, DROP_icmp_unknown);
	rig_stop(&rig);
}

static void rfc5508_req7_errors_are_hairpinned(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	uint16_t a = send_out(&rig, new_udp(LAN, HOST, 4000, SERVER, 80, 3));
	uint16_t b = send_out(&rig, new_udp(LAN, OTHER, 4001, SERVER, 80, 3));
	struct pkt *was = new_udp(LAN, HOST, 4000, EXTERNAL, b, 20);
	assert_int_equal(rig_send(&rig, was), 1);
	assert_from_to(last_out(&rig), EXTERNAL, a, OTHER, 4001);
	struct rig_out sent = *last_out(&rig);
	struct pkt *e = new_error(LAN, OTHER, EXTERNAL, 3, 3, out_ip(&sent), 48);
	assert_int_equal(rig_send(&rig, e), 1);
	const struct rig_out *o = last_out(&rig);
	assert_int_equal(o->nic, LAN);
	assert_int_equal(be32_at(out_ip(o) + 12), EXTERNAL);
	assert_int_equal(be32_at(out_ip(o) + 16), HOST);
	assert_restored(o, was, 48);
	rig_stop(&rig);
}

static void rfc5508_req6_errors_neither_end_nor_keep_a_mapping(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	uint16_t port = send_out(&rig, new_udp(LAN, HOST, 4000, SERVER, 80, 33));
	uint8_t sent[61];
	memcpy(sent, out_ip(last_out(&rig)), sizeof(sent));
	rig.now += 200 * S;
	assert_int_equal(rig_send(&rig, new_error(WAN, SERVER, EXTERNAL, 3, 3, sent, 61)), 1);
	assert_int_equal(rig_send(&rig, new_udp(WAN, SERVER, 80, EXTERNAL, port, 3)), 1);
	rig.now += 200 * S;
	assert_int_equal(rig_send(&rig, new_error(WAN, SERVER, EXTERNAL, 3, 3, sent, 61)), 1);
	rig.now += 101 * S;
	assert_dropped(&rig, new_error(WAN, SERVER, EXTERNAL, 3, 3, sent, 61), DROP_icmp_unknown);
	rig_stop(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(c6_time_exceeded_about_an_echo_is_restored_in_every_part),
		cmocka_unit_test(errors_about_udp_and_tcp_are_restored_however_much_they_quote),
		cmocka_unit_test(a_quoted_udp_packet_without_checksum_has_none_afterwards),
		cmocka_unit_test(rfc5508_req3b_options_of_the_quoted_packet_are_stepped_over),
		cmocka_unit_test(rfc5508_req3_damaged_errors_are_dropped),
		cmocka_unit_test(rfc5508_req5_errors_from_inside_come_from_the_external_address),
		cmocka_unit_test(rfc5508_req7_errors_are_hairpinned),
		cmocka_unit_test(rfc5508_req6_errors_neither_end_nor_keep_a_mapping),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
